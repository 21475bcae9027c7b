"""Every event and refusal is told in both languages.

The kit's check `words` (tests/kit) tests that a game's options, reasons, bets and zones have words.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import tapisvert
from games.stud import is_royal, stud_deck
from tapisvert.cards import STANDARD, parse
from tapisvert.engine import AnyEvent, replay
from tapisvert.engine import events as ev
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import current
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES, catalogue, explain, tell
from tapisvert.words.catalogue import places

STUD = "casino-stud"
SOURCE = Path(tapisvert.__file__).parent

# Codes raised without a literal in a call of Refused.
RAISED_OTHERWISE = {"request/too_large"}  # web.problems, by the framework's status
RESERVED: set[str] = set()  # codes with words that nothing raises yet


def rounds(count: int, seed: int) -> Iterator[AnyEvent]:
    """Yield the events of random rounds of Casino Stud, half played, half folded."""
    chance = random.Random(seed)
    script, sheet = current(STUD).script, load(STUD)
    for place in range(count):
        deck = chance.sample(STANDARD, 52)
        choice = "play" if place % 2 or is_royal(deck[:5]) else "fold"
        stakes = {"ante": 100 * chance.randint(1, 100), "bonus": 100 * chance.randint(1, 100)}
        if place % 3 == 0:
            del stakes["bonus"]
        yield from replay(script, sheet, deck, stakes, [choice]).events


def test_every_event_of_random_rounds_can_be_told_in_both_languages() -> None:
    kinds = set()
    for event in rounds(800, seed=1):
        kinds.add(type(event))
        for language in LANGUAGES:
            sentence = tell(catalogue(language), STUD, event)
            assert sentence[-1] in ".?"
            assert "{" not in sentence
            assert "None" not in sentence
    assert kinds == {
        *(ev.Staked, ev.Dealt, ev.Revealed, ev.Named, ev.Asked, ev.Chose, ev.Said),
        *(ev.Settled, ev.Ended),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_capped_line_of_any_outcome_can_be_told(language: str) -> None:
    deck = [parse(card) for card in stud_deck("6s 6c 8h 7s 3c", "9c Qd Jh 4s 2d")]
    told = {}
    for cap in (3500, 3000, 2000, 1):
        sheet = with_changes(load(STUD), {"caps_cents.round": cap})
        for event in replay(current(STUD).script, sheet, deck, {"ante": 1000}, ["play"]).events:
            if isinstance(event, ev.Settled) and event.capped:
                told[event.outcome] = tell(catalogue(language), STUD, event)
    assert set(told) == {"part", "lost"}
    held = catalogue(language).write("event.capped")
    assert all(sentence.endswith(held) for sentence in told.values())


# Refusals -----------------------------------------------------------------------------------------


@cache
def refusals() -> list[tuple[str, str, set[str] | None]]:
    """Return the place of each Refused, its code, and its argument names (None: unknown)."""
    found = []
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) == "Refused":
                code = node.args[0]
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    given = {keyword.arg for keyword in node.keywords}
                    known = None if None in given else {name for name in given if name}
                    found.append((f"{file.name}:{node.lineno}", code.value, known))
    return found


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def test_every_refusal_brings_the_arguments_its_sentence_asks_for() -> None:
    assert len(refusals()) > 20
    for place, code, given in refusals():
        if given is not None:
            wanted = set(places(catalogue("en").templates[f"error.{code}"]))
            assert wanted <= given, f"{place}: {code} lacks {wanted - given}"


def test_every_sentence_for_a_refusal_belongs_to_a_code_that_is_raised_or_reserved() -> None:
    keys = catalogue("en").templates
    told = {key.removeprefix("error.") for key in keys if key.startswith("error.")}
    raised = {code for _, code, _ in refusals()}
    assert told - raised - RAISED_OTHERWISE - RESERVED == set()


@pytest.mark.parametrize(
    ("refused", "fr", "en"),
    [
        (
            Refused("stake/over_limit", bet="bonus", max_cents=10_000, game=STUD),
            "La mise maximale sur «\u00a0Boni 5+1\u00a0» est de 100,00\u00a0$.",
            'The maximum bet on "5+1 Bonus" is $100.00.',
        ),
        (
            Refused("stake/needs_main", bet="bonus", needs="ante", game=STUD),
            "Pour jouer «\u00a0Boni 5+1\u00a0», misez d’abord sur «\u00a0Départ\u00a0».",
            'To play "5+1 Bonus", bet on "Ante" first.',
        ),
        (
            Refused("stake/unknown", bet="{bet}", game=STUD),
            "À cette table, on ne mise pas sur «\u00a0{bet}\u00a0» avant la donne.",
            'You cannot bet on "{bet}" before the deal at this table.',
        ),
        (
            Refused("deck/invalid", cards=52),
            "Le paquet doit contenir chacune des 52 cartes exactement une fois.",
            "The deck must contain each of the 52 cards exactly once.",
        ),
    ],
    ids=lambda value: value.code if isinstance(value, Refused) else "",
)
def test_a_refusal_is_told_in_the_words_of_its_table(refused: Refused, fr: str, en: str) -> None:
    assert explain(catalogue("fr"), refused) == fr
    assert explain(catalogue("en"), refused) == en


def test_a_forbidden_choice_is_told_with_its_reason() -> None:
    refused = Refused("choice/not_legal", choice="fold", why="fold/royal", game=STUD)
    assert "royal flush cannot lose" in explain(catalogue("en"), refused)
    assert "quinte royale ne perd pas" in explain(catalogue("fr"), refused)
