"""Opening a round and answering its questions. Pure: effects go to the draft."""

from __future__ import annotations

from msgspec.structs import replace

from tapisvert.bank import money
from tapisvert.dealing import CLIENT_SEED_BYTES_MAX
from tapisvert.engine import Transcript
from tapisvert.engine.stakes import check_stakes
from tapisvert.games.registry import current
from tapisvert.refusal import Refused, storable
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.eligibility import may_stake
from tapisvert.rounds.jackpot_terms import Terms
from tapisvert.rounds.pot_bets import PotBets
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest
from tapisvert.rounds.settlement import hold, settle, store


def open_round(draft: Draft, asked: OpenRequest) -> tuple[Round, Transcript]:
    """Stake on a pending deal and deal it."""
    state = draft.state
    pending, terms = _pending_deal(draft, asked)
    may_stake(state, pending.game)
    purse = state.purse(pending.id)
    placed = check_stakes(terms.sheet, asked.stakes)
    pot = PotBets(draft, purse, terms, placed)
    before = draft.balance_cents(money.player_account(purse.player_id))
    draft.open_account(money.round_account(pending.id))
    hold(draft, purse, placed)  # the stake is held before any card is dealt
    pot.contribute()  # a bet precedes its win
    played = state.tables.decks.deal(pending, terms.sheet, placed, pot.claim)
    settle(draft, purse, pending.game, played.since(len(placed)))
    opened = replace(
        pending,
        state="open",
        stakes=dict(placed),
        balance_before_cents=before,
        void_at_ms=state.now_ms + 1000 * terms.sheet.void_after_s,
    )
    return store(draft, opened, played), played


def choose(draft: Draft, round_id: str, asked: ChoiceRequest) -> tuple[Round, Transcript]:
    """Answer the question a round waits on."""
    stored = draft.state.find(round_id)
    if stored is None or stored.state in ("seated", "retired"):
        raise Refused("round/unknown", round_id=round_id)
    if stored.over and asked.step >= stored.steps_answered:
        raise Refused("round/ended", round_id=round_id)
    if asked.step != stored.steps_answered:
        raise Refused("round/stale_step", round_id=round_id, step=stored.steps_answered)
    sheet = draft.state.sheet_of(stored)
    played = draft.state.tables.decks.answer(stored, sheet, asked.choice)
    new = played.since(played.first_after(asked.step))
    settle(draft, draft.state.purse(round_id), stored.game, new)
    return store(draft, stored, played), played


def _pending_deal(draft: Draft, asked: OpenRequest) -> tuple[Round, Terms]:
    """Return the pending deal a request names, with the client seed set, and its terms."""
    state = draft.state
    found = state.find(asked.round_id)
    if found is not None and found.state == "open":
        raise Refused("round/already_open", round_id=asked.round_id)
    if found is None or found.state != "seated" or found.commitment != asked.commitment:
        raise Refused("seat/unknown")
    terms = state.terms(found.game)
    if (found.edition, found.sheet_hash) != (current(found.game).number, terms.sheet.hash):
        raise Refused("seat/stale")
    if not 1 <= len(storable(asked.client_seed).encode()) <= CLIENT_SEED_BYTES_MAX:
        raise Refused("seat/client_seed", max_bytes=CLIENT_SEED_BYTES_MAX)
    return replace(found, client_seed=asked.client_seed, opened_at_ms=state.now_ms), terms
