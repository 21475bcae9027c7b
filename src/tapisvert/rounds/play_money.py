"""More play money for a broke guest. Pure: effects go to the draft."""

from __future__ import annotations

from tapisvert.bank import money
from tapisvert.bank.money import Transfer
from tapisvert.engine.events import Asked
from tapisvert.players.player import FIRST_GRANT_CENTS
from tapisvert.refusal import Refused
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.schemas import Wallet


def more(draft: Draft) -> Wallet:
    """Grant play money to a broke guest, also in the middle of a round."""
    player = draft.state.player
    money.must_be_play_money(player.currency)
    balance = draft.wallet().balance_cents
    if balance >= needed_cents(draft):
        raise Refused("wallet/not_broke", balance_cents=balance)
    mine = money.player_account(player.id)
    grant = Transfer(f"cashier:{player.currency}", mine, FIRST_GRANT_CENTS, "grant")
    draft.move(draft.state.purse(), grant)
    return draft.wallet()


def needed_cents(draft: Draft) -> int:
    """Return the balance needed to go on: the smallest stake of any table or, if greater, the
    dearest option of an open question.
    """
    tables = draft.state.tables
    needed = min(
        sheet.spots[bet].min_cents
        for sheet in map(draft.state.house_sheet, tables.offered)
        for bet, place in sheet.layout.items()
        if place.main
    )
    for stored in draft.rounds.values():
        if stored.state == "open":
            question = tables.decks.replay(stored, draft.state.sheet_of(stored)).waiting
            for option in question.options if isinstance(question, Asked) else ():
                if option.why_not is None:
                    needed = max(needed, option.stake_cents)
    return needed
