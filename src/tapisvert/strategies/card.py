"""Rules as sentences, for a card that a person can learn."""

from __future__ import annotations

from collections.abc import Iterator

from tapisvert.odds.vocabulary import Question, Vocabulary, Word, Written
from tapisvert.strategies.strategy_file import Rule, StrategyFile

OTHERWISE = "otherwise"


def conditions(rule: Rule, question: Question) -> str:
    """Write the conditions of a rule; of one without, `otherwise`."""
    said = [_condition(question.words[name], value) for name, value in rule.when.items()]
    return ", ".join(said) or OTHERWISE


def _condition(word: Word, value: Written | list[Written]) -> str:
    if isinstance(value, bool):
        return word.says if value else word.says_not
    if isinstance(value, list):
        joint = " and " if word.compare == "holds all" else " or "
        return word.says.format(joint.join(map(str, value)))
    return word.says.format(value)


def sentence(rule: Rule, question: Question) -> str:
    """Write a rule, its option first."""
    return f"{question.options[rule.choose]}: {conditions(rule, question)}"


def card(strategy: StrategyFile, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the lines of a card: every rule in order, under its question if there are several."""
    for name, question in vocabulary.questions.items():
        if len(vocabulary.questions) > 1:
            yield f"{question.asks}"
        for number, rule in enumerate(strategy.rules[name], start=1):
            said = sentence(rule, question)
            yield f"{number}. {said[0].upper()}{said[1:]}."
