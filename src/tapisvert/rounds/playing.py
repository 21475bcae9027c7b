"""Opening a round and answering its questions."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from tapisvert.bank import ledger
from tapisvert.dealing import CLIENT_SEED_BYTES_MAX
from tapisvert.engine import Transcript, replay
from tapisvert.engine import events as ev
from tapisvert.engine.stakes import check_stakes
from tapisvert.games.registry import current, edition
from tapisvert.refusal import Refused, storable
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.gate import may_stake
from tapisvert.rounds.messages import ChoiceRequest, OpenRequest
from tapisvert.rounds.posting import end, keep, post, progress, update
from tapisvert.rounds.pots import Bets, Terms
from tapisvert.rounds.records import (
    Round,
    deck_of,
    find_round,
    load_round,
    mark_of,
    stored_sheet,
)


def open_round(desk: Desk, asked: OpenRequest) -> tuple[Round, Transcript]:
    """Stake on a pending deal and deal it."""
    pending, terms = _pending_deal(desk, asked)
    stopped = may_stake(desk, pending.game)
    sheet = terms.sheet
    purse = desk.purse(pending.id)
    before = ledger.balance_cents(desk.tx, ledger.player_account(purse.player_id))
    ledger.open_account(desk.tx, ledger.round_account(pending.id), purse.currency)
    placed = check_stakes(sheet, asked.stakes)
    pot = Bets(desk.tx, purse, terms, placed, stopped)
    # No card is dealt before its stake is held, and a bet precedes its win.
    ledger.move(desk.tx, purse, *ledger.holding(purse, before, placed), *pot.contribute())
    played = replay(
        edition(pending.game, pending.edition).script,
        sheet,
        deck_of(desk.dealer, pending, sheet),
        placed,
        (),
        bank=pot.claim,
    )
    post(desk.tx, purse, pending.game, played.events[len(placed) :])
    opened = replace(
        pending,
        state="open",
        stakes=placed,
        answers=list(played.answers),
        balance_before_cents=before,
        void_at_ms=desk.now_ms + 1000 * sheet.void_after_s,
    )
    update(
        desk.tx,
        "UPDATE rounds SET state = 'open', client_seed = ?, stakes = ?, opened_at_ms = ?,"
        " balance_before_cents = ?, void_at_ms = ?, mark = ?, answers = ?, staked_cents = ?"
        " WHERE id = ? AND state = 'seated'",
        (
            opened.client_seed,
            msgspec.json.encode(opened.stakes).decode(),
            opened.opened_at_ms,
            before,
            opened.void_at_ms,
            mark_of(desk.dealer, opened),
            *progress(opened, played),
        ),
    )
    return (end(desk, opened, played) if played.settled else opened), played


def choose(desk: Desk, round_id: str, asked: ChoiceRequest) -> tuple[Round, Transcript]:
    """Answer the question a round waits on."""
    stored = load_round(desk.tx, desk.player.id, round_id)
    if stored.over and asked.step >= stored.steps_answered:
        raise Refused("round/ended", round_id=round_id)
    if asked.step != stored.steps_answered:
        raise Refused("round/stale_step", round_id=round_id, step=stored.steps_answered)
    played = _answer(desk, stored, asked.choice)
    first_new = next(
        event.n
        for event in played.events
        if isinstance(event, ev.Chose) and event.step == asked.step
    )
    post(desk.tx, desk.purse(round_id), stored.game, played.events[first_new:])
    answered = replace(stored, answers=list(played.answers))
    return keep(desk, answered, played), played


def _answer(desk: Desk, stored: Round, choice: str) -> Transcript:
    played_by = edition(stored.game, stored.edition)
    sheet = stored_sheet(desk.tx, stored.sheet_hash, played_by)
    deck = deck_of(desk.dealer, stored, sheet)
    answers = (*stored.answers, choice)
    # No bank: what is claimed is claimed at the deal, and its answer is recorded.
    return replay(played_by.script, sheet, deck, stored.stakes, answers)


def _pending_deal(desk: Desk, asked: OpenRequest) -> tuple[Round, Terms]:
    """Return the pending deal that a request names, with the client's seed in it, and its terms."""
    found = find_round(desk.tx, desk.player.id, asked.round_id)
    if found is not None and found.state == "open":
        raise Refused("round/already_open", round_id=asked.round_id)
    if found is None or found.state != "seated" or found.commitment != asked.commitment:
        raise Refused("seat/unknown")
    terms = desk.terms(desk.must_offer(found.game))
    if (found.edition, found.sheet_hash) != (current(found.game).number, terms.sheet.hash):
        raise Refused("seat/stale")
    if not 1 <= len(storable(asked.client_seed).encode()) <= CLIENT_SEED_BYTES_MAX:
        raise Refused("seat/client_seed", max_bytes=CLIENT_SEED_BYTES_MAX)
    return replace(found, client_seed=asked.client_seed, opened_at_ms=desk.now_ms), terms
