"""Input lines for `tapis replay`: a deck that begins with given cards, stakes, choices."""

from __future__ import annotations

import msgspec

from games.stud import Answer, ErrorTold, read_answer, refusal_of
from houses import deck_of
from stakes import stakes_on_all
from tapisvert.cards import text
from tapisvert.cli.replay import answer_line
from tapisvert.games.registry import SHIPPED
from tapisvert.sheets import load

GAMES = tuple(SHIPPED)


def whole(game: str, first: str = "") -> list[str]:
    """Return the game's deck, beginning with these cards.

    >>> len(whole("pai-gow")), whole("ultimate", "As Kd")[:3]
    (53, ['As', 'Kd', '2c'])
    """
    return [text(card) for card in deck_of(first, load(game).deck)]


def line(game: str, first: str = "", *choices: str, **other: object) -> dict[str, object]:
    """Return a request; `stakes`, `sheet`, `jackpot_cents` and `deck` are optional."""
    asked = {
        "game": game,
        "deck": whole(game, first),
        "stakes": stakes_on_all(game, 1000, 600, 300),
    }
    return {**asked, "choices": list(choices), **other}


def answered(game: str, first: str = "", *choices: str, **other: object) -> bytes:
    return answer_line(msgspec.json.encode(line(game, first, *choices, **other)))


def told(game: str, first: str, *choices: str, **other: object) -> Answer:
    """Return the answer to a request that is accepted."""
    return read_answer(answered(game, first, *choices, **other))


def refused(game: str, first: str = "", *choices: str, **other: object) -> ErrorTold:
    """Return the error of a request that is refused."""
    return refusal_of(line(game, first, *choices, **other))


def options(answer: Answer) -> dict[str, tuple[int, str | None]]:
    """Return the options of an open question: cost, and the reason if not legal."""
    assert answer.ask is not None
    for option in answer.ask.options:
        assert option.legal == (option.why_not is None)
    return {option.id: (option.stake_cents, option.why_not) for option in answer.ask.options}
