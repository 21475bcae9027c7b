"""Settlement: a round's events become transfers, in the commit that stores the round.

A `staked` event moves the stake into the round's account; a `settled` event closes it. So no card
is dealt without its stake, and no result stored without its payment. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tapisvert.bank import money
from tapisvert.bank.money import Purse, Transfer
from tapisvert.engine import AnyEvent, Transcript
from tapisvert.engine import events as ev
from tapisvert.refusal import invariant
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.round import Round, VoidReason


def hold(draft: Draft, purse: Purse, stakes: dict[str, int]) -> None:
    """Move stakes from the player to the round; refuse if the balance is too low."""
    balance = draft.balance_cents(money.player_account(purse.player_id))
    draft.move(purse, *money.holding(purse, balance, stakes))


def settle(draft: Draft, purse: Purse, game: str, events: Sequence[AnyEvent]) -> None:
    """Transfer the money of these events."""
    stakes: dict[str, int] = {}
    for event in events:
        if isinstance(event, ev.Staked):
            stakes[event.bet] = stakes.get(event.bet, 0) + event.cents
    if stakes:
        hold(draft, purse, stakes)
    awards = awarded(purse.currency, events)
    moved: list[Transfer] = []
    for event in events:
        if isinstance(event, ev.Settled):
            back = event.returned_cents
            if event.bet in awards:
                invariant(back == awards[event.bet], "a bet must return the award it claimed")
                back = 0  # the pot has paid the win; the stake goes to the house
            moved += money.settling(purse, f"house:{game}", event.bet, event.staked_cents, back)
    draft.move(purse, *moved)


def awarded(currency: str, events: Sequence[AnyEvent]) -> dict[str, int]:
    """Return the cents that a pot paid, by bet; empty for play money, which the house pays."""
    claimed = {event.bet: event.cents for event in events if isinstance(event, ev.Claimed)}
    return {} if currency == money.PLAY_MONEY else claimed


def store(draft: Draft, stored: Round, played: Transcript) -> Round:
    """Store the answers so far, and the end of the round if it is over."""
    if played.settled:
        return end(draft, stored, played)
    answered = replace(stored, answers=list(played.answers))
    return draft.change(answered, sum(played.stakes.values()))


def end(
    draft: Draft, stored: Round, played: Transcript, void_reason: VoidReason | None = None
) -> Round:
    """Close a round whose replay has ended."""
    staked = sum(played.stakes.values())
    returned = sum(line.returned_cents for line in played.lines.values())
    return close(
        draft, replace(stored, answers=list(played.answers)), void_reason, staked, returned
    )


def close(
    draft: Draft, stored: Round, void_reason: VoidReason | None, staked: int, returned: int
) -> Round:
    """Close a round that holds no money, and reveal its seed."""
    held = draft.balance_cents(money.round_account(stored.id))
    invariant(held == 0, "an ended round must hold no money")
    ended = replace(
        stored,
        state="voided" if void_reason else "settled",
        server_seed=draft.state.tables.decks.seed_of(stored),
        ended_at_ms=draft.state.now_ms,
        balance_after_cents=draft.balance_cents(money.player_account(stored.player_id)),
        void_reason=void_reason,
    )
    return draft.change(ended, staked, returned)
