"""Opening a round and answering its questions: where events become money.

The ledger follows the events: a `staked` event moves the stake into the round's account, a
`settled` event closes it. Both happen in the transaction that stores the answer, so there is
never a card without its stake or a result without its payment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from tapisvert.bank import ledger
from tapisvert.dealing import CLIENT_SEED_BYTES_MAX
from tapisvert.games import current, edition
from tapisvert.refusal import Refused, sure
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.gate import may_stake
from tapisvert.rounds.messages import ChoiceRequest, OpenRequest
from tapisvert.rounds.records import Round, deck_of, find_round, load_round, stored_sheet
from tapisvert.sheets import Sheet
from tapisvert.store import Tx
from tapisvert.table import AnyEvent, Claim, Transcript, replay
from tapisvert.table import events as ev
from tapisvert.table.stakes import check_stakes


def open_round(desk: Desk, asked: OpenRequest) -> tuple[Round, Transcript]:
    """Stake on a pending deal and deal it."""
    pending = _pending_deal(desk, asked)
    may_stake(desk, pending.game)
    sheet = desk.sheet_of(pending.game)
    purse = desk.purse(pending.id)
    before = ledger.balance_cents(desk.tx, ledger.player_account(purse.player_id))
    ledger.open_account(desk.tx, ledger.round_account(pending.id), purse.currency)
    placed = check_stakes(sheet, asked.stakes)
    ledger.hold(desk.tx, purse, before, placed)  # no card is dealt before its stake is held
    played = replay(
        edition(pending.game, pending.edition).script,
        sheet,
        deck_of(desk.dealer, pending, sheet),
        placed,
        (),
        bank=_bank(sheet),
    )
    _post(desk.tx, purse, 0, pending.game, played.events[len(placed) :])
    opened = replace(
        pending,
        state="open",
        stakes=placed,
        answers=list(played.answers),
        balance_before_cents=before,
    )
    _update(
        desk.tx,
        "UPDATE rounds SET state = 'open', client_seed = ?, stakes = ?, opened_at_ms = ?,"
        " balance_before_cents = ?, answers = ?, staked_cents = ?"
        " WHERE id = ? AND state = 'seated'",
        (
            opened.client_seed,
            msgspec.json.encode(opened.stakes).decode(),
            opened.opened_at_ms,
            before,
            *_progress(opened, played),
        ),
    )
    return (_end(desk, opened, played) if played.settled else opened), played


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
    balance = ledger.balance_cents(desk.tx, ledger.player_account(stored.player_id))
    _post(desk.tx, desk.purse(round_id), balance, stored.game, played.events[first_new:])
    answered = replace(stored, answers=list(played.answers))
    return _keep(desk, answered, played), played


def _answer(desk: Desk, stored: Round, choice: str) -> Transcript:
    played_by = edition(stored.game, stored.edition)
    sheet = stored_sheet(desk.tx, stored.sheet_hash, played_by)
    deck = deck_of(desk.dealer, stored, sheet)
    answers = (*stored.answers, choice)
    return replay(played_by.script, sheet, deck, stored.stakes, answers, bank=_bank(sheet))


def _pending_deal(desk: Desk, asked: OpenRequest) -> Round:
    """Return the pending deal that a request names, with the client's seed in it."""
    found = find_round(desk.tx, desk.player.id, asked.round_id)
    if found is not None and found.state == "open":
        raise Refused("round/already_open", round_id=asked.round_id)
    if found is None or found.state != "seated" or found.commitment != asked.commitment:
        raise Refused("seat/unknown")
    today = (current(found.game).number, desk.sheet_of(found.game).hash)
    if (found.edition, found.sheet_hash) != today:
        raise Refused("seat/stale")
    if not 1 <= len(asked.client_seed.encode()) <= CLIENT_SEED_BYTES_MAX:
        raise Refused("seat/client_seed", max_bytes=CLIENT_SEED_BYTES_MAX)
    return replace(found, client_seed=asked.client_seed, opened_at_ms=desk.now_ms)


def _post(tx: Tx, purse: ledger.Purse, balance: int, game: str, events: Sequence[AnyEvent]) -> None:
    """Move the money these events speak of."""
    stakes: dict[str, int] = {}
    for event in events:
        if isinstance(event, ev.Staked):
            stakes[event.bet] = stakes.get(event.bet, 0) + event.cents
    if stakes:
        ledger.hold(tx, purse, balance, stakes)
    for event in events:
        if isinstance(event, ev.Settled):
            ledger.settle(
                tx, purse, f"house:{game}", event.bet, event.staked_cents, event.returned_cents
            )


def _keep(desk: Desk, stored: Round, played: Transcript) -> Round:
    """Store the answers so far, and the end of the round if they lead there."""
    if played.settled:
        return _end(desk, stored, played)
    _update(
        desk.tx,
        "UPDATE rounds SET answers = ?, staked_cents = ? WHERE id = ? AND state = 'open'",
        _progress(stored, played),
    )
    return stored


def _update(tx: Tx, sql: str, params: Sequence[object]) -> None:
    """Change the one row that is in the state we found it in, or undo the whole command."""
    sure(tx.run(sql, params) == 1, "a round is changed in the state it was found in")


def _progress(stored: Round, played: Transcript) -> tuple[str, int, str]:
    answers = msgspec.json.encode(played.answers).decode()
    return answers, sum(played.stakes.values()), stored.id


def _end(desk: Desk, stored: Round, played: Transcript) -> Round:
    """Close the round and reveal its seed."""
    tx, held = desk.tx, ledger.round_account(stored.id)
    sure(ledger.balance_cents(tx, held) == 0, "a settled round holds nothing")
    ended = replace(
        stored,
        state="settled",
        server_seed=desk.dealer.unseal(stored.sealed_seed, stored.id),
        ended_at_ms=desk.now_ms,
        balance_after_cents=ledger.balance_cents(tx, ledger.player_account(stored.player_id)),
    )
    _update(
        tx,
        "UPDATE rounds SET state = 'settled', server_seed = ?, ended_at_ms = ?,"
        " returned_cents = ?, balance_after_cents = ?, answers = ?, staked_cents = ?"
        " WHERE id = ? AND state = 'open'",
        (
            ended.server_seed,
            ended.ended_at_ms,
            sum(line.returned_cents for line in played.lines.values()),
            ended.balance_after_cents,
            *_progress(ended, played),
        ),
    )
    return ended


def _bank(sheet: Sheet) -> Callable[[Claim], int]:
    """Answer claims at play money: the pot is a demonstration, always at its reset value."""
    return lambda claim: int(sheet.demonstration_pot_cents * claim.share)
