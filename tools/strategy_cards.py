"""Counts the strategy cards of the shipped sheets; writes `card.json` of each game.

    python tools/strategy_cards.py [--check] [--texts] [GAME...]

A game's `card.toml` names its card: the lengths to search, and strategies of its own. Every figure
is counted over all deals: seconds at Casino Stud and High Card Flush, minutes elsewhere. With
`--check` nothing is written; the exit code is 1 if a card differs. `--texts` writes the sentences
anew after a change of words.
"""

from __future__ import annotations

import argparse
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct, convert
from msgspec.structs import replace

from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.lab.proof_store import ratio
from tapisvert.odds.vocabulary import Vocabulary
from tapisvert.sheets import load
from tapisvert.strategies import card_store, phrases
from tapisvert.strategies.card_store import CardRule, SheetCards, StrategyCard, Texts
from tapisvert.strategies.evaluation import Evaluation, RuleCost, evaluate, vocabulary_of
from tapisvert.strategies.short import find_short
from tapisvert.strategies.strategy_file import read_file, shipped
from tapisvert.words import LANGUAGES

PLAN = "card.toml"  # in a game's folder


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """What belongs to the card of a game."""

    first: str
    lengths: int = 0  # of the strategies to search: one rule up to so many
    strategies: tuple[str, ...] = ()  # shipped with the game
    chart: bool = False


def plan_of(game: str) -> Plan | None:
    """Return the plan of a game's card, or None."""
    path = GAMES[game].folder / PLAN
    return convert(tomllib.loads(path.read_text("utf-8")), Plan) if path.is_file() else None


def cards_of(sheet: Sheet, plan: Plan) -> SheetCards:
    """Count the card of a sheet."""
    vocabulary = vocabulary_of(sheet)
    found = sorted(_counted(sheet, vocabulary, plan), key=lambda card: card.length)
    return written_anew(sheet, SheetCards(sheet.hash, plan.first, plan.chart, tuple(found)))


def _counted(sheet: Sheet, vocabulary: Vocabulary, plan: Plan) -> Iterator[StrategyCard]:
    if plan.lengths:
        for each in find_short(sheet, plan.lengths).found:
            name = f"best-{each.most}"
            yield card_of(each.evaluation, name, proved_best=each.proved)
    if plan.strategies:
        counted = vocabulary.count(sheet, lambda done: None)
        for name in plan.strategies:
            file = read_file(shipped(sheet.game)[name])
            yield card_of(evaluate(file, vocabulary, counted), name)


def card_of(found: Evaluation, name: str, *, proved_best: bool | None = None) -> StrategyCard:
    """Return an evaluated strategy as a card without sentences."""
    file = found.strategy
    return StrategyCard(
        name=name,
        length=file.length,
        proved_best=proved_best,
        title=file.title if proved_best is None else {},
        asks={},
        edge=ratio(found.figure.edge),
        cost=ratio(found.cost),
        rules=tuple(map(rule_of, found.rules)),
        address=file.source.address if file.source else "",
    )


def rule_of(each: RuleCost) -> CardRule:
    """Return a rule without sentences."""
    cost = ratio(each.cost)
    return CardRule(each.question, each.number, each.rule.when, each.rule.choose, {}, {}, cost)


def with_texts(game: str, vocabulary: Vocabulary, card: StrategyCard) -> StrategyCard:
    """Write the sentences of a card anew, in every language."""
    asked = Counter(rule.question for rule in card.rules)

    def told(rule: CardRule) -> CardRule:
        question, alone = vocabulary.questions[rule.question], asked[rule.question] == 1
        says = {
            language: phrases.says(rule.when, question, language, game, alone=alone)
            for language in LANGUAGES
        }
        return replace(rule, says=says, does=_texts(phrases.does, rule.choose, game))

    asks = {each: _texts(phrases.asks, each, game) for each in asked if len(asked) > 1}
    return replace(card, asks=asks, rules=tuple(map(told, card.rules)))


def written_anew(sheet: Sheet, found: SheetCards) -> SheetCards:
    """Write all sentences of the cards of a sheet anew; the figures stay."""
    vocabulary = vocabulary_of(sheet)
    return replace(
        found, cards=tuple(with_texts(sheet.game, vocabulary, card) for card in found.cards)
    )


def _texts(write: phrases.Write, what: str, game: str) -> Texts:
    return {language: write(what, language, game) for language in LANGUAGES}


def main(games: Sequence[str], *, check: bool, texts: bool) -> int:
    """Write the cards of these games, or compare them."""
    changed = 0
    for game in games:
        plan, started = plan_of(game), time.perf_counter()
        if plan is None:
            continue
        sheet = load(game)
        kept = card_store.find(sheet)
        found = written_anew(sheet, kept) if texts and kept else cards_of(sheet, plan)
        same = found == kept
        changed += not same
        if not check:
            card_store.write(Path(GAMES[game].folder) / card_store.SHIPPED, sheet, found)
        told = "as shipped" if same else "NOT as shipped" if check else "written anew"
        print(f"{game}: {told}, {time.perf_counter() - started:.1f} s", flush=True)
    return int(check and changed > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(SHIPPED))
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--texts", action="store_true", help="only the sentences; count nothing")
    asked = parser.parse_args()
    sys.exit(main(asked.games or list(SHIPPED), check=asked.check, texts=asked.texts))
