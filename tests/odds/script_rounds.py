"""Script = kernel: rounds dealt at random, played by the real script and by the kernels (R8).

    python tests/odds/script_rounds.py --rounds 1000000

Every round is settled twice, line by line, and must come out alike; the script's mean result must
lie within four standard errors of the proof. A script that pays one price wrongly is then told by
both: the plain run ends with one planted in each game.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import partial
from math import sqrt
from multiprocessing import get_context
from typing import Any, NamedTuple

from tapisvert.cards import Card
from tapisvert.games import current
from tapisvert.odds import proofs
from tapisvert.odds.simulation import BLOCK, Seat, deal, seat
from tapisvert.sheets import Sheet, load, with_changes
from tapisvert.table import replay
from tapisvert.table.script import Claim

STAKE = 1_000
SEED = 11
ERRORS = 4  # standard errors: beyond, by chance, once in 16,000
PLAYED = (  # and what part of the rounds: setting 21 ways takes a script its time
    ("casino-stud", "optimal", 1),
    ("high-card-flush", "optimal", 1),
    ("ultimate", "optimal", 1),
    ("blackjack", "optimal", 1),
    ("blackjack", "each-hand-alone", 1),
    ("pai-gow", "house-way", 1),
    ("pai-gow", "optimal", 10),
)
# One price of each game, wrong by a slip of the pen.
WRONG: dict[str, dict[str, Any]] = {
    "casino-stud": {"play.pays.pair": "2:1"},
    "high-card-flush": {"raise.pays": "6:5"},
    "ultimate": {"blind.pays.straight": "10:1"},
    "blackjack": {"hand.blackjack_pays": "1:2"},
    "pai-gow": {"main.pays": "9:10"},
}
PLANTED_ROUNDS = 50_000


class Paid(NamedTuple):
    """What the script paid over some rounds: sums in cents, by bet."""

    net: list[int]
    squares: list[int]
    otherwise: list[list[Card]]  # the cards of rounds that the kernels paid otherwise


class Mean(NamedTuple):
    """The mean net result of a bet, per first stake, held against its proof."""

    bet: str
    mean: float
    proved: float
    error: float

    @property
    def off(self) -> float:
        """By how many standard errors they differ."""
        return (self.mean - self.proved) / self.error


def stakes_of(sheet: Sheet, player: Seat) -> dict[str, int]:
    """Stake what a seat stakes: the least where there is one price, else a round sum."""
    one_hand = sheet.game == "blackjack" and player.bets == ("main",)
    spots = ("hand-1",) if one_hand else sheet.layout
    return {spot: min(STAKE, sheet.spots[spot].max_cents) for spot in spots}


def column_of(bet: str, bets: Sequence[str]) -> int:
    """Return the bet of a seat that a line belongs to.

    >>> column_of("double-2b", ("hand-1", "hand-2", "royal"))
    1
    """
    if bet in bets:
        return bets.index(bet)
    return 0 if "main" in bets else bets.index(f"hand-{bet.rpartition('-')[2][0]}")


def settled(
    sheet: Sheet, player: Seat, cards: list[Card], line: list[int]
) -> tuple[list[int], list[int]]:
    """Play a round by the script; return net and staked of each bet of the seat."""
    deck = [*cards, *(card for card in sheet.deck if card not in cards)]
    said, stakes = player.said(cards, line), stakes_of(sheet, player)
    script, bank = current(sheet.game).script, partial(_pot, sheet)
    played = replay(script, sheet, deck, stakes, said, bank=bank)
    assert played.settled, (cards, said)
    net, staked = [0] * len(player.bets), [0] * len(player.bets)
    for bet, paid in played.lines.items():
        column = column_of(bet, player.bets)
        staked[column] += paid.staked_cents
        net[column] += paid.returned_cents - paid.staked_cents
    return net, staked


def _pot(sheet: Any, claim: Claim) -> int:
    return int(sheet.demonstration_pot_cents * claim.share)


def play(sheet: Sheet, player: Seat, first: int, end: int) -> Paid:
    """Play some rounds of a long deal both ways; blocks are dealt whole, so rounds keep numbers."""
    paid = Paid([0] * len(player.bets), [0] * len(player.bets), [])
    of_bet = [_first_stake(sheet, player, bet) for bet in player.bets]
    block = first // BLOCK
    decks = deal(SEED, block, BLOCK, player.cards, player.deck)[first - block * BLOCK :]
    decks = decks[: end - first]
    played = player.play(decks)
    rows = zip(decks.tolist(), *(column.tolist() for column in played), strict=True)
    for cards, net, staked, line in rows:
        paid_net, paid_staked = settled(sheet, player, cards, line)
        for n, cents in enumerate(paid_net):
            paid.net[n] += cents
            paid.squares[n] += cents**2
            alike = cents * player.unit == net[n] * of_bet[n]
            if not alike or paid_staked[n] * player.unit != staked[n] * of_bet[n]:
                paid.otherwise.append(cards)
    return paid


def _first_stake(sheet: Sheet, player: Seat, bet: str) -> int:
    return stakes_of(sheet, player).get(bet, STAKE)


def means(
    sheet: Sheet, player: Seat, strategy: str, rounds: int, parts: Sequence[Paid]
) -> list[Mean]:
    """Hold the mean of each bet against its proof."""
    found = []
    for n, bet in enumerate(player.bets):
        stake = _first_stake(sheet, player, bet)
        mean = sum(part.net[n] for part in parts) / rounds / stake
        square = sum(part.squares[n] for part in parts) / rounds / stake**2
        proved = float(_proved(sheet.game, strategy, bet))
        found.append(Mean(bet, mean, proved, sqrt((square - mean**2) / rounds)))
    return found


def _proved(game: str, strategy: str, bet: str) -> Fraction:
    """Return the proved edge; of Royal Poker that with the pot at its reset value."""
    of = {(proof.bet, proof.strategy): proof for proof in proofs.find(load(game))}
    if bet == "royal":
        from tapisvert.odds.blackjack.royal_poker import returned_at

        sheet: Any = load(game)
        stake = sheet.spots["royal"].min_cents
        return returned_at(sheet, Fraction(sheet.demonstration_pot_cents, stake)) - 1
    found = of.get((bet, "none")) or of["main", strategy]
    return Fraction(found.edge)


def pieces(rounds: int, size: int = 2_048) -> Iterator[tuple[int, int]]:
    """Yield the rounds in pieces that lie within a block each."""
    for first in range(0, rounds, size):
        yield first, min(first + size, rounds)


_now: tuple[Sheet, Seat]  # what the processes play: they are forked when it is there


def _play_now(piece: tuple[int, int]) -> Paid:
    return play(*_now, *piece)


def on_every_core(sheet: Sheet, player: Seat, rounds: int) -> list[Paid]:
    """Play rounds in as many processes as there are cores, and show how far they are."""
    global _now
    _now = sheet, player
    parts, began = [], time.monotonic()
    with ProcessPoolExecutor(os.cpu_count(), get_context("fork")) as cores:
        for part in cores.map(_play_now, pieces(rounds)):
            parts.append(part)
            done = min(len(parts) * 2_048, rounds)
            text = f"\r{sheet.game}: {done:,} of {rounds:,}, {time.monotonic() - began:.0f} s "
            print(text, end="", file=sys.stderr, flush=True)
    return parts


def main(rounds: int) -> int:
    """Play every game; return 1 if something differs that should not, or the other way round."""
    wrong = 0
    print("| game | strategy | rounds | paid otherwise | bet | mean % | proved % | off by s.e. |")
    print("|---|---|--:|--:|---|--:|--:|--:|")
    planted = set()
    for game, strategy, part_of in PLAYED:
        sheet = load(game)
        player = seat(sheet, strategy)
        runs = [(sheet, rounds // part_of, strategy)]
        if game not in planted:
            planted.add(game)
            runs.append((with_changes(sheet, WRONG[game]), PLANTED_ROUNDS, "PLANTED"))
        for played, count, name in runs:
            parts = on_every_core(played, player, count)
            otherwise = sum(len(part.otherwise) for part in parts)
            found = means(played, player, strategy, count, parts)
            for each in found:
                print(
                    f"\r| {game} | {name} | {count:,} | {otherwise:,} | {each.bet} "
                    f"| {100 * each.mean:.4f} | {100 * each.proved:.4f} | {each.off:+.2f} |",
                    flush=True,
                )
            caught = (otherwise > 0, any(abs(each.off) > ERRORS for each in found))
            wrong += caught != ((name == "PLANTED",) * 2)
    return int(bool(wrong))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=1_000_000)
    sys.exit(main(parser.parse_args().rounds))
