"""Seats, deals and choices of all five games.

The choices are not listed here: they come from the golden rounds, which walk every branch of every
script (`tests/golden/test_walk.py`). A scene is the first golden round with each kind of deal, and
with each kind of choice that continues or ends the round.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple

from crash.stage import KEY, PATIENCE_S, Give, Scene
from golden.cases.case import POT_CENTS, Case
from golden.golden import CASES, play, round_of
from rounds.guest_seat import Seated
from tapisvert.engine import Transcript
from tapisvert.engine.events import Asked
from tapisvert.games.registry import SHIPPED
from tapisvert.rounds import PlayerService
from tapisvert.rounds.schemas import ChoiceRequest, SeatRequest

GAMES = tuple(SHIPPED)
_STAKED_MAX = 20_000  # rounds about caps stake more than a guest comes in with


class Kind(NamedTuple):
    """The kind of a command: deal or choice, and whether the round goes on."""

    asked: str  # the question, or `open`
    chosen: str
    then: str

    def __str__(self) -> str:
        return " ".join(part for part in self if part)


class Turn(NamedTuple):
    """A command of a golden round: the answers before it, and its cost."""

    case: Case
    before: tuple[str, ...]
    choice: str  # none: the deal
    stake_cents: int


@cache
def turns(game: str) -> dict[Kind, Turn]:
    """Return every kind of command in a game's golden rounds, each with its first example."""
    found: dict[Kind, Turn] = {}
    for case in CASES[game].values():
        if sum(case.stakes.values()) <= _STAKED_MAX and case.pot_cents == POT_CENTS:
            for kind, turn in _turns_of(game, case):
                found.setdefault(kind, turn)
    return found


def _turns_of(game: str, case: Case) -> Iterator[tuple[Kind, Turn]]:
    golden, sheet = round_of(game, case)
    played = play(golden, sheet, 0)
    claimed = "a claim" if played.answers else ""
    yield Kind("open", claimed, _then(played)), Turn(case, (), "", 0)
    for step, choice in enumerate(golden.choices):
        question, played = played.waiting, play(golden, sheet, step + 1)
        assert isinstance(question, Asked)
        named = {option.id: option for option in question.options}
        # Two of seven cards are 21 sets, which are one kind of choice.
        kind = Kind(question.key, "two cards" if game == "pai-gow" else choice, _then(played))
        cost = named[choice].stake_cents if choice in named else 0
        yield kind, Turn(case, tuple(golden.choices[:step]), choice, cost)


def _then(played: Transcript) -> str:
    return "and end" if played.settled else "and go on"


def scenes() -> Iterator[Scene]:
    """Yield every command of a player at a table."""
    for game in GAMES:
        yield Scene(f"{game}: seat", "PlayerService.seat", partial(_seating, game))
        known = turns(game)
        for kind, turn in known.items():
            yield _at_a_table(game, f"{kind}", turn)
        dealt, *_ = (turn for turn in known.values() if not turn.choice)
        yield _at_a_table(game, "open refused for lack of money", dealt, too_poor=True)
        for raised in [turn for turn in known.values() if turn.stake_cents][:1]:
            yield _at_a_table(game, f"{raised.choice} refused for lack of money", raised, True)


def _at_a_table(game: str, name: str, turn: Turn, too_poor: bool = False) -> Scene:
    """Return the scene of a golden round's deal or choice."""

    def prepare(house: PlayerService) -> Give:
        guest = Seated(house)
        asked = guest.asking(dict(turn.case.stakes), game)
        if not turn.choice:
            if too_poor:
                guest.leave(sum(turn.case.stakes.values()) - 1)
            return lambda house: house.open(guest.token, KEY, asked).result(PATIENCE_S)
        guest.open(asked)
        for step, choice in enumerate(turn.before):
            guest.choose(asked.round_id, choice, step)
        if too_poor:
            guest.leave(turn.stake_cents - 1)
        chosen = ChoiceRequest(len(turn.before), turn.choice)
        return lambda house: house.choose(guest.token, KEY, asked.round_id, chosen, since=0).result(
            PATIENCE_S
        )

    return Scene(
        f"{game}: {name}",
        "PlayerService.choose" if turn.choice else "PlayerService.open",
        prepare,
        cards={game: turn.case.cards},
        changes={game: turn.case.changes},
    )


def _seating(game: str, house: PlayerService) -> Give:
    """Enter, then take a seat, which needs no key: there is one per player and game."""
    guest = Seated(house)
    return lambda house: house.seat(guest.token, SeatRequest(game)).result(PATIENCE_S)
