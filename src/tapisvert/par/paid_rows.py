"""Which outcomes of a bet a pay table pays.

An outcome paid by a pay row ends with the row's name, but not every such outcome is paid: a tie
with a royal flush may return the stakes alone. Outcomes that differ only in the row tell: if they
are paid, their net results differ as the prices do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple


class End(NamedTuple):
    """An outcome: its name, net result and stake."""

    name: str
    net: Fraction
    staked: Fraction


def row_of(name: str, rows: Iterable[str]) -> str | None:
    """Return the pay row an outcome names: the longest one its name ends with.

    >>> row_of("won-straight-flush", ("flush", "straight-flush")), row_of("folded", ("flush",))
    ('straight-flush', None)
    """
    named = (row for row in rows if name == row or name.endswith(f"-{row}"))
    return max(named, key=len, default=None)


def paid_rows(
    ends: Iterable[End], pays: Mapping[str, Fraction], multiple: Fraction
) -> dict[End, str]:
    """Return the outcomes that a pay table pays on `multiple` first stakes, each with its row.

    >>> pays = {"flush": Fraction(3), "straight": Fraction(2)}
    >>> ends = [End(f"{how}-{row}", Fraction(net), Fraction(1)) for how, row, net in
    ...         (("won", "flush", 4), ("won", "straight", 3), ("tie", "flush", 0),
    ...          ("tie", "straight", 0), ("lost", "flush", 2), ("lost", "straight", 1))]
    >>> [end.name for end in paid_rows(ends, pays, Fraction(1))]
    ['won-flush', 'won-straight', 'lost-flush', 'lost-straight']
    """
    groups: dict[tuple[str, Fraction], dict[End, str]] = defaultdict(dict)
    for end in ends:
        row = row_of(end.name, pays)
        if row is not None:
            groups[end.name.removesuffix(row), end.staked][end] = row
    found: dict[End, str] = {}
    for group in groups.values():
        if len({pays[row] for row in group.values()}) == 1:  # nothing to compare
            found |= {end: row for end, row in group.items() if end.net > 0}
        elif len({end.net - multiple * pays[row] for end, row in group.items()}) == 1:
            found |= group
    return found
