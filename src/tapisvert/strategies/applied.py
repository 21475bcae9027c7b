"""The rule of a strategy that applies to a position at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from tapisvert.engine.sheet import Sheet
from tapisvert.lab.mathematics import mathematics_of
from tapisvert.odds.mathematics import Position
from tapisvert.odds.vocabulary import AtTable, Word, Written
from tapisvert.strategies.card_store import Applied, CardRule, SheetCards, find
from tapisvert.strategies.evaluation import compare
from tapisvert.strategies.strategy_file import numbers


def on_cards(sheet: Sheet, position: Position) -> list[Applied]:
    """Return, for each card of the sheet, the rules that apply to a position.

    There is one rule for each question that the position may raise. The list is empty if no card
    was counted for the sheet.
    """
    cards, vocabulary = find(sheet), mathematics_of(sheet).vocabulary
    if cards is None or vocabulary is None or vocabulary.see is None:
        return []
    seen = [each._replace(column=cache(each.column)) for each in vocabulary.see(sheet, position)]
    words = {name: question.words for name, question in vocabulary.questions.items()}
    return [found for each in seen for found in _applied(cards, each, words[each.question])]


def _applied(cards: SheetCards, seen: AtTable, words: Mapping[str, Word]) -> list[Applied]:
    """Return the rule of each card that decides a question."""
    found = []
    for card in cards.cards:
        rules = [rule for rule in card.rules if rule.question == seen.question]
        place = first(rules, seen, words)
        rule = rules[place]
        found.append(Applied(card.name, rule.question, rule.number, seen.option(rule.choose)))
    return found


def first(rules: Sequence[CardRule], seen: AtTable, words: Mapping[str, Word]) -> int:
    """Return the place of the first rule whose conditions all hold; the last rule has none."""

    def holds(name: str, value: Written | list[Written]) -> bool:
        word = words[name]
        return bool(compare(word, seen.column(word.column), numbers(word, value))[0])

    for place, rule in enumerate(rules):
        if all(holds(name, value) for name, value in rule.when.items()):
            return place
    return len(rules) - 1
