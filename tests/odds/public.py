"""Published figures for these games and their variants, compared with ours.

    python tests/odds/public.py --write docs/public-figures.md

Ours come from the shipped proofs, or from the same mathematics with other rules. Each row states
the tolerance: the printed digits, unless a difference is explained.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import NamedTuple

from odds import nairn
from odds.flush_variants import VARIANTS, common, qualified, raised, tied
from odds.one_deck import deuces_facing_a_six, halves_alike, single_deck, unsplit
from tapisvert.games.blackjack.odds.play import NEVER, ON_10_OR_11, ON_ANY
from tapisvert.games.blackjack.odds.rules import Rules
from tapisvert.lab import proof_store
from tapisvert.sheets import load


class Row(NamedTuple):
    """A published figure, and the computation of ours."""

    what: str
    source: str
    public: str
    ours: Callable[[], float]
    agrees: bool = True
    note: str = ""

    def shown(self) -> str:
        """Return ours, with as many digits."""
        return f"{self.ours():.{len(self.public.partition('.')[2])}f}"


def proved(game: str, strategy: str, bet: str = "main") -> proof_store.StoredProof:
    """Return a shipped proof."""
    found = proof_store.find(load(game))
    return next(each for each in found if (each.bet, each.strategy) == (bet, strategy))


def lost(game: str, strategy: str) -> float:
    """Return the house's edge, in percent of the first stake."""
    return -100 * float(Fraction(proved(game, strategy).edge))


def won_at_stud(*rows: str) -> float:
    """Return the number of deals of Casino Stud won with these hands under the best play."""
    counts = proved("casino-stud", "optimal").counts
    return sum(counts[row] for row in rows)


def flush_with_three_times() -> float:
    """Return the house's edge if six and seven cards may be raised three times."""
    return -100 * float(common().edge)


STUD = "wizardofodds.com, Caribbean Stud Poker"
ULTIMATE = "wizardofodds.com, Ultimate Texas Hold'em"
FLUSH = "wizardofodds.com, High Card Flush"
REPEATED = "worldcasinoindex.com, High Card Flush"
FORUM = "three analysers, by a thread of blackjacktheforum.com"
NAIRN = "geditcom.com, single deck (J. Nairn)"
NOT_REPRODUCED = (
    "Not reproduced. Ours is -1348050875653/50592437455560, counted in two ways. The table below"
    " has what was tried."
)
LEVEL = (
    "Explained: his average takes the house's blackjack as independent of the player's cards"
    " (0.043 %), and he draws to three or more cards by a table (0.009 %). See the next row."
)
CLOSE = "Within 0.00003; his program computes in single precision, which may be the cause."
BJSTRAT = "bjstrat.net, composition-dependent single deck"


def stud(what: str, public: str, *ends: str) -> Row:
    """Return a row of how often deals of Casino Stud end so."""
    return Row(f"Stud, deals {what}", STUD, public, lambda: won_at_stud(*ends))


def one_deck(hits: bool, doubling: str, halves: str, public: str) -> tuple[Row, Row]:
    """Return rows of Blackjack with one deck and other rules: the best play, and Nairn's."""
    when = {"any": ON_ANY, "10-11": ON_10_OR_11, "none": NEVER}
    rules = f"{'H17' if hits else 'S17'}, doubling {doubling}, after a split {halves}"
    work = partial(single_deck, hits, when[doubling], when[halves])
    what = f"Blackjack, {rules}: to the player, %"
    return Row(what, NAIRN, public, work, False, LEVEL), nairns(
        what, public, Rules(hits, when[doubling], when[halves])
    )


def nairns(what: str, public: str, rules: Rules, *, splits: bool = True) -> Row:
    """Return a row of Blackjack by Nairn's table and average."""
    work = partial(nairn.average, rules, splits=splits)
    return Row(f"{what}, by his table and his average", NAIRN, public, work, False, CLOSE)


QUICK = (
    Row("Stud, edge on the ante, %", STUD, "5.224", lambda: lost("casino-stud", "optimal")),
    Row("Stud played blind, %", STUD, "16.607", lambda: lost("casino-stud", "always-play")),
    stud("folded", "9523005974460", "folded"),
    stud("where the house does not qualify", "4532514033720", "not-qualified"),
    stud("lost", "2726592727512", "lost"),
    stud("tied", "321623100", "tie"),
    stud("won with a royal flush", "16759740", "won-royal-flush"),
    stud("won with a straight flush", "156929720", "won-straight-flush"),
    stud("won with four of a kind", "2832435800", "won-four-of-a-kind"),
    stud("won with a full house", "16624475280", "won-full-house"),
    stud("won with a flush", "21856990280", "won-flush"),
    stud("won with a straight", "43805516100", "won-straight"),
    stud("won with three of a kind", "234242908320", "won-three-of-a-kind"),
    stud("won with two pair", "488012139360", "won-two-pair"),
    stud("won with a pair or less", "2343248003808", "won-pair", "won-high-card"),
    Row("Ultimate, edge on the ante, %", ULTIMATE, "2.185", lambda: lost("ultimate", "optimal")),
    Row(
        "High Card Flush up to three times, edge on the ante, %",
        FLUSH,
        "2.64",
        flush_with_three_times,
        False,
        NOT_REPRODUCED,
    ),
    Row("the same, how often the player raises, %", REPEATED, "67.86", raised),
    Row("the same, how often the house qualifies, %", REPEATED, "75.36", qualified),
    Row("the same, how often a raise is tied, %", REPEATED, "0.08", tied),
    Row(
        "Blackjack, S17, deuces split once against a six, halves played as lone hands, not doubled",
        FORUM,
        "0.11898186839479",
        deuces_facing_a_six,
    ),
    Row(
        "Blackjack, S17, doubling any, not after a split, split once, the second half valued as"
        " the first: to the player, %",
        BJSTRAT,
        "0.0247914",
        halves_alike,
    ),
)
NEVER_SPLIT = "Blackjack, S17, doubling any, never split: to the player, %"
BY_NAIRN = nairns(NEVER_SPLIT, "-0.38485", Rules(False, ON_ANY, NEVER), splits=False)
SLOW = (
    *one_deck(False, "any", "none", "-0.02827"),
    *one_deck(False, "any", "any", "0.10066"),
    *one_deck(False, "10-11", "none", "-0.29640"),
    *one_deck(True, "10-11", "none", "-0.49888"),
    *one_deck(True, "10-11", "10-11", "-0.39096"),
    Row(
        NEVER_SPLIT,
        NAIRN,
        "-0.38485",
        lambda: unsplit(False, ON_ANY),
        False,
        LEVEL,
    ),
    BY_NAIRN,
)
HEAD = """# Public figures beside ours

Written by `python tests/odds/public.py --write docs/public-figures.md`. The games of the five rule
sheets, or their kin under other rules, as others have published them. Ours have as many digits.
Tables of the house's ends and of single hands of Blackjack are held to public ones in
[test_blackjack.py](../tests/odds/test_blackjack.py).

| what | published | ours | by | |
|---|--:|--:|---|---|
"""


TRIED = """
## High Card Flush at 2.64 %

Everything of the common game that is published beside this figure agrees with ours: how often the
player raises, the house qualifies and a raise is tied; 2.6855 % for a strategy that looks at every
card, which no best play may exceed; and T-8-6, which is the best play by the flush alone. With
these frequencies only the deals won and lost are left to differ, by one in 16,000. Other rules and
another play, each counted over all deals, do not give 2.64 % either. A simulation of less than 40
million deals has a standard error as large as the difference. The source does not say how the
figure was found. It stays unexplained.

| | edge on the ante, % | exactly |
|---|--:|---|
"""


def line(row: Row, shown: str) -> str:
    """Return the line of a row."""
    note = "" if row.agrees else row.note
    return f"| {row.what} | {row.public} | {shown} | {row.source} | {note} |"


def tried() -> str:
    """Return the table of what was tried."""
    edges = [(each.what, each.edge()) for each in VARIANTS]
    return TRIED + "".join(
        f"| {what} | {float(100 * edge):.5f} | {edge} |\n" for what, edge in edges
    )


def page() -> str:
    """Return all rows as a page."""
    lines = []
    for row in (*QUICK, *SLOW):
        lines.append(line(row, row.shown()))
        print(lines[-1], flush=True)
    return HEAD + "\n".join([*lines, ""]) + tried()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", type=Path, help="write the page here")
    asked = parser.parse_args()
    written = page()
    if asked.write:
        asked.write.write_text(written, encoding="utf-8")
