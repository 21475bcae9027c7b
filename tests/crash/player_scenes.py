"""Players' commands away from the cards, refused commands, and several commands in one commit."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

from crash.stage import KEY, PATIENCE_S, Give, Repeat, Scene
from rounds.guest_seat import Seated
from rounds.house_with_operator import TABLES, act, opened, played
from store.spies import busy
from tapisvert.learning import practice
from tapisvert.learning.practice_repository import PracticeQuestion, Source, Worth, ask
from tapisvert.rounds import PlayerService
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.own_rules import RulesRequest
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, SeatRequest
from tapisvert.store import SqliteStore

STUD = "casino-stud"


def scenes() -> Iterator[Scene]:
    """Yield every other command of a player."""
    # A guest whose reply was lost is unused: the next one gets new money.
    yield Scene("players: guest", "PlayerService.guest", _guest, Repeat.ANOTHER)
    figures = {STUD: {"spots.ante.max_cents": 7_000}}
    yield Scene(
        "players: seat, the rules have changed", "PlayerService.seat", _seat, new_changes=figures
    )
    yield Scene("players: more play money", "PlayerService.more_play_money", _more(broke=True))
    yield Scene(
        "players: more refused, not broke", "PlayerService.more_play_money", _more(broke=False)
    )
    yield Scene("players: mark seen", "PlayerService.mark_seen", _seen)
    yield Scene("players: choose rules", "PlayerService.choose_rules", _rules)
    yield Scene("players: answer in practice", "PlayerService.change", _practise)
    yield Scene("players: open refused by a switch", "PlayerService.open", _stopped)
    yield Scene("players: open refused, one is open", "PlayerService.open", _already_open)
    yield Scene(
        "players: choice refused, not offered", "PlayerService.choose", _choice("surrender", 0)
    )
    yield Scene("players: choice refused, another step", "PlayerService.choose", _choice("play", 1))
    yield Scene("players: three commands, one commit", "PlayerService.choose", _three, busy=1)


def _guest(house: PlayerService) -> Give:
    return lambda house: house.guest().result(PATIENCE_S)


def _seat(house: PlayerService) -> Give:
    guest = Seated(house)
    guest.seat()  # whose seed is revealed when the table is played by other figures
    return lambda house: house.seat(guest.token, SeatRequest(STUD)).result(PATIENCE_S)


def _more(*, broke: bool) -> Any:
    def prepare(house: PlayerService) -> Give:
        guest = Seated(house)
        opened(guest, STUD)
        guest.leave(0 if broke else 50_000)
        return lambda house: house.more_play_money(guest.token, KEY).result(PATIENCE_S)

    return prepare


def _seen(house: PlayerService) -> Give:
    guest = Seated(house)
    round_id = played(guest, STUD)
    return lambda house: house.mark_seen(guest.token, round_id).result(PATIENCE_S)


def _rules(house: PlayerService) -> Give:
    guest = Seated(house)
    guest.seat()  # which the rules retire
    asked = RulesRequest("flush-6")
    return lambda house: house.choose_rules(guest.token, STUD, asked).result(PATIENCE_S)


def _practise(house: PlayerService) -> Give:
    """Answer a question of practice wrongly, which makes a card of it."""
    guest = Seated(house)
    asked = PracticeQuestion(
        id="question",
        theme="pair",
        wanted=None,
        position="position",
        card=None,
        source=Source("", {"ante": 100}, ()),
        worth=Worth(0, {"play": 1.0, "fold": -1.0}, 100, None),
        because_round=None,
        because_cost=None,
    )
    house.change(
        guest.token, lambda context: ask(context.tx, context.player.id, STUD, asked)
    ).result(PATIENCE_S)

    def work(context: QueryContext) -> object:
        return practice.answer(context, STUD, "question", "fold", 0)

    return lambda house: house.change(guest.token, work).result(PATIENCE_S)


def _stopped(house: PlayerService) -> Give:
    guest = Seated(house)
    asked = guest.asking(TABLES[STUD].stakes)
    act(house, lambda operator: operator.stop(f"game:{STUD}", "a figure is being checked"))
    return lambda house: house.open(guest.token, KEY, asked).result(PATIENCE_S)


def _already_open(house: PlayerService) -> Give:
    guest = Seated(house)
    opened(guest, STUD)
    seat = guest.seat()
    asked = OpenRequest(seat.round_id, seat.commitment, TABLES[STUD].stakes, "seed")
    return lambda house: house.open(guest.token, KEY, asked).result(PATIENCE_S)


def _choice(choice: str, step: int) -> Any:
    def prepare(house: PlayerService) -> Give:
        guest = Seated(house)
        round_id = opened(guest, STUD)
        chosen = ChoiceRequest(step, choice)
        return lambda house: house.choose(guest.token, KEY, round_id, chosen, 0).result(PATIENCE_S)

    return prepare


def _three(house: PlayerService) -> Give:
    """Queue commands of three players behind a busy writer, so that they share a commit."""
    ann, bea, cy = Seated(house), Seated(house), Seated(house)
    asked, round_id = ann.asking(TABLES[STUD].stakes), opened(bea, STUD)
    cy.leave(0)

    def give(house: PlayerService) -> list[object]:
        assert isinstance(house.store, SqliteStore)
        with busy(house.store):
            queued: list[Future[Any]] = [
                house.open(ann.token, KEY, asked),
                house.choose(bea.token, KEY, round_id, ChoiceRequest(0, "play"), 0),
                house.more_play_money(cy.token, KEY),
            ]
        return [each.result(PATIENCE_S) for each in queued]

    return give
