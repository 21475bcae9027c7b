"""Short strategies of every game: optimal >= found >= published at equal length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

import strategies_page
import strategy_cards
from odds.renaming import sheet_of
from strategies.rules import shipped_files, strategy
from strategies.test_blackjack import DECKS, ruled
from strategies.test_pai_gow import SMALL, Rule
from tapisvert.games.blackjack.odds.rule_count import RulePositions
from tapisvert.games.blackjack.odds.vocabulary import VOCABULARY as BLACKJACK
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.games.pai_gow.odds.rule_count import QUESTION, Counted
from tapisvert.games.pai_gow.odds.vocabulary import VOCABULARY as PAI_GOW
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.games.registry import SHIPPED
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.vocabulary import Vocabulary
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.strategies import card_store, short
from tapisvert.strategies.evaluation import evaluate
from tapisvert.strategies.strategy_file import StrategyFile, read_file
from tapisvert.strategies.strategy_file import shipped as shipped_paths
from tiers import long

# Small decks: what is found against every published list and against single rules -----------


def found_by(
    monkeypatch: pytest.MonkeyPatch,
    vocabulary: Vocabulary,
    game: str,
    counted: Any,
    known: list[StrategyFile],
    most: int,
) -> short.ShortStrategies:
    """Search on a small deck; a search costs nothing less than what it says it compared."""
    there = replace(vocabulary, count=lambda sheet, tell: counted)
    monkeypatch.setattr(short, "vocabulary_of", lambda _: there)
    monkeypatch.setattr(short, "_known", lambda _: known)
    return short.find_short(load(game), most)


def costs_of(found: short.ShortStrategies) -> list[Fraction]:
    costs = [each.evaluation.cost for each in found.found]
    assert [each.most for each in found.found] == list(range(1, len(costs) + 1))
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] >= 0
    for each in found.found:
        assert each.evaluation.strategy.length <= each.most
    return costs


def test_blackjack_on_a_small_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = RulePositions(DECKS["as-shipped"], no_progress)
    known = [
        file
        for file in shipped_files("blackjack")
        if file.name in ("never-bust", "like-the-house", "always-stand")
    ]
    found = found_by(monkeypatch, BLACKJACK, "blackjack", counted, known, 3)
    costs = costs_of(found)
    first, *longer = found.found
    assert first.proved
    assert first.method == short.PAIRS_EXHAUSTED
    assert not any(each.proved for each in longer)
    for file in known:
        if file.length:
            assert costs[file.length - 1] <= evaluate(file, BLACKJACK, counted).cost
    # Rules of one word tried one by one, each evaluated exactly.
    whens: tuple[dict[str, Any], ...] = (
        *({"total_at_most": total} for total in range(8, 21)),
        *({"total_at_least": total} for total in range(9, 21)),
        *({"up": up} for up in "A58T"),
        {"soft": True},
        {"hand": "58"},
        {"can_double": True},
    )
    for when in whens:
        for choose, otherwise in permutations(("stand", "hit"), 2):
            try:
                one = evaluate(ruled((when, choose), ({}, otherwise)), BLACKJACK, counted)
            except Refused:
                continue
            assert one.cost >= costs[0] - Fraction(1, 10**6), when


FULL_HOUSE: Rule = ({"kind": "full-house"}, "high-pair")
TWO_PAIR: Rule = ({"kind": "two-pair"}, "low-pair")
OTHERS: Rule = ({}, "best-low")
ONE = strategy("pai-gow", QUESTION, FULL_HOUSE, OTHERS, name="one")
TWO = strategy("pai-gow", QUESTION, FULL_HOUSE, TWO_PAIR, OTHERS, name="two")


@pytest.fixture(scope="module")
def small() -> Counted:
    """Return the hands of fifteen cards."""
    return Counted(sheet_of(PaiGow), no_progress, SMALL)


def test_pai_gow_on_a_small_deck(small: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    known = [*shipped_files("pai-gow"), ONE, TWO]
    found = found_by(monkeypatch, PAI_GOW, "pai-gow", small, known, 2)
    costs = costs_of(found)
    assert found.found[0].proved
    for file in (ONE, TWO):
        assert costs[file.length - 1] <= evaluate(file, PAI_GOW, small).cost
    # A search values published lists itself: with what an evaluation says.
    asked: dict[str, Any] = {}
    monkeypatch.setattr(short, "_best_known", lambda known, totals: asked.update(totals) or {})
    found_by(monkeypatch, PAI_GOW, "pai-gow", small, known, 2)
    base = evaluate(TWO, PAI_GOW, small).cost - Fraction(asked["two"], -small.deals)
    for file in (ONE, TWO):
        cost = evaluate(file, PAI_GOW, small).cost
        assert cost == base - Fraction(asked[file.name], small.deals)


def test_a_search_says_nothing_is_excluded_when_its_own_list_is_refused(
    small: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: Callable[..., Any] = evaluate

    def refuses(file: StrategyFile, *others: Any) -> Any:
        if file.name == "best-1":
            raise Refused("strategy/never_applies", question=QUESTION, number=1, example="")
        return played(file, *others)

    monkeypatch.setattr(short, "evaluate", refuses)
    found = found_by(monkeypatch, PAI_GOW, "pai-gow", small, [ONE], 1)
    (only,) = found.found
    assert only.evaluation.strategy.name == "one"
    assert only.method == short.PUBLISHED
    assert not only.proved


# Every game: the cards that ship, against the page and the proof ----------------------------


def cost_on_page(name: str) -> Fraction:
    """Return the cost in the row of a strategy on the page, in percent."""
    page = strategies_page.PAGE.read_text(encoding="utf-8")
    heads = next(
        line
        for block in page.split("<!-- begin ")
        if f"(`{name}`)" in block
        for line in block.splitlines()
        if line.startswith("| strategy")
    )
    row = next(line for line in page.splitlines() if line.startswith("|") and f"(`{name}`)" in line)
    cells = [cell.strip() for cell in row.split("|")]
    return Fraction(cells[[cell.strip() for cell in heads.split("|")].index("cost %")])


@pytest.mark.parametrize("game", SHIPPED)
def test_what_is_found_costs_no_more_than_what_is_published_at_equal_length(game: str) -> None:
    """The shipped cards hold what the search found; the second tier and `soak` count it again."""
    plan, kept = strategy_cards.plan_of(game), card_store.find(load(game))
    assert plan is not None
    assert kept is not None
    cards = [card for card in kept.cards if card.proved_best is not None]
    found = {int(card.name.removeprefix("best-")): card for card in cards}
    assert list(found) == list(range(1, plan.lengths + 1))
    costs = [100 * Fraction(card.cost) for card in found.values()]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] >= 0  # no list beats the best play
    assert found[1].proved_best
    assert not any(card.proved_best for most, card in found.items() if most > 1)
    for path in shipped_paths(game).values():
        file = read_file(path)
        if file.length in found and not file.sheet:
            ours = 100 * Fraction(found[file.length].cost)
            assert ours <= cost_on_page(file.name) + Fraction(1, 10_000), file.name


@long
def test_blackjack_found_again_as_shipped() -> None:
    sheet = sheet_of(Blackjack)
    found = short.find_short(sheet, 2)
    kept = card_store.find(sheet)
    assert kept is not None
    costs = {card.name: Fraction(card.cost) for card in kept.cards}
    for each in found.found:
        assert each.evaluation.cost == costs[f"best-{each.most}"]
