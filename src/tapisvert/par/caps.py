"""The caps of a sheet, and what each takes from a bet at the largest stake.

A cap limits what comes back, the stake included. A proof does not contain caps. Their cost follows
from it where an outcome names the pay row that is capped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct

from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.lab.proof_store import OutcomeView, StoredProof
from tapisvert.par.paid_rows import End, paid_rows

ROUND = "round"


class Cap(Struct, frozen=True):
    """A cap on a bet's return or on the whole round's, at the largest stake."""

    id: str
    cap_cents: int
    largest_cents: Fraction
    """The largest return without this cap."""
    cost: Fraction
    """What it takes per first stake, at the largest stake. Zero if it takes nothing."""
    complete: bool
    """Whether `cost` covers every case. Of the round's cap it covers each bet alone; of a cap on a
    bet with one price, nothing if the cap is below that price.
    """


def spot_of(sheet: Sheet, bet: str) -> str:
    """Return the spot of a bet's first stake."""
    if bet in sheet.layout:
        return bet
    return next(spot for spot, place in sheet.layout.items() if place.main)


def largest_returns(sheet: Sheet, proofs: Iterable[StoredProof]) -> dict[str, Fraction]:
    """Return the largest return of each bet in cents, at its largest stake."""
    found: dict[str, Fraction] = {}
    mains = sum(place.main for place in sheet.layout.values())
    for proof in proofs:
        stake = sheet.spots[spot_of(sheet, proof.bet)].max_cents
        seats = mains if proof.bet not in sheet.layout else 1
        returns = [returned(each) * stake * seats for each in proof.outcomes if each.deals]
        found[proof.bet] = max([*returns, found.get(proof.bet, Fraction())])
    return found


def returned(outcome: OutcomeView) -> Fraction:
    """Return what comes back in an outcome, in first stakes."""
    return Fraction(outcome.net) + Fraction(outcome.staked)


def caps_of(sheet: Sheet, proof: StoredProof, largest: Mapping[str, Fraction]) -> tuple[Cap, ...]:
    """Return the caps that concern a bet; `largest` has the largest return of every bet."""
    stake = sheet.spots[spot_of(sheet, proof.bet)].max_cents
    cycle = sum(each.deals for each in proof.outcomes)
    left = [returned(each) * stake for each in proof.outcomes]
    found = []
    for name in sorted(sheet.caps_cents, key=lambda each: each == ROUND):  # its own caps first
        cap = sheet.caps_cents[name]
        if name == ROUND:
            most = sum(largest.values(), Fraction())
            taken = [max(cents - cap, Fraction()) for cents in left]
            complete = most <= cap
        elif name == proof.bet or name in GAMES[sheet.game].bets[proof.bet].fields:
            most, taken, complete = _own_cap(sheet, proof, name)
        else:
            continue
        left = [cents - less for cents, less in zip(left, taken, strict=True)]
        lost = sum((e.deals * t for e, t in zip(proof.outcomes, taken, strict=True)), Fraction())
        cost = lost / (cycle * stake) if cycle else Fraction()
        found.append(Cap(name, cap, most, cost, complete))
    return tuple(found)


def _own_cap(sheet: Sheet, proof: StoredProof, name: str) -> tuple[Fraction, list[Fraction], bool]:
    """Return a bet's largest return, what its cap takes in each outcome, and if that is all."""
    cap, key = sheet.caps_cents[name], f"{name}.pays"
    table = sheet.pay_tables().get(key)
    nothing = [Fraction()] * len(proof.outcomes)
    if table is None:
        price = sheet.prices()[key]
        spot = sheet.spots[name if name in sheet.spots else spot_of(sheet, proof.bet)]
        most = spot.max_cents * (1 + price)
        for key, beside in sheet.pay_tables().items():
            if key.startswith(f"{name}-"):  # a bonus paid on this bet, as `ante-bonus`
                most += beside.stake_max_cents * max(beside.pays.values())
        return most, nothing, most <= cap
    multiple = Fraction(table.stake_max_cents, sheet.spots[spot_of(sheet, proof.bet)].max_cents)
    ends = [End(each.name, Fraction(each.net), Fraction(each.staked)) for each in proof.outcomes]
    dealt = [end for end, each in zip(ends, proof.outcomes, strict=True) if each.deals]
    paid = paid_rows(dealt, table.pays, multiple)
    over = {
        row: max(table.stake_max_cents * (1 + pays) - cap, Fraction())
        for row, pays in table.pays.items()
    }
    taken = [over[paid[end]] if end in paid else Fraction() for end in ends]
    most = table.stake_max_cents * (1 + max(table.pays.values()))
    return most, taken, bool(proof.outcomes) or most <= cap
