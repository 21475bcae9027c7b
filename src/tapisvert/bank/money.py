"""Transfers of money as values: between named accounts, in cents or units of 10^-7.

Pure: what is decided here is written by the ledger (bank/ledger.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tapisvert.refusal import Refused

UNITS_PER_CENT = 100_000
UNITS_MAX = 2**63 - 1  # what a column counts to
PLAY_MONEY = "FUN"
_CURRENCY = re.compile("[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Transfer:
    """One movement of money."""

    debit: str
    credit: str
    cents: int
    reason: str  # grant, deposit, withdrawal, stake, return, win, loss, reversal, debt, debt-paid;
    # and of a pot: contribution, fold, award, award-back, reset
    bet: str | None = None
    more_units: int = 0  # beyond the cents: only pots and the house's side count them
    currency: str = ""  # where it is not the purse's: of a pot

    @property
    def units(self) -> int:
        """Return what is moved, as the ledger counts."""
        return self.cents * UNITS_PER_CENT + self.more_units


def in_units(
    debit: str, credit: str, units: int, reason: str, bet: str | None = None, currency: str = ""
) -> Transfer:
    """Return a transfer of so many units."""
    cents, more = divmod(units, UNITS_PER_CENT)
    return Transfer(debit, credit, cents, reason, bet, more, currency)


@dataclass(frozen=True, slots=True)
class Purse:
    """Whose money moves, in what currency, when, and for which round."""

    player_id: str  # "" where the house moves its own
    currency: str
    at_ms: int
    round_id: str | None = None


Movement = tuple[Purse, Transfer]


@dataclass(frozen=True, slots=True)
class AccountBalances:
    """What accounts hold, to the unit, and the last link of their players' chains."""

    units: Mapping[str, int]  # by account; one that was not opened is left out
    last: Mapping[str, bytes]  # by player


def player_account(player_id: str) -> str:
    """Name a player's account."""
    return f"player:{player_id}"


def round_account(round_id: str) -> str:
    """Name the account that holds a round's stakes."""
    return f"round:{round_id}"


def debt_account(player_id: str) -> str:
    """Name the account of what a player owes."""
    return f"debt:{player_id}"


def holding(purse: Purse, balance: int, stakes: dict[str, int]) -> list[Transfer]:
    """Return how stakes go from the player, who has `balance`, to the round, or refuse them all."""
    assert purse.round_id is not None
    mine, held = player_account(purse.player_id), round_account(purse.round_id)
    needed = sum(stakes.values())
    if needed > balance:
        raise Refused("wallet/insufficient_funds", needed_cents=needed, balance_cents=balance)
    return [Transfer(mine, held, cents, "stake", bet) for bet, cents in stakes.items()]


def settling(purse: Purse, house: str, bet: str, staked: int, returned: int) -> list[Transfer]:
    """Return how a held bet is closed: what comes back, and the difference lost or won."""
    assert purse.round_id is not None
    mine, held = player_account(purse.player_id), round_account(purse.round_id)
    back = min(staked, returned)
    moved = (
        Transfer(held, mine, back, "return", bet),
        Transfer(held, house, staked - back, "loss", bet),
        Transfer(house, mine, returned - back, "win", bet),
    )
    return [transfer for transfer in moved if transfer.cents]


def countable(units: int) -> int:
    """Return an amount that the database can count, or refuse."""
    if units > UNITS_MAX:
        raise Refused("ledger/overflow")
    return units


def must_be_real(currency: str) -> None:
    """Refuse what is no currency, or play money."""
    if not _CURRENCY.fullmatch(currency) or currency == PLAY_MONEY:
        raise Refused("player/currency", currency=currency[:8])


def must_be_play_money(currency: str) -> None:
    """Refuse to give money away."""
    if currency != PLAY_MONEY:
        raise Refused("wallet/play_money_only")
