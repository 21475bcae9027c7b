"""Practice at a game: questions a player has answered, and new ones from practice decks.

A practice question comes from a deck that is shuffled for it and then discarded. It is not a round:
nothing is staked or stored, and the decks of real rounds are not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.engine import Answer, AnyEvent, Transcript, replay, view
from tapisvert.engine.events import Asked
from tapisvert.engine.sheet import Sheet
from tapisvert.games.game import Edition
from tapisvert.games.registry import current, edition, known
from tapisvert.history.round_queries import newest
from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.player_views import Waiting
from tapisvert.rounds.repository import load_round
from tapisvert.rounds.round import Round
from tapisvert.rounds.stored_sheets import stored_sheet

ROUNDS_MAX = 100
Choose = Callable[[Sequence[str]], str]


class Answered(NamedTuple):
    """A question of a finished round, the player's answer, and the number of answers before."""

    waiting: Waiting
    choice: str
    place: int


class Laid(NamedTuple):
    """The inputs of a replay up to a question."""

    deck: Sequence[Card]
    stakes: dict[str, int]
    answers: tuple[Answer, ...]


class PracticePosition(NamedTuple):
    """A practice question, the events before it, and the inputs of a replay up to it."""

    waiting: Waiting
    events: tuple[AnyEvent, ...]
    laid: Laid


def finished(context: QueryContext, game: str) -> list[str]:
    """Return the ids of the player's newest finished rounds of a game, newest first."""
    return [row[0] for row in newest(context.tx, context.player.id, ROUNDS_MAX, known(game))]


def answered(context: QueryContext, round_id: str) -> list[Answered]:
    """Return every question of a finished round, with the player's answer."""
    stored = load_round(context.tx, context.player.id, round_id)
    assert stored.over
    by = edition(stored.game, stored.edition)
    sheet = stored_sheet(context.tx, stored.sheet_hash, by)
    deck = context.dealer.decks.of(stored, sheet)
    found = []
    for place, choice in enumerate(stored.answers):
        if isinstance(choice, str):
            before = replay(by.script, sheet, deck, stored.stakes, stored.answers[:place])
            found.append(Answered(_waiting(sheet, before), choice, place))
    return found


def dealt(context: QueryContext, game: str, choose: Choose) -> Iterator[PracticePosition]:
    """Play a new deck with the answers of `choose`; yield questions with several legal options."""
    sheet, script = context.sheet_of(game), current(game).script
    deck = context.dealer.practice_deck(Deal(game, sheet.hash, "practice", ""), sheet.deck)
    stakes, answers = smallest_stakes(sheet), list[Answer]()
    while (played := replay(script, sheet, deck, stakes, answers)).waiting is not None:
        waiting = _waiting(sheet, played)
        legal = [option.id for option in waiting.ask.options if option.legal]
        if len(legal) > 1:
            yield PracticePosition(waiting, played.events, Laid(deck, stakes, tuple(answers)))
        answers.append(choose(legal))


def before(context: QueryContext, round_id: str, place: int) -> tuple[Laid, Round]:
    """Return the inputs of a replay up to a question of a finished round, and the round."""
    stored = load_round(context.tx, context.player.id, round_id)
    assert stored.over
    sheet = stored_sheet(context.tx, stored.sheet_hash, edition(stored.game, stored.edition))
    deck = context.dealer.decks.of(stored, sheet)
    return Laid(deck, stored.stakes, tuple(stored.answers[:place])), stored


def position(sheet: Sheet, by: Edition, laid: Laid) -> PracticePosition:
    """Return the question that these cards, stakes and answers lead to, or refuse."""
    played = replay(by.script, sheet, laid.deck, laid.stakes, laid.answers)
    if not isinstance(played.waiting, Asked):
        raise Refused("choice/too_many", choice="")
    return PracticePosition(_waiting(sheet, played), played.events, laid)


def smallest_stakes(sheet: Sheet) -> dict[str, int]:
    """Return the smallest stakes of a round: one main spot, and the spots that must equal it."""
    step = sheet.step_cents
    spot = next(spot for spot, at in sheet.layout.items() if at.main)
    cents = -(-sheet.spots[spot].min_cents // step) * step
    equal = [other for other, at in sheet.layout.items() if at.equals == spot]
    return dict.fromkeys((spot, *equal), cents)


def _waiting(sheet: Sheet, played: Transcript) -> Waiting:
    seen = view(played)
    assert seen.ask is not None
    return Waiting(sheet, seen.ask, seen.hands, played.stakes)
