"""The common part of every game's sheet, and the checks of its figures.

A sheet is a value: the figures of one table, loaded from TOML, typed, validated and identified by
the hash of its content. An unplayable figure is refused here, never at the table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec
from msgspec import Meta, Struct, structs

from tapisvert.cards import RANKS, STANDARD, Card

Cents = Annotated[int, Meta(ge=1, le=10**12)]
Times = Annotated[int, Meta(ge=1, le=100)]
Seconds = Annotated[int, Meta(ge=60, le=366 * 86_400)]
Percent = Annotated[str, Meta(pattern=r"^\d{1,3}(\.\d+)?\Z")]
Rank = Annotated[str, Meta(pattern=rf"^[{RANKS}]\Z")]
Pays = dict[str, Fraction]

_LARGEST_ODDS = 10**6
_RAISE_MAX = 100  # the largest stake a choice can add, as a multiple of the first stake
_RETURN_CENTS_MAX = 2**63 // 10**6  # ten such lines in units of 10^-5 cent fit in 64 bits


class Spot(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The limits of a betting spot. A price converted from another currency has a step of 1."""

    min_cents: Cents
    max_cents: Cents
    step_cents: Cents | None = None  # None: the table's


class FlatBet(Struct, frozen=True, forbid_unknown_fields=True):
    """A bet that pays one price."""

    pays: Fraction


class TableBet(Struct, frozen=True, forbid_unknown_fields=True):
    """A bet that pays by a table."""

    pays: Pays


class Jackpot(Struct, frozen=True, forbid_unknown_fields=True):
    """The progressive jackpot: its starting value, and the share of every stake it receives."""

    reset_cents: Cents
    contribution: Fraction


class Place(NamedTuple):
    """The rules of a betting spot; its limits are in `Spot`."""

    main: bool = False  # a stake on at least one main spot is required
    requires: tuple[str, ...] = ()  # requires a stake on all of these
    equals: str | None = None  # the stake must equal the one on that spot


class PayTable(NamedTuple):
    """The definition of a pay table: its rows, and the largest stake they are paid on."""

    pays: Pays
    rows: tuple[str, ...]
    stake_max_cents: int


class Sheet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The figures common to all games. The class variables are rules, not figures."""

    game_id: ClassVar[str] = ""  # the required value of `game`
    deck: ClassVar[tuple[Card, ...]] = STANDARD
    layout: ClassVar[Mapping[str, Place]] = {}  # in staking order
    cap_ids: ClassVar[tuple[str, ...]] = ()  # bets with their own cap, and `round`
    published_ids: ClassVar[tuple[str, ...]] = ()  # bets whose printed return the sheet states

    game: str
    step_cents: Cents
    void_after_s: Seconds
    spots: dict[str, Spot]
    caps_cents: dict[str, Cents] = {}
    published: dict[str, Percent] = {}

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the sheet's body in hexadecimal: the sheet's id everywhere."""
        return hashlib.sha256(self.body).hexdigest()

    @cached_property
    def body(self) -> bytes:
        """The canonical text of the sheet: JSON with sorted keys and no spaces."""
        return msgspec.json.encode(content(self), order="sorted")

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return each pay table under its dotted key."""
        raise NotImplementedError

    @property
    def jackpot(self) -> Jackpot | None:
        """Return the figures of the progressive pot; None for most games."""
        return None

    @property
    def demonstration_pot_cents(self) -> int:
        """Return the pot of a claim with play money: always the starting value (bj.5)."""
        return self.jackpot.reset_cents if self.jackpot else 0

    @property
    def pot_bets(self) -> tuple[str, ...]:
        """Return the bets paid from a progressive pot."""
        return ()

    @property
    def pot_shares(self) -> Mapping[str, Fraction]:
        """Return the rows paid from the pot, each with its share."""
        return {}

    def at_pot(self, jackpot: Jackpot, convert: Callable[[int], int] | None = None) -> Sheet:
        """Return the sheet with the running pot's figures, and with prices converted if a rule is
        given.
        """
        raise NotImplementedError

    def step_of(self, bet: str) -> int:
        """Return the step of a spot: stakes must be multiples of it."""
        return self.spots[bet].step_cents or self.step_cents

    def prices(self) -> Mapping[str, Fraction]:
        """Return each single price under its dotted key; it must pay whole cents."""
        return {}

    def __post_init__(self) -> None:
        if self.game != self.game_id:
            raise wrong("game", f"must be {self.game_id!r}")
        if self.step_cents % 2:
            # 3:2 and half-stakes must stay whole cents.
            raise wrong("step_cents", "must be an even number of cents")
        exactly("spots", self.spots, tuple(self.layout))
        exactly("caps_cents", self.caps_cents, self.cap_ids)
        exactly("published", self.published, self.published_ids)
        for name, spot in self.spots.items():
            if spot.min_cents > spot.max_cents:
                raise wrong(f"spots.{name}.min_cents", "is more than max_cents")
            step = self.step_of(name)
            if spot.step_cents and name not in self.pot_bets:
                raise wrong(f"spots.{name}.step_cents", "must be that of the table")
            if spot.max_cents // step * step < spot.min_cents:
                raise wrong(f"spots.{name}.max_cents", f"leaves no multiple of {step}")
        for key, odds in self.prices().items():
            if self.step_cents * odds % 1:
                raise wrong(key, f"does not pay whole cents on {self.step_cents}")
        self._check_that_pay_tables_are_shown()
        for key, (pays, rows, stake_max_cents) in self.pay_tables().items():
            exactly(key, pays, rows)
            if stake_max_cents * (1 + max(pays.values())) > _RETURN_CENTS_MAX:
                raise wrong(key, "with these stakes, more could be won than the ledger can hold")
            for row, odds in pays.items():
                if self.step_cents * odds % 1:
                    raise wrong(f"{key}.{row}", f"does not pay whole cents on {self.step_cents}")
        most = max(spot.max_cents for spot in self.spots.values()) * _RAISE_MAX
        for key, odds in self.prices().items():
            if most * (1 + odds) > _RETURN_CENTS_MAX:
                raise wrong(key, "with these stakes, more could be won than the ledger can hold")

    def _check_that_pay_tables_are_shown(self) -> None:
        """Require that the declared pay tables are the ones pages show, `<bet>.pays`."""
        parts = {each.encode_name: getattr(self, each.name) for each in structs.fields(self)}
        shown = {
            f"{name}.pays" for name, part in parts.items() if _is_table(getattr(part, "pays", None))
        }
        for key in sorted(shown ^ set(self.pay_tables())):
            raise wrong(key, "must be in the sheet as <bet>.pays, and declared by pay_tables()")


def _is_table(pays: object) -> bool:
    return isinstance(pays, dict)


class WrongFigure(ValueError):
    """An unplayable figure: its `key` and the `reason`."""

    def __init__(self, key: str, reason: str) -> None:
        self.key, self.reason = key, reason
        super().__init__(f"{key}: {reason}")


def wrong(key: str, reason: str) -> WrongFigure:
    """Create the error for one figure."""
    return WrongFigure(key, reason)


def exactly(key: str, found: Mapping[str, object], rows: tuple[str, ...]) -> None:
    """Refuse a table that lacks a row or has an extra one."""
    for row in rows:
        if row not in found:
            raise wrong(f"{key}.{row}", "is missing")
    for row in found:
        if row not in rows:
            raise wrong(f"{key}.{row}", "is not a row of this table")


def parse_odds(written: object) -> Fraction:
    """Read odds: `"3:2"`, or a whole number for n:1.

    >>> parse_odds("3:2"), parse_odds(8)
    (Fraction(3, 2), Fraction(8, 1))
    >>> parse_odds("2/1")
    Traceback (most recent call last):
    ValueError: expected odds like "3:2", got '2/1'
    """
    if isinstance(written, int) and not isinstance(written, bool):
        odds = Fraction(written)
    else:
        gain, colon, stake = written.partition(":") if isinstance(written, str) else ("", "", "")
        if not (colon and _is_whole(gain) and _is_whole(stake) and int(stake)):
            shown = repr(written[:32]) if isinstance(written, str) else type(written).__name__
            raise ValueError(f'expected odds like "3:2", got {shown}')
        odds = Fraction(int(gain), int(stake))
    if not 0 <= odds <= _LARGEST_ODDS:
        raise ValueError(f"expected odds between 0:1 and {_LARGEST_ODDS}:1, got {write_odds(odds)}")
    return odds


def write_odds(odds: Fraction) -> str:
    """Write odds the way a layout prints them.

    >>> write_odds(Fraction(3, 2))
    '3:2'
    """
    return f"{odds.numerator}:{odds.denominator}"


def content(sheet: Sheet) -> dict[str, Any]:
    """Return the sheet as plain JSON values, for hashing, storing and display."""
    plain: dict[str, Any] = msgspec.to_builtins(
        sheet, enc_hook=lambda odds: write_odds(odds), str_keys=True
    )
    return plain


def _is_whole(digits: str) -> bool:
    return digits.isascii() and digits.isdigit() and len(digits) <= 9
