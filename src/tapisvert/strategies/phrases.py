"""Rules as sentences for players, in the language of a catalogue (`rule.` in a game's words)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from tapisvert.cards import RANKS
from tapisvert.odds.vocabulary import Question, Word, Written
from tapisvert.words import catalogue
from tapisvert.words.catalogue import Catalogue

When = Mapping[str, Written | list[Written]]
Write = Callable[[str, str, str], str]  # what, language, game
_PLACE = re.compile(r"\{value(?::([^{}]+))?\}")


def says(when: When, question: Question, language: str, game: str, *, alone: bool = False) -> str:
    """Write the conditions of a rule; `alone`: of the only rule of its question.

    >>> from tapisvert.games.casino_stud.odds.vocabulary import VOCABULARY
    >>> when = {"at_least": "AKJ83", "up_at_most": "Q"}
    >>> says(when, VOCABULARY.questions["play-or-fold"], "fr", "casino-stud")
    'A-R-V-8-3 ou mieux, face à une dame ou moins'
    """
    words = catalogue(language)
    told = (_condition(words, game, *each, question) for each in when.items())
    return ", ".join(told) or words.write("rule.always" if alone else "rule.otherwise")


def does(choice: str, language: str, game: str) -> str:
    """Write the option of a rule: as its button, unless a card has words of its own for it.

    An option without words, of a game that has no cards, is written as in a file.
    """
    words = catalogue(language)
    told = (f"rule.choice.{choice}", f"option.{choice}")
    key = next((each for each in told if words.find(each, game)), "")
    return words.write(key, {}, game) if key else choice


def asks(question: str, language: str, game: str) -> str:
    """Write the heading of a question."""
    return catalogue(language).write(f"rule.question.{question}", {}, game)


def _condition(
    words: Catalogue, game: str, name: str, value: Written | list[Written], question: Question
) -> str:
    values = value if isinstance(value, list) else [value]
    exact = f"rule.word.{name}-{_plain(values[0])}"
    if len(values) == 1 and words.find(exact, game):
        template = words.write(exact, {"value": "{value}"}, game)
    else:
        template = words.find(f"rule.word.{name}", game) or f"{name} {{value}}"
    return _PLACE.sub(
        lambda place: _listed(words, game, question.words[name], values, place.group(1)), template
    )


def _plain(value: Written) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _listed(
    words: Catalogue, game: str, word: Word, values: Sequence[Written], form: str | None
) -> str:
    """Write alternatives, or cards that are all held."""
    said = [_value(words, game, value, form) for value in values]
    *most, last = said
    if not most:
        return last
    joint = "rule.and" if word.compare == "holds all" else "rule.or"
    return words.write(joint, {"0": ", ".join(most), "1": last})


def _value(words: Catalogue, game: str, value: Written, form: str | None) -> str:
    """Write one value: a rank in a form, a hand, ranks, a kind or a number."""
    if form:
        return words.write(f"{form}.{value}")
    text = str(value)
    if words.find(f"rule.value.{text}", game):
        return words.write(f"rule.value.{text}", {}, game)
    kind, _, ranks = text.partition(" ")
    if words.find(f"row.{kind}", game):
        if not ranks:
            return words.write(f"row.{kind}", {}, game)
        return words.write(f"hand.{kind}", {str(n): rank for n, rank in enumerate(ranks)}, game)
    return words.ranks(text) if isinstance(value, str) and set(text) <= set(RANKS) else text
