"""Awards: a share of a pot, paid under the pot's lock, in lock order.

The pot is locked and its waiting contributions are folded in, the winner's own included: a bet
precedes its win. The share is rounded down to the cent and paid; the fraction of a cent stays in
the pot. If the pot restarts, the house adds the reset value to what is left.
"""

from __future__ import annotations

from tapisvert.bank import jackpot, journal, rate_repository
from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import UNITS_PER_CENT, Purse
from tapisvert.bank.pot import Award, PaidAward, Pot, journal_fields
from tapisvert.engine.sheet import write_odds
from tapisvert.store import Row, Tx


def rate_of(tx: Tx, pot: Pot, currency: str) -> Rate | None:
    """Return the rate of a player's currency; None if it is the pot's, or no rate is set."""
    return None if currency == pot.currency else rate_repository.in_force(tx, pot.id, currency)


def after(tx: Tx, pot_id: str, trigger: int) -> list[Row]:
    """Return number, time and units of a pot's awards numbered above `trigger`, in order."""
    return tx.rows(
        "SELECT trigger_no, at_ms, award_units FROM awards WHERE pot = ? AND trigger_no > ?"
        " ORDER BY trigger_no",
        (pot_id, trigger),
    )


def write(tx: Tx, purse: Purse, award: Award) -> None:
    """Write the award row, the pot's new state and the journal event.

    The transfers are already written; the stored pot must match its account.
    """
    before, after = award.before, award.after
    units = after.awarded_units - before.awarded_units
    exact = units if award.rate is None else award.rate.convert(units)
    written = {
        "pot": before.id,
        "trigger_no": after.triggers,
        "round_id": purse.round_id,
        "at_ms": purse.at_ms,
        "epoch": before.epoch,
        "fold": before.folds,
        "share": write_odds(award.share),
        "before_units": before.units,
        "award_units": units,
        "reset_units": after.funded_units - before.funded_units,
        "after_units": after.units,
        "currency": purse.currency,
        "paid_cents": award.paid_cents,
        "rate_id": award.rate and award.rate.id,
        "rounding_units": exact - award.paid_cents * UNITS_PER_CENT,
    }
    places = ", ".join("?" for _ in written)
    tx.run(f"INSERT INTO awards ({', '.join(written)}) VALUES ({places})", (*written.values(),))
    jackpot.save(tx, after)
    journal.record(
        tx,
        purse.at_ms,
        "jackpot_won",
        player_id=purse.player_id,
        round_id=purse.round_id,
        before=journal_fields(before),
        after={**journal_fields(after), "trigger": after.triggers, "award_units": units},
    )


def paid_to(tx: Tx, round_id: str) -> PaidAward | None:
    """Return the award that a round has won, or None."""
    row = tx.row(
        "SELECT pot, award_units, paid_cents, rate_id FROM awards WHERE round_id = ?", (round_id,)
    )
    return PaidAward(*row) if row else None
