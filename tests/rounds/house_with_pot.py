"""A house with an open Blackjack pot, in which the client seed selects the cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from houses import KEY, Clock, deck_of
from rounds.guest_seat import PATIENCE_S, Seated, read
from rounds.house_with_operator import Funded, Operator
from stores import store_at
from tapisvert.bank import jackpot
from tapisvert.bank.pot import Pot
from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.engine.sheet import Sheet
from tapisvert.operations.jackpot_views import JackpotView, PotReport, meters
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.schemas import RoundReply
from tapisvert.sealing import Sealer
from tapisvert.sheets import load

GAME, CENT = "blackjack", 100_000
PART = 2_030_843  # units of 10^-7: 20.30843 % of 1.00
START = 2_000_000 * CENT
STAKES = {"hand-1": 1000, "hand-2": 1000, "royal": 100}
# Two cards for each hand, the up card, the hole card: one of every row of Royal Poker (bj.5).
HANDS = {
    "royal-flush": "As Ks Qs Js Ts 9c",
    "straight-flush": "9s 8s 7s 6s 5s 9c",
    "four-of-a-kind": "9s 9h 9d 9c 2s 3h",
    "full-house": "9s 9h 9d Kc Ks 3h",
    "flush": "Qs 9s 7s 4s 2s 3h",
    "straight": "Ts 9h 8d 7c 6s 3h",
    "three-of-a-kind": "9s 9h 9d Kc 5s 3h",
    "nothing": "9s 9h 8d 8c 5s 3h",
}
# The fixed prizes among them, in cents.
PRIZES = {
    "four-of-a-kind": 50_000,
    "full-house": 10_000,
    "flush": 5_000,
    "straight": 2_500,
    "three-of-a-kind": 500,
}


def named_deck(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
    """Return the deck that the client seed names."""
    return deck_of(HANDS[deal.client_seed], cards)


def potted(
    path: Path,
    *,
    currency: str = "CAD",
    clock: Clock | None = None,
    sheet_of: Callable[[str], Sheet] = load,
) -> PlayerService:
    """Open a house with a pot."""
    dealer = Dealer(Sealer(KEY), shuffle=named_deck)
    house = PlayerService(store_at(path), dealer, sheet_of=sheet_of, clock=clock or Clock())
    Operator(house).open_jackpot(GAME, currency)
    return house


def dealt(player: Seated, hand: str, royal_cents: int = 100) -> RoundReply:
    """Stake on both hands and on Royal Poker; return the reply with the deal."""
    stakes = {**STAKES, "royal": royal_cents}
    return read(player.open(player.asking(stakes, GAME, client_seed=hand)))


def stood(player: Seated, reply: RoundReply) -> RoundReply:
    """Stand until the round is over."""
    while reply.round.ask is not None:
        ask = reply.round.ask
        choice = "decline" if ask.key in ("insurance", "even-money") else "stand"
        reply = read(player.choose(reply.round.id, choice, ask.step))
    return reply


def played(player: Seated, hand: str, royal_cents: int = 100) -> RoundReply:
    """Play a whole round; return its first reply, with the deal."""
    reply = dealt(player, hand, royal_cents)
    stood(player, reply)
    return reply


def won_cents(reply: RoundReply) -> int:
    """Return the return of Royal Poker in cents."""
    (line,) = [line for line in reply.round.lines if line.bet == "royal"]
    return line.returned_cents


def pot_of(house: PlayerService) -> Pot:
    """Return the pot."""
    return house.store.read(lambda tx: jackpot.load(tx, GAME)).result(PATIENCE_S)


def meter(house: PlayerService) -> JackpotView:
    """Return the pot's meter."""
    (shown,) = house.store.read(lambda tx: meters(tx, house.clock())).result(PATIENCE_S).jackpots
    return shown


def report(house: PlayerService) -> PotReport:
    """Return the operator's report of the pot."""
    found: list[PotReport] = Operator(house).jackpots()
    (only,) = found
    return only


def players(house: PlayerService, count: int, currency: str = "CAD") -> list[Funded]:
    """Create this many players."""
    return [Funded(house, 1_000_000, currency) for _ in range(count)]
