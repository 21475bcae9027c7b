"""Rules as sentences in English, for a card that a person can learn; `phrases` has the words."""

from __future__ import annotations

from collections.abc import Iterator

from tapisvert.odds.vocabulary import Question, Vocabulary
from tapisvert.strategies.phrases import does, says
from tapisvert.strategies.strategy_file import Rule, StrategyFile

OTHERWISE = "otherwise"
_LANGUAGE = "en"


def conditions(rule: Rule, question: Question, game: str) -> str:
    """Write the conditions of a rule, or `otherwise` for a rule without conditions."""
    return says(rule.when, question, _LANGUAGE, game) if rule.when else OTHERWISE


def card(strategy: StrategyFile, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the lines of a card: every rule in order, under its question if there are several."""
    game = strategy.game
    for name, question in vocabulary.questions.items():
        if len(vocabulary.questions) > 1:
            yield question.asks
        for number, rule in enumerate(strategy.rules[name], start=1):
            chosen = does(rule.choose, _LANGUAGE, game)
            yield f"{number}. {chosen}: {conditions(rule, question, game)}."
