"""Transfers of money as values, in cents or in units (10^-7 of the currency).

Pure: bank/ledger.py writes these values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tapisvert.refusal import Refused

UNITS_PER_CENT = 100_000
UNITS_MAX = 2**63 - 1  # the range of a column
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
    more_units: int = 0  # beyond the cents: only pots and house accounts use them
    currency: str = ""  # a pot's, if not the purse's

    @property
    def units(self) -> int:
        """Return the amount in units."""
        return self.cents * UNITS_PER_CENT + self.more_units


def in_units(
    debit: str, credit: str, units: int, reason: str, bet: str | None = None, currency: str = ""
) -> Transfer:
    """Return a transfer of this many units."""
    cents, more = divmod(units, UNITS_PER_CENT)
    return Transfer(debit, credit, cents, reason, bet, more, currency)


@dataclass(frozen=True, slots=True)
class Purse:
    """The owner of a transfer: the player, the currency, the time and the round."""

    player_id: str  # "" for a transfer of the house
    currency: str
    at_ms: int
    round_id: str | None = None


Movement = tuple[Purse, Transfer]


class RoundTransfer(NamedTuple):
    """A transfer of a round as it is stored."""

    debit: str
    credit: str
    units: int
    bet: str | None


@dataclass(frozen=True, slots=True)
class AccountBalances:
    """Account balances in units, and the last hash of each player's chain."""

    units: Mapping[str, int]  # by account; an account that is not open is absent
    last: Mapping[str, bytes]  # by player


def player_account(player_id: str) -> str:
    """Name a player's account."""
    return f"player:{player_id}"


def round_account(round_id: str) -> str:
    """Name the account that holds a round's stakes."""
    return f"round:{round_id}"


def debt_account(player_id: str) -> str:
    """Name the account of a player's debt."""
    return f"debt:{player_id}"


def holding(purse: Purse, balance: int, stakes: dict[str, int]) -> list[Transfer]:
    """Return the transfers of all stakes to the round; refuse if the balance is too low."""
    assert purse.round_id is not None
    mine, held = player_account(purse.player_id), round_account(purse.round_id)
    needed = sum(stakes.values())
    if needed > balance:
        raise Refused("wallet/insufficient_funds", needed_cents=needed, balance_cents=balance)
    return [Transfer(mine, held, cents, "stake", bet) for bet, cents in stakes.items()]


def settling(purse: Purse, house: str, bet: str, staked: int, returned: int) -> list[Transfer]:
    """Return the transfers that close a held bet: the part returned, and the loss or win."""
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
    """Return an amount within the database's 64-bit range, or refuse it."""
    if units > UNITS_MAX:
        raise Refused("ledger/overflow")
    return units


def must_be_real(currency: str) -> None:
    """Refuse play money, and text that is not a currency."""
    if not _CURRENCY.fullmatch(currency) or currency == PLAY_MONEY:
        raise Refused("player/currency", currency=currency[:8])


def must_be_play_money(currency: str) -> None:
    """Refuse to grant real money."""
    if currency != PLAY_MONEY:
        raise Refused("wallet/play_money_only")
