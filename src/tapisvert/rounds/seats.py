"""Taking a seat: the house commits to the next deal before anything is staked.

A player has one pending deal per game. It is sealed and stored before it is shown. It stays the
same in every tab and after every failed attempt to open it, so a repeated request never gets
another deck. When the table's rules change, the pending deal is retired and revealed, and a new
seed is drawn. The sheet is an input of the shuffle: a house that could change the sheet after it
sees the client seed could choose among decks. Pure: effects go to the draft.
"""

from __future__ import annotations

from msgspec.structs import replace

from tapisvert.dealing import commitment
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import current
from tapisvert.refusal import Refused
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import RetiredSeat, Seat


def take_seat(draft: Draft, game: str) -> Seat:
    """Return the player's pending deal at a game; create one if there is none."""
    if isinstance(draft.state.drawn, Refused):
        raise draft.state.drawn
    sheet = draft.state.terms(game).sheet
    pending = next(
        (each for each in draft.rounds.values() if (each.game, each.state) == (game, "seated")),
        None,
    )
    played_by = (current(game).number, sheet.hash)
    if pending is None or (pending.edition, pending.sheet_hash) != played_by:
        pending = _new_seat(draft, sheet, pending)
    retired = draft.rounds.get(pending.replaces or "")
    return Seat(
        pending.id,
        game,
        pending.commitment,
        pending.edition,
        pending.sheet_hash,
        _shown(retired) if retired else None,
    )


def _shown(retired: Round) -> RetiredSeat:
    assert retired.server_seed is not None
    return RetiredSeat(retired.id, retired.commitment, retired.server_seed.hex())


def _new_seat(draft: Draft, sheet: Sheet, replaced: Round | None) -> Round:
    """Store a new deal from the bytes drawn for this command; retire the deal it replaces."""
    state = draft.state
    assert not isinstance(state.drawn, Refused)
    if replaced is not None:
        seed = state.tables.decks.seed_of(replaced)
        draft.change(replace(replaced, state="retired", server_seed=seed, ended_at_ms=state.now_ms))
    drawn = state.drawn
    seat = Round(
        id=drawn.round_id,
        player_id=state.player.id,
        game=sheet.game,
        edition=current(sheet.game).number,
        sheet_hash=sheet.hash,
        state="seated",
        commitment=commitment(drawn.seed),
        sealed_seed=state.tables.decks.seal(drawn.seed, drawn.round_id, drawn.nonce),
        seated_at_ms=state.now_ms,
        replaces=replaced.id if replaced else None,
    )
    draft.take_seat(seat, sheet)
    return seat
