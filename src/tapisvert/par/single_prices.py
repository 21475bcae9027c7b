"""Finds the single prices of a sheet, such as the ante's 1:1, that pay an outcome.

The prices follow from the name of the outcome: `raise-2-won` is paid on the ante and on a raise of
two antes, `blackjack` by its own price. They are accepted only if their sum, less the stakes that
the name marks as lost, is exactly the net result. Otherwise the outcome has no single price here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from tapisvert.par.paid_rows import End


class Price(NamedTuple):
    """A price of the sheet that pays some outcomes of a bet."""

    key: str
    pays: Fraction
    multiple: Fraction  # the first stakes that it pays


_WON = r"(raise-(?P<times>\d+)-)?won"
# By the key of a price: the names of the outcomes it pays. `times` is the stake that it pays.
_NAMES = {
    "main.pays": r"win",
    "ante.pays": rf"(raise-\d+-)?not-qualified(-.*)?|{_WON}(?!-not-opened)(-.*)?",
    "play.pays": rf"{_WON}(-.*)?",
    "raise.pays": rf"{_WON}(-.*)?",
    "hand.pays": r"won-(?P<times>\d+)(-lost-\d+)?(-insured)?",
    "hand.blackjack_pays": r"blackjack",
    "hand.even_money_pays": r"even-money",
}
# Where a name has no `times`, these prices pay the stake beside the ante.
_BESIDE_ANTE = {"play.pays", "raise.pays"}
_LOST = re.compile(r"-lost-(?P<lost>\d+)")
_HALF = Fraction(1, 2)


def single_prices(
    ends: Iterable[End], prices: Mapping[str, Fraction], tabled: Mapping[End, Price]
) -> dict[End, tuple[Price, ...]]:
    """Return the single prices of each outcome that is confirmed; `tabled` has those of pay tables.

    >>> pays = {"ante.pays": Fraction(1), "raise.pays": Fraction(1)}
    >>> ends = [End(name, Fraction(net), Fraction(3)) for name, net in
    ...         (("raise-2-won", 3), ("raise-2-not-qualified", 1), ("raise-2-tie", 0), ("won", 5))]
    >>> found = single_prices(ends, pays, {})
    >>> [(end.name, [(price.key, int(price.multiple)) for price in each])
    ...  for end, each in found.items()]  # doctest: +NORMALIZE_WHITESPACE
    [('raise-2-won', [('ante.pays', 1), ('raise.pays', 2)]),
     ('raise-2-not-qualified', [('ante.pays', 1)])]
    """
    found = {}
    for end in ends:
        named = tuple(_named(end, prices))
        beside = (tabled[end],) if end in tabled else ()
        paid = sum((price.multiple * price.pays for price in (*named, *beside)), Fraction())
        if named and end.net == paid - _lost(end.name):
            found[end] = named
    return found


def _named(end: End, prices: Mapping[str, Fraction]) -> Iterator[Price]:
    for key, pays in prices.items():
        told = re.fullmatch(_NAMES[key], end.name) if key in _NAMES else None
        if told is None:
            continue
        times = told.groupdict().get("times")
        if key in _BESIDE_ANTE:
            yield Price(key, pays, Fraction(times) if times else end.staked - 1)
        elif key == "ante.pays" or times is None:
            yield Price(key, pays, Fraction(1))
        else:
            yield Price(key, pays, Fraction(times))


def _lost(name: str) -> Fraction:
    """Return the first stakes that an outcome loses beside a win, by its name."""
    told = _LOST.search(name)
    return (Fraction(told["lost"]) if told else Fraction()) + _HALF * name.endswith("-insured")
