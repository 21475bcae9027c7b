"""More play money for a guest who cannot go on."""

from __future__ import annotations

from tapisvert.bank import ledger
from tapisvert.engine.events import Asked
from tapisvert.players import FIRST_GRANT_CENTS
from tapisvert.refusal import Refused
from tapisvert.rounds import showing
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.messages import Wallet
from tapisvert.rounds.records import load_round, transcript_of


def more(desk: Desk) -> Wallet:
    """Give play money to a guest who is broke, also in the middle of a round."""
    ledger.must_be_play_money(desk.player.currency)
    balance = showing.wallet(desk).balance_cents
    if balance >= needed_cents(desk):
        raise Refused("wallet/not_broke", balance_cents=balance)
    ledger.grant(desk.tx, desk.purse(), FIRST_GRANT_CENTS)
    return showing.wallet(desk)


def needed_cents(desk: Desk) -> int:
    """Return the least a player needs to go on: the smallest stake of any table, or the dearest
    option of a question that waits.
    """
    sheets = [desk.sheet_of(game) for game in desk.offered]
    needed = min(
        sheet.spots[bet].min_cents
        for sheet in sheets
        for bet, place in sheet.layout.items()
        if place.main
    )
    for summary in showing.rounds(desk, "open", None).rounds:
        stored = load_round(desk.tx, desk.player.id, summary.id)
        question = transcript_of(desk.tx, desk.dealer, stored).waiting
        for option in question.options if isinstance(question, Asked) else ():
            if option.why_not is None:
                needed = max(needed, option.stake_cents)
    return needed
