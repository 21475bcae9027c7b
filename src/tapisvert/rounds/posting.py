"""Events become money: the ledger follows what a round says, in the transaction that stores it.

A `staked` event moves the stake into the round's account, a `settled` event closes it; so there is
never a card without its stake or a result without its payment.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from tapisvert.bank import ledger
from tapisvert.engine import AnyEvent, Transcript
from tapisvert.engine import events as ev
from tapisvert.refusal import sure
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.records import Round, VoidReason, mark_of
from tapisvert.store import Tx


def post(tx: Tx, purse: ledger.Purse, game: str, events: Sequence[AnyEvent]) -> None:
    """Move the money these events speak of."""
    stakes: dict[str, int] = {}
    for event in events:
        if isinstance(event, ev.Staked):
            stakes[event.bet] = stakes.get(event.bet, 0) + event.cents
    moved: list[ledger.Transfer] = []
    if stakes:
        balance = ledger.balance_cents(tx, ledger.player_account(purse.player_id))
        moved += ledger.holding(purse, balance, stakes)
    awards = awarded(purse.currency, events)
    for event in events:
        if isinstance(event, ev.Settled):
            back = event.returned_cents
            if event.bet in awards:
                sure(back == awards[event.bet], "an award is paid as it was claimed")
                back = 0  # the pot has paid it all; the stake is the house's
            moved += ledger.settling(purse, f"house:{game}", event.bet, event.staked_cents, back)
    ledger.move(tx, purse, *moved)


def awarded(currency: str, events: Sequence[AnyEvent]) -> dict[str, int]:
    """Return the bets a pot has paid, and what; at play money it is the house that pays."""
    claimed = {event.bet: event.cents for event in events if isinstance(event, ev.Claimed)}
    return {} if currency == ledger.PLAY_MONEY else claimed


def keep(desk: Desk, stored: Round, played: Transcript) -> Round:
    """Store the answers so far, and the end of the round if they lead there."""
    if played.settled:
        return end(desk, stored, played)
    update(
        desk.tx,
        "UPDATE rounds SET mark = ?, answers = ?, staked_cents = ? WHERE id = ? AND state = 'open'",
        (mark_of(desk.dealer, stored), *progress(stored, played)),
    )
    return stored


def update(tx: Tx, sql: str, params: Sequence[object]) -> None:
    """Change the one row that is in the state we found it in, or undo the whole command."""
    sure(tx.run(sql, params) == 1, "a round is changed in the state it was found in")


def progress(stored: Round, played: Transcript) -> tuple[str, int, str]:
    """Return what is stored of a round as far as it has come, and its id."""
    answers = msgspec.json.encode(played.answers).decode()
    return answers, sum(played.stakes.values()), stored.id


def end(
    desk: Desk,
    stored: Round,
    played: Transcript,
    void_reason: VoidReason | None = None,
) -> Round:
    """Close the round that a replay has ended."""
    staked = sum(played.stakes.values())
    returned = sum(line.returned_cents for line in played.lines.values())
    answered = replace(stored, answers=list(played.answers))
    return close(desk, answered, void_reason, staked, returned)


def close(
    desk: Desk, stored: Round, void_reason: VoidReason | None, staked: int, returned: int
) -> Round:
    """Close a round that holds nothing any more, and reveal its seed."""
    held, mine = ledger.round_account(stored.id), ledger.player_account(stored.player_id)
    holds, balance = ledger.balances_units(desk.tx, held, mine)
    sure(holds == 0, "a round that is over holds nothing")
    ended = replace(
        stored,
        state="voided" if void_reason else "settled",
        server_seed=desk.dealer.unseal(stored.sealed_seed, stored.id),
        ended_at_ms=desk.now_ms,
        balance_after_cents=balance // ledger.UNITS_PER_CENT,
        void_reason=void_reason,
    )
    update(
        desk.tx,
        "UPDATE rounds SET state = ?, void_reason = ?, server_seed = ?, ended_at_ms = ?,"
        " returned_cents = ?, balance_after_cents = ?, mark = ?, answers = ?, staked_cents = ?"
        " WHERE id = ? AND state = 'open'",
        (
            ended.state,
            void_reason,
            ended.server_seed,
            ended.ended_at_ms,
            returned,
            ended.balance_after_cents,
            mark_of(desk.dealer, ended),
            msgspec.json.encode(ended.answers).decode(),
            staked,
            ended.id,
        ),
    )
    return ended
