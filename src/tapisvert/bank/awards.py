"""Awards: a share of a pot is paid under its lock, in the order of the locks.

The pot is locked, what nobody has gathered is gathered (the winner's own part is in it: the bet
precedes its win), the share is floored to the cent and taken. What is left below a cent stays;
where a pot restarts, the next one begins on top of it, funded by the house.
"""

from __future__ import annotations

from tapisvert.bank import jackpot, journal, ledger, rate_repository
from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import UNITS_PER_CENT, Purse
from tapisvert.bank.pot import Award, Contribution, Leg, Pot, exchange, told
from tapisvert.engine.sheet import write_odds
from tapisvert.store import Tx


def rate_of(tx: Tx, pot: Pot, currency: str) -> Rate | None:
    """Return the rate of a player's currency; none where the pot has the same, or none is set."""
    return None if currency == pot.currency else rate_repository.in_force(tx, pot.id, currency)


def write(tx: Tx, purse: Purse, award: Award) -> None:
    """Write an award down, for its winner, for the auditor and for the display.

    Its money has moved: the pot is stored as its account stands.
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
    jackpot.keep(tx, after)
    journal.record(
        tx,
        purse.at_ms,
        "jackpot_won",
        player_id=purse.player_id,
        round_id=purse.round_id,
        before=told(before),
        after={**told(after), "trigger": after.triggers, "award_units": units},
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
    assert purse.round_id is not None
    jackpot.append(tx, [Contribution(pot.id, purse.round_id, "void", 0, units, rate_id)])
    passed_on = Leg(pot.house, purse.currency, paid_cents * UNITS_PER_CENT)
    moved = exchange(passed_on, Leg(pot.waiting, pot.currency, units), "award-back", bet)
    ledger.move(tx, purse, *moved)
