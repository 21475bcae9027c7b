"""Lines of settled bets, and the caps on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tapisvert.engine import events as ev


@dataclass(frozen=True, slots=True)
class Line:
    """One bet's result."""

    bet: str
    staked_cents: int
    returned_cents: int
    why: str
    row: str = ""
    odds: str = ""
    capped: bool = False

    @property
    def outcome(self) -> str:
        """Name the result: won, returned, part or lost."""
        return ev.outcome(self.staked_cents, self.returned_cents)

    def event(self, n: int) -> ev.Settled:
        """Return the event that makes this line final."""
        return ev.Settled(
            n,
            self.bet,
            self.staked_cents,
            self.returned_cents,
            self.outcome,
            self.why,
            self.row,
            self.odds,
            self.capped,
        )

    def cut_to(self, cents: int) -> Line:
        """Return the line with a smaller return."""
        return replace(self, returned_cents=cents, capped=True)


def capped_lines(
    lines: Sequence[Line], caps_cents: Mapping[str, int], total_cents: int
) -> list[Line]:
    """Apply each bet's own cap, then the round's.

    Caps include the returned stake. An excess over the round's cap is taken from the largest line;
    of equal lines, from the one staked last. `lines` are in the order of staking. `total_cents` is
    the uncapped return of the whole round, these lines included. Lines made final in an earlier
    step are already paid, and do not change.
    """
    kept = list(lines)
    for place, line in enumerate(kept):
        cap = caps_cents.get(line.bet, line.returned_cents)
        if line.returned_cents > cap:
            kept[place] = line.cut_to(cap)
            total_cents -= line.returned_cents - cap
    excess = total_cents - caps_cents.get("round", total_cents)
    while excess > 0 and any(line.returned_cents for line in kept):
        place = max(range(len(kept)), key=lambda i: (kept[i].returned_cents, i))
        cut = min(excess, kept[place].returned_cents)
        kept[place] = kept[place].cut_to(kept[place].returned_cents - cut)
        excess -= cut
    return kept
