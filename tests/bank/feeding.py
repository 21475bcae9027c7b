"""A pot and its players at the bank itself: no cards, and rounds as bare rows.

`Till` runs every command as one transaction of a real store. `Serial` is the reference model:
thirty lines without accounts, folds or locks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TypeVar

from rounds.guest_seat import PATIENCE_S
from tapisvert.bank import awards, jackpot, ledger, money, pot, rate_repository
from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.jackpot_audit import check_pots
from tapisvert.bank.money import Purse, Transfer
from tapisvert.bank.pot import Contribution, Pot, Stake
from tapisvert.engine.sheet import Jackpot
from tapisvert.store import Store, Tx

T = TypeVar("T")
POT, CENT, PART = "blackjack", 100_000, 2_030_843
SHARE = Fraction(2_030_843, 10_000_000)
FIGURES = Jackpot(2_000_000, SHARE)
ROYAL, STRAIGHT_FLUSH = Fraction(1), Fraction(1, 10)
NOW_MS = 1_700_000_000_000


class Till:
    """A store with a pot, and players of several currencies."""

    def __init__(self, store: Store, currency: str = "CAD", figures: Jackpot = FIGURES):
        self.store, self._rounds = store, 0
        for name in ("CAD", "EUR", "JPY"):
            self.do(partial(_player, currency=name))
        self.do(lambda tx: jackpot.open_pot(tx, POT, currency, figures, by="anne", at_ms=NOW_MS))

    def do(self, work: Callable[[Tx], T]) -> T:
        """Run work as one transaction."""
        return self.store.write(work).result(PATIENCE_S)

    def purse(self, tx: Tx, currency: str = "CAD") -> Purse:
        """Open the account of a new round; return its purse."""
        self._rounds += 1
        round_id = f"{self._rounds:032x}"
        tx.run(
            "INSERT INTO rounds (id, player_id, game, edition, sheet_hash, state, commitment,"
            " sealed_seed, server_seed, seated_at_ms, ended_at_ms)"
            " VALUES (?, ?, 'blackjack', 1, 'sheet', 'retired', ?, ?, ?, 0, 0)",
            (round_id, currency, round_id, b"", b""),
        )
        return Purse(currency, currency, NOW_MS, round_id)

    def stakes(self, tx: Tx, times: int = 1, currency: str = "CAD", cents: int = 100) -> Purse:
        """Feed the pot this many times; return the last purse."""
        fed = jackpot.load(tx, POT)
        rate = pot.must_have_rate(fed, currency, awards.rate_of(tx, fed, currency))
        for _ in range(times):
            purse = self.purse(tx, currency)
            part = contribute(tx, purse, fed, Stake("royal", cents, SHARE), rate)
            ledger.move(tx, purse, *part)
        return purse

    def wins(self, share: Fraction, currency: str = "CAD") -> int:
        """Stake and win in one transaction; return the amount paid."""

        def work(tx: Tx) -> int:
            purse = self.stakes(tx, 1, currency)
            return award(tx, purse, POT, "royal", share, restarts=share == ROYAL)

        return self.do(work)

    def fold(self) -> Pot:
        """Fold."""
        return self.do(lambda tx: jackpot.fold(tx, POT, NOW_MS))

    def pot(self) -> Pot:
        """Return the pot."""
        return self.do(lambda tx: jackpot.load(tx, POT))

    def rate(self, currency: str, written: str) -> None:
        """Set a rate."""
        home = self.pot().currency
        self.do(
            lambda tx: rate_repository.set_rate(
                tx, POT, home, currency, written, by="anne", at_ms=NOW_MS
            )
        )

    def all_there(self) -> int:
        """Check the whole pot; return its units and the units waiting to be gathered."""
        assert [*self.do(lambda tx: [*check_pots(tx)])] == []
        assert set(self.do(ledger.total_units).values()) <= {0}
        rows = self.do(lambda tx: tx.rows("SELECT units FROM contributions WHERE fold IS NULL"))
        return self.pot().units + sum(int(row[0]) for row in rows)


def contribute(tx: Tx, purse: Purse, fed: Pot, stake: Stake, rate: Rate | None) -> list[Transfer]:
    """Record a stake's contribution; return its transfers."""
    assert purse.round_id is not None
    rate_id = rate.id if rate else None
    part = Contribution(fed.id, purse.round_id, "stake", stake.price_cents, stake.units, rate_id)
    jackpot.append(tx, [part])
    return pot.contribution(fed, purse, stake, rate)


def award(tx: Tx, purse: Purse, pot_id: str, bet: str, share: Fraction, *, restarts: bool) -> int:
    """Pay a share of the pot as a claiming round does; return the amount the winner gets."""
    held = jackpot.fold(tx, pot_id, purse.at_ms)
    rate = awards.rate_of(tx, held, purse.currency)
    won = pot.award(held, purse, bet, share, rate, restarts=restarts)
    ledger.move(tx, purse, *won.transfers)
    awards.write(tx, purse, won)
    return won.paid_cents


def moves(till: Till, *reasons: str) -> list[tuple[str, str, str, int]]:
    """Return the transfers of these reasons: from, to, currency, units."""
    places = ", ".join("?" for _ in reasons)
    sql = f"SELECT debit, credit, currency, units FROM transfers WHERE reason IN ({places})"
    return [(*row,) for row in till.do(lambda tx: tx.rows(f"{sql} ORDER BY id", reasons))]


@dataclass
class Serial:
    """The pot as the rules define it, strictly serial (units of 10^-7)."""

    reset: int = 2_000_000 * CENT
    units: int = 2_000_000 * CENT
    epoch: int = 1
    won: list[int] = field(default_factory=list)  # cents, in order

    def stake(self, times: int = 1) -> None:
        """Feed the pot."""
        self.units += 2_030_843 * times

    def win(self, share: Fraction) -> int:
        """Stake and win; return the amount paid."""
        self.stake()
        cents = self.units * share.numerator // share.denominator // CENT
        self.units -= cents * CENT
        if share == ROYAL:
            self.units, self.epoch = self.units + self.reset, self.epoch + 1
        self.won.append(cents)
        return cents


def _player(tx: Tx, currency: str) -> None:
    """Create a player named after the currency."""
    tx.run(
        "INSERT INTO players (id, kind, currency, created_at_ms) VALUES (?, 'account', ?, 0)",
        (currency, currency),
    )
    ledger.open_account(tx, money.player_account(currency), currency)
    tx.run(
        "INSERT INTO sheets (hash, game, body) VALUES ('sheet', 'blackjack', ?)"
        " ON CONFLICT DO NOTHING",
        (b"",),
    )
