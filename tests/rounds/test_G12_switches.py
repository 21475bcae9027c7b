"""G12: an operator stops new rounds for all, at one game, or of one player; open rounds go on."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from rounds.guest_seat import PATIENCE_S, Seated, refusal_of
from rounds.house_with_operator import (
    TABLES,
    Funded,
    Operator,
    finished,
    open_tables,
    opened,
    played,
    recorded,
)
from stores import both_at_length
from tapisvert.operations.switching import scope_of
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.rounds.switches import stopped_of

pytestmark = [both_at_length, pytest.mark.usefixtures("audited")]

WHY = "a figure is being checked"


def scope_for(kind: str, guest: Seated, game: str) -> str:
    return {"all": "all", "game": f"game:{game}", "player": f"player:{guest.player_id}"}[kind]


def opening(guest: Seated, game: str) -> Refused:
    return refusal_of(lambda: opened(guest, game))


@pytest.mark.parametrize("kind", ["all", "game", "player"])
def test_G12_an_open_round_may_finish_raises_included_and_the_next_start_is_refused(
    house: PlayerService, anne: Operator, kind: str
) -> None:
    for game, known in TABLES.items():
        guest = Funded(house)
        round_id, scope = opened(guest, game), scope_for(kind, guest, game)
        anne.stop(scope, WHY)
        finished(guest, game, round_id)
        assert guest.purse() == (100_000 + known.net_cents, 0), game
        refusal = opening(guest, game)
        assert (refusal.code, refusal.details) == ("play/stopped", {"scope": kind, "reason": WHY})
        assert guest.purse() == (100_000 + known.net_cents, 0), game
        anne.resume(scope, "checked")
        played(guest, game)


def test_G12_a_game_that_is_stopped_stops_no_other(house: PlayerService, anne: Operator) -> None:
    guest = Seated(house)
    anne.stop("game:blackjack", WHY)
    assert opening(guest, "blackjack").code == "play/stopped"
    for game in set(TABLES) - {"blackjack"}:
        played(guest, game)


def test_G12_a_player_who_is_stopped_stops_no_other(house: PlayerService, anne: Operator) -> None:
    guest, other = Funded(house), Seated(house)
    anne.stop(f"player:{guest.player_id}", WHY)
    for game in TABLES:
        assert opening(guest, game).code == "play/stopped"
        played(other, game)
    view = anne.player(guest.player_id)
    assert view.stopped == WHY


def test_G12_the_widest_stop_is_told_and_each_is_lifted_by_itself(
    house: PlayerService, anne: Operator
) -> None:
    guest = Funded(house)
    scopes = [scope_for(kind, guest, "blackjack") for kind in ("all", "game", "player")]
    for scope in reversed(scopes):
        anne.stop(scope, f"because of {scope}")
    for scope in scopes:
        refusal = opening(guest, "blackjack")
        assert refusal.details["reason"] == f"because of {scope}"
        anne.resume(scope, "checked")
    played(guest, "blackjack")


def test_G12_a_stop_outlasts_a_restart(
    house: PlayerService, anne: Operator, tmp_path: Path
) -> None:
    guest = Seated(house)
    anne.stop("all", WHY)
    guest.house = open_tables(tmp_path / "tapis.db")
    assert opening(guest, "casino-stud").code == "play/stopped"
    guest.house.store.close()


def test_G12_a_refused_start_leaves_the_seat_for_later(
    house: PlayerService, anne: Operator
) -> None:
    guest = Seated(house)
    seat, asked = guest.seat(), guest.asking()
    anne.stop("all", WHY)
    assert refusal_of(lambda: guest.open(asked, "first")).code == "play/stopped"
    assert guest.seat() == seat
    anne.resume("all", "checked")
    # The refusal is stored under its key like any other; a new key opens the same seat.
    assert refusal_of(lambda: guest.open(asked, "first")).code == "play/stopped"
    guest.open(asked, "second")


def test_G12_S3_each_stop_and_each_resumption_is_one_event(
    house: PlayerService, anne: Operator
) -> None:
    guest, ben = Funded(house), Operator(house, "ben")
    Seated(house)  # another player, who is not stopped
    for kind in ("player", "game", "all"):
        scope = scope_for(kind, guest, "casino-stud")
        anne.stop(scope, "first")
        anne.stop(scope, "second")
        ben.resume(scope, "checked")
        ben.resume(scope, "checked")  # there is nothing left to resume, and nothing to record
        told = [*recorded(house, "stopped")[-2:], *recorded(house, "resumed")[-1:]]
        assert [(each["by"], each["before"], each["after"], each["reason"]) for each in told] == [
            (by, {"scope": scope, "stopped": before}, {"scope": scope, "stopped": after}, why)
            for by, before, after, why in (
                ("anne", None, "first", "first"),
                ("anne", "first", "second", "second"),
                ("ben", "second", None, "checked"),
            )
        ]
        owner = guest.player_id if kind == "player" else None
        assert [each["player_id"] for each in told] == [owner] * 3
    assert (len(recorded(house, "stopped")), len(recorded(house, "resumed"))) == (6, 3)


def test_G12_what_is_stopped_is_listed_with_who_and_why(
    house: PlayerService, anne: Operator
) -> None:
    assert anne.stopped() == {}
    assert anne.stop("all", WHY) == {"all": {"scope": "all", "reason": WHY, "by": "anne"}}
    listed = anne.stop("game:ultimate", " two ")
    assert listed["game:ultimate"] == {"scope": "game:ultimate", "reason": "two", "by": "anne"}
    ben = Operator(house, "ben")
    assert ben.stopped() == listed  # to ask for it changes nothing
    assert list(ben.stopped()) == ["all", "game:ultimate"]
    assert len(recorded(house, "stopped")) == 2
    assert list(ben.resume("all", "checked")) == ["game:ultimate"]


def test_G12_of_all_stops_those_are_found_that_were_asked_for(
    house: PlayerService, anne: Operator
) -> None:
    anne.open_jackpot("blackjack", "CAD")
    mine = f"player:{Seated(house).player_id}"
    for scope in ("all", "game:ultimate", "jackpot:blackjack", mine):
        assert house.store.read(partial(scope_of, scope=scope)).result(PATIENCE_S) == scope
        anne.stop(scope, f"because of {scope}")
    asked = ["game:blackjack", "game:ultimate", mine]
    found = house.store.read(lambda tx: stopped_of(tx, asked)).result(PATIENCE_S)
    assert found == {scope: f"because of {scope}" for scope in asked[1:]}


def test_G12_a_scope_that_does_not_exist_is_refused(house: PlayerService, anne: Operator) -> None:
    Seated(house)  # a player, and not the one who is named
    wrong = ("", "ALL", "all ", "game:", "game:roulette", "game:Blackjack", "player:nobody", "x:y")
    for scope in (*wrong, "player:" + "x" * 90):
        for command in (anne.stop, anne.resume):
            refusal = refusal_of(partial(command, scope, WHY))
            assert (refusal.code, refusal.details) == ("switch/unknown", {"scope": scope[:80]})
    assert recorded(house, "stopped") == []


def test_G12_a_switch_without_a_reason_is_refused(house: PlayerService, anne: Operator) -> None:
    guest, unfit = Seated(house), ("", "   ", "x" * 501)
    for reason in unfit:
        assert refusal_of(partial(anne.stop, "all", reason)).code == "operator/reason"
    played(guest, "casino-stud")
    for reason in ("x", f" {'x' * 500} "):
        assert anne.stop("all", reason)["all"]["reason"] == reason.strip()
    for reason in unfit:
        assert refusal_of(partial(anne.resume, "all", reason)).code == "operator/reason"
    assert opening(guest, "casino-stud").code == "play/stopped"
