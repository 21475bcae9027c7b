"""Checks that script and simulated player pay the same, with the proved mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from tapisvert.cards import Card, write_hand
from tapisvert.engine import Transcript, replay
from tapisvert.engine import events as ev
from tapisvert.engine.sheet import Sheet
from tapisvert.refusal import Broken, Refused
from tapisvert.testing.case import MAIN, Case, main_spots, side_bets

if TYPE_CHECKING:
    from tapisvert.odds.simulation import SimulatedPlayer

STAKE_CENTS = 1_000
SEED = 11
ERRORS = 4  # tolerance in standard errors; exceeded by chance once in 16,000
_PIECE = 2_048


class Paid(NamedTuple):
    """Payments of the script over some rounds: sums in cents, by bet."""

    net: list[int]
    squares: list[int]
    otherwise: list[tuple[str, list[Card]]]  # bets paid differently, and the cards


class Mean(NamedTuple):
    """The mean net result of a bet, per first stake, and its proved mean."""

    bet: str
    mean: float
    proved: float
    error: float

    @property
    def off(self) -> float:
        """The difference in standard errors."""
        return (self.mean - self.proved) / self.error if self.error else 0.0


def player_stakes(sheet: Sheet, bets: Sequence[str]) -> dict[str, int]:
    """Return stakes on a simulated player's bets; `main` means the spots of `main_spots`."""
    spots = {spot for spot in sheet.layout if spot in bets}
    if MAIN in bets:
        spots |= set(main_spots(sheet))
    return {
        spot: min(STAKE_CENTS, sheet.spots[spot].max_cents)
        for spot in sheet.layout
        if spot in spots
    }


def columns_of(end: Transcript, bets: Sequence[str]) -> dict[str, int]:
    """Return the column of the simulated player that each bet of a round belongs to.

    A bet staked by an answer belongs to the hand that was asked, or to the main game.
    """
    main = bets.index(MAIN) if MAIN in bets else 0
    found = {bet: bets.index(bet) if bet in bets else main for bet in end.stakes}
    asked: ev.Asked | None = None
    for event in end.events:
        if isinstance(event, ev.Asked):
            asked = event
        elif isinstance(event, ev.Chose) and asked is not None and asked.hand is not None:
            chosen = next(each for each in asked.options if each.id == event.option)
            if chosen.bet and chosen.bet not in bets:
                found[chosen.bet] = found.get(asked.hand, main)
    return found


def settled(
    case: Case, sheet: Sheet, player: SimulatedPlayer, cards: list[Card], line: list[int]
) -> tuple[list[int], list[int]]:
    """Play a round with the script; return net and staked cents of each bet of the player."""
    deck = [*cards, *(card for card in sheet.deck if card not in cards)]
    said, stakes = player.said(cards, line), player_stakes(sheet, player.bets)
    script = case.game.editions[-1].script
    played = replay(script, sheet, deck, stakes, said, bank=case.bank)
    if not played.settled:
        raise Broken(f"the player's answers {said} do not end the round")
    net, staked = [0] * len(player.bets), [0] * len(player.bets)
    columns = columns_of(played, player.bets)
    for bet, paid in played.lines.items():
        staked[columns[bet]] += paid.staked_cents
        net[columns[bet]] += paid.returned_cents - paid.staked_cents
    return net, staked


def play(case: Case, sheet: Sheet, player: SimulatedPlayer, first: int, end: int) -> Paid:
    """Play rounds `first` to `end` by the simulated player and by the script."""
    from tapisvert.odds.simulation import deal

    paid = Paid([0] * len(player.bets), [0] * len(player.bets), [])
    stakes = player_stakes(sheet, player.bets)
    of_bet = [stakes.get(bet, STAKE_CENTS) for bet in player.bets]
    decks = deal(SEED, first, end - first, player.cards, player.deck)
    played = player.play(decks)
    rows = zip(decks.tolist(), *(column.tolist() for column in played), strict=True)
    for cards, net, staked, line in rows:
        paid_net, paid_staked = settled(case, sheet, player, cards, line)
        for n, cents in enumerate(paid_net):
            paid.net[n] += cents
            paid.squares[n] += cents**2
            alike = cents * player.unit == net[n] * of_bet[n]
            if not alike or paid_staked[n] * player.unit != staked[n] * of_bet[n]:
                paid.otherwise.append((player.bets[n], cards))
    return paid


def pieces(rounds: int) -> Iterator[tuple[int, int]]:
    """Yield the rounds in ranges."""
    for first in range(0, rounds, _PIECE):
        yield first, min(first + _PIECE, rounds)


def proved_edge(case: Case, strategy: str, bet: str) -> Fraction | None:
    """Return the proved edge of a bet; if the pot pays it, with the pot of these rounds."""
    of = {(proof.bet, proof.strategy): proof for proof in case.proofs}
    first = next(iter(case.game.bets))
    found = of.get((bet, "none")) or of.get((bet, strategy)) or of.get((first, strategy))
    if found is None:
        return None
    if bet not in case.sheet.pot_bets:
        return Fraction(found.edge)
    stake = player_stakes(case.sheet, [bet])[bet]
    pot = Fraction(case.sheet.demonstration_pot_cents, stake)
    nets = {
        each.name: case.sheet.pot_shares[each.name] * pot - 1
        if each.name in case.sheet.pot_shares
        else Fraction(each.net)
        for each in found.outcomes
    }
    deals = sum(each.deals for each in found.outcomes)
    return sum((each.deals * nets[each.name] for each in found.outcomes), Fraction(0)) / deals


def means(
    case: Case, player: SimulatedPlayer, strategy: str, rounds: int, parts: Sequence[Paid]
) -> list[Mean]:
    """Return the mean of each bet beside its proof; a bet without a proof is left out."""
    found = []
    stakes = player_stakes(case.sheet, player.bets)
    for n, bet in enumerate(player.bets):
        stake = stakes.get(bet, STAKE_CENTS)
        mean = sum(part.net[n] for part in parts) / rounds / stake
        square = sum(part.squares[n] for part in parts) / rounds / stake**2
        proved = proved_edge(case, strategy, bet)
        if proved is not None:
            error = sqrt((square - mean**2) / rounds)
            found.append(Mean(bet, mean, float(proved), error))
    return found


def script_settles_like_the_player(case: Case) -> list[str]:
    """Script and simulated player pay every bet alike; the mean is within 4 errors of the proof.

    The first strategy is played, then others until every side bet has been played.
    """
    found: list[str] = []
    left = set(side_bets(case.sheet))
    for strategy in case.game.strategies:
        player = case.mathematics.player(case.sheet, strategy, case.tell)
        if strategy == case.game.strategies[0] or left & set(player.bets):
            found += _compared(case, strategy, player)
            left -= set(player.bets)
        if not left:
            break
    return found + [f"no simulated player plays {bet!r}" for bet in sorted(left)]


def _compared(case: Case, strategy: str, player: SimulatedPlayer) -> list[str]:
    parts, otherwise = [], []
    try:
        for first, end in pieces(case.rounds):
            case.tell(first / case.rounds)
            parts.append(play(case, case.sheet, player, first, end))
            otherwise += parts[-1].otherwise
    except (Broken, Refused) as error:
        return [f"the simulated player of {strategy!r} plays what the script refuses: {error}"]
    found = []
    for bet in player.bets:
        rounds = [cards for of, cards in otherwise if of == bet]
        if rounds:
            found.append(
                f"the simulated player of {strategy!r} settles {bet!r} otherwise than the script"
                f" in {len(rounds)} of {case.rounds} rounds, first with {write_hand(rounds[0])}"
            )
    for each in means(case, player, strategy, case.rounds, parts):
        if abs(each.off) > ERRORS:
            found.append(
                f"the script's mean of {each.bet!r}, {each.mean:+.5f}, is {abs(each.off):.1f}"
                f" standard errors from the proof, {each.proved:+.5f}"
            )
    return found
