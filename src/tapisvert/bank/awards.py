"""Awards: a share of a pot is paid to whoever locks it, in the order they do.

The pot is locked, what nobody has gathered is gathered (the winner's own part is in it: the bet
precedes its win), the share is floored to the cent and taken. What is left below a cent stays;
where a pot restarts, the next one begins on top of it, funded by the house.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from tapisvert.bank import jackpot, journal, ledger, rates
from tapisvert.bank.jackpot import Leg, Pot
from tapisvert.bank.ledger import UNITS_PER_CENT, Purse, Transfer
from tapisvert.bank.rates import Rate
from tapisvert.engine.sheet import write_odds
from tapisvert.refusal import Refused
from tapisvert.store import Tx


def rate_of(tx: Tx, pot: Pot, currency: str) -> Rate | None:
    """Return the rate of a player's currency; none where the pot has the same, or none is set."""
    return None if currency == pot.currency else rates.in_force(tx, pot.id, currency)


def must_have_rate(pot: Pot, currency: str, rate: Rate | None) -> Rate | None:
    """Return the rate a player pays and is paid by, or refuse: one is needed and none is set."""
    if rate is None and currency != pot.currency:
        raise Refused("jackpot/no_rate", currency=currency)
    return rate


def award(tx: Tx, purse: Purse, pot_id: str, bet: str, share: Fraction, *, restarts: bool) -> int:
    """Pay a share of the pot; return what the winner gets, in the cents of their own currency."""
    tx.lock("jackpots", pot_id)
    pot = jackpot.gathered(tx, jackpot.load(tx, pot_id), purse.at_ms)
    cents = int(pot.units * share) // UNITS_PER_CENT
    taken = replace(
        pot,
        triggers=pot.triggers + 1,
        awarded_units=pot.awarded_units + cents * UNITS_PER_CENT,
        units=pot.units - cents * UNITS_PER_CENT,
    )
    after = _restarted(taken) if restarts else taken
    rate = must_have_rate(pot, purse.currency, rate_of(tx, pot, purse.currency))
    paid_cents = cents if rate is None else rate.convert(cents)  # once, at the win
    winner = ledger.player_account(purse.player_id)
    moved = jackpot.exchange(
        Leg(pot.account, pot.currency, cents * UNITS_PER_CENT),
        Leg(winner, purse.currency, paid_cents * UNITS_PER_CENT),
        "award",
        bet,
    )
    if restarts:
        refill = (pot.house, pot.account, after.reset_cents, "reset", bet)
        moved.append(Transfer(*refill, currency=pot.currency))
    ledger.move(tx, purse, *moved)
    _append(tx, purse, pot, after, share, rate, paid_cents)
    jackpot.keep(tx, after)
    return paid_cents


def _restarted(pot: Pot) -> Pot:
    """Return the pot that follows one that was won: refilled, and by the figures queued for it."""
    reset_cents = pot.next_reset_cents or pot.reset_cents
    return replace(
        pot,
        epoch=pot.epoch + 1,
        reset_cents=reset_cents,
        contribution=pot.next_contribution or pot.contribution,
        next_reset_cents=None,
        next_contribution=None,
        funded_units=pot.funded_units + reset_cents * UNITS_PER_CENT,
        units=pot.units + reset_cents * UNITS_PER_CENT,
    )


def _append(
    tx: Tx,
    purse: Purse,
    before: Pot,
    after: Pot,
    share: Fraction,
    rate: Rate | None,
    paid_cents: int,
) -> None:
    """Write an award down, for its winner, for the auditor and for the display."""
    units = after.awarded_units - before.awarded_units
    exact = units if rate is None else rate.convert(units)
    written = {
        "pot": before.id,
        "trigger_no": after.triggers,
        "round_id": purse.round_id,
        "at_ms": purse.at_ms,
        "epoch": before.epoch,
        "fold": before.folds,
        "share": write_odds(share),
        "before_units": before.units,
        "award_units": units,
        "reset_units": after.funded_units - before.funded_units,
        "after_units": after.units,
        "currency": purse.currency,
        "paid_cents": paid_cents,
        "rate_id": rate and rate.id,
        "rounding_units": exact - paid_cents * UNITS_PER_CENT,
    }
    places = ", ".join("?" for _ in written)
    tx.run(f"INSERT INTO awards ({', '.join(written)}) VALUES ({places})", (*written.values(),))
    journal.record(
        tx,
        purse.at_ms,
        "jackpot_won",
        player_id=purse.player_id,
        round_id=purse.round_id,
        before=jackpot.told(before),
        after={**jackpot.told(after), "trigger": after.triggers, "award_units": units},
    )


def take_back(tx: Tx, purse: Purse, bet: str) -> None:
    """Put the award of a voided round into the pot as it stands now; the house passes it on.

    What the player gives back, or owes, has gone to the house with the other results of the round.
    The pot is not locked: like a stake's part, the amount waits for the next fold.
    """
    row = tx.row(
        "SELECT pot, award_units, paid_cents, rate_id FROM awards WHERE round_id = ?",
        (purse.round_id,),
    )
    assert row is not None
    pot, units, paid_cents, rate_id = jackpot.load(tx, row[0]), *row[1:]
    rate = None if rate_id is None else rates.all_of(tx, pot.id)[rate_id]
    jackpot.append(tx, purse, pot, "void", units, price_cents=0, rate=rate)
    passed_on = Leg(pot.house, purse.currency, paid_cents * UNITS_PER_CENT)
    moved = jackpot.exchange(passed_on, Leg(pot.waiting, pot.currency, units), "award-back", bet)
    ledger.move(tx, purse, *moved)
