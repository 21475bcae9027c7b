"""Taking a seat: the house commits to the next deal before anything is staked.

There is one pending deal per player and game. It is stored sealed before it is shown and stays
the same in every tab and after every failed attempt to open it, so asking again never gets
another deck. When the table's rules change, the pending deal is retired and revealed, and a new
seed is drawn: the sheet is part of the shuffle, so a house that could put another sheet under a
seed after seeing the client's would have a choice of decks.
"""

from __future__ import annotations

from msgspec.structs import replace

from tapisvert.bank.covered import SEAT, digest
from tapisvert.dealing import commitment
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import current
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.messages import RetiredSeat, Seat
from tapisvert.rounds.records import find_any, keep_sheet, mark_of


def take_seat(desk: Desk, game: str, kept_sheet: str = "") -> Seat:
    """Return the player's pending deal at a game, drawing one if there is none.

    `kept_sheet` is the hash of a sheet that is known to be stored: it is not stored again.
    """
    desk.dealer.must_work()
    sheet = desk.sheet(desk.must_offer(game))
    number, name = current(game).number, sheet.hash
    row = desk.tx.row(
        "SELECT id, commitment, edition, sheet_hash, replaces FROM rounds"
        " WHERE player_id = ? AND game = ? AND state = 'seated'",
        (desk.player.id, game),
    )
    if row is None:
        return _new_seat(desk, sheet, None, kept_sheet)
    round_id, promise, *played_by, replaces = row
    if played_by != [number, name]:
        return _new_seat(desk, sheet, round_id, kept_sheet)
    return Seat(round_id, game, promise, number, name, _retired(desk, replaces))


def _retire(desk: Desk, round_id: str) -> None:
    """Reveal the seed of a pending deal that will never be dealt."""
    pending = find_any(desk.tx, round_id)
    assert pending is not None
    retired = replace(
        pending,
        state="retired",
        server_seed=desk.dealer.unseal(pending.sealed_seed, round_id),
        ended_at_ms=desk.now_ms,
    )
    desk.tx.run(
        "UPDATE rounds SET state = 'retired', server_seed = ?, ended_at_ms = ?, mark = ?"
        " WHERE id = ? AND state = 'seated'",
        (retired.server_seed, desk.now_ms, mark_of(desk.dealer, retired), round_id),
    )


def _retired(desk: Desk, round_id: str | None) -> RetiredSeat | None:
    row = round_id and desk.tx.row(
        "SELECT id, commitment, server_seed FROM rounds WHERE id = ?", (round_id,)
    )
    return RetiredSeat(row[0], row[1], row[2].hex()) if row else None


def _new_seat(desk: Desk, sheet: Sheet, replaces: str | None, kept_sheet: str) -> Seat:
    """Draw and store a deal; all randomness first, so that a failing source changes nothing."""
    seed, round_id = desk.dealer.seed(), desk.dealer.id()
    sealed = desk.dealer.seal(seed, round_id)
    if replaces is not None:
        _retire(desk, replaces)
    if sheet.hash != kept_sheet:
        keep_sheet(desk.tx, sheet)
    seat = Seat(
        round_id,
        sheet.game,
        commitment(seed),
        current(sheet.game).number,
        sheet.hash,
        _retired(desk, replaces),
    )
    written = (
        seat.round_id,
        desk.player.id,
        seat.game,
        seat.edition,
        seat.sheet_hash,
        seat.commitment,
        desk.now_ms,
        replaces,
    )
    (number,) = desk.tx.numbers(
        f"INSERT INTO rounds ({', '.join(SEAT)}, state, sealed_seed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'seated', ?)",
        (*written, sealed),
        number="seq",
    )
    desk.tx.cover("rounds", number, digest(written))
    return seat
