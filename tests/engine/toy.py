"""A toy game for the engine's own tests: a small sheet, and scripts of a single purpose."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from tapisvert.cards import STANDARD, Card
from tapisvert.engine import HandName, Option, Script, Table
from tapisvert.engine.sheet import PayTable, Place, Sheet, Spot

DECK: tuple[Card, ...] = tuple(reversed(STANDARD))  # As Ah Ad Ac Ks Kh ...


class Toy(Sheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A main bet, a side bet, and a raise that is made by a choice."""

    game_id = "toy"
    layout: ClassVar[Mapping[str, Place]] = {"main": Place(main=True), "side": Place()}
    cap_ids: ClassVar[tuple[str, ...]] = ("main", "side", "raise", "round")

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return none: toy scripts bring their own odds."""
        return {}


def toy(caps_cents: Mapping[str, int] | None = None) -> Toy:
    """Return the toy's sheet, with or without caps."""
    return Toy(
        game="toy",
        step_cents=100,
        void_after_s=60,
        spots={
            "main": Spot(min_cents=100, max_cents=10**9),
            "side": Spot(min_cents=100, max_cents=10**9),
        },
        caps_cents={**dict.fromkeys(Toy.cap_ids, 10**12), **(caps_cents or {})},
    )


def two_questions(table: Table, sheet: Toy) -> Script[None]:
    """Settle the side bet at the deal, then ask twice; the main bet is settled at the end."""
    table.deal("player", 2)
    table.deal("house", 2, up=1)
    table.pay("side", 3, "side-pays")
    first = yield from table.ask(
        "toy",
        Option("raise", bet="raise", stake_cents=2 * table.stakes["main"]),
        Option("check"),
        hand="main",
    )
    table.deal("player")
    second = yield from table.ask(
        "toy",
        Option("raise", bet="raise", stake_cents=table.stakes["main"]),
        Option("check", why_not="no-check" if first == "raise" else None),
        Option("fold"),
    )
    if second == "fold":
        table.lose("main", "folded")
        table.lose("raise", "folded")
    else:
        table.reveal("house")
        table.pay("main", 1, "wins")
        table.push("raise", "wins")


def everything(table: Table, sheet: Toy) -> Script[None]:
    """Make an event of every kind."""
    cards = table.deal("player", 3)
    table.deal("house", 2, up=1)
    table.move(cards[1:], "player", "player-low")
    table.name("player", HandName("pair", "A", ("As",), total=11, joker="Kd"))
    cents = yield from table.claim("side", Fraction(1, 10))
    table.settle("side", cents, "pot", "straight-flush")
    low = HandName("pair", "K")
    yield from table.ask(
        "toy",
        Option("Ah Ad", suggested=True, hands={"low": low, "high": HandName("straight")}),
        Option("As Ad", why_not="foul"),
    )
    table.reveal("house")
    table.say("house-says", place=3, of="four")
    table.pay("main", Fraction(3, 2), "wins", "blackjack")


def set_whole(table: Table, sheet: Toy) -> Script[None]:
    """Move every card of a hand away."""
    table.move(list(table.deal("player", 2)), "player", "player-low")
    yield from table.ask("toy", Option("go"))
    table.push("main", "wins")
    table.push("side", "wins")


def pot(table: Table, sheet: Toy) -> Script[None]:
    """Claim twice, ask in between: a tenth of the pot at the deal and all of it at the end."""
    tenth = yield from table.claim("side", Fraction(1, 10))
    table.settle("side", tenth, "pot")
    yield from table.ask("toy", Option("go"), Option("stop"))
    whole = yield from table.claim("main", Fraction(1))
    table.settle("main", whole, "pot")


def silent(table: Table, sheet: Toy) -> Script[None]:
    """Ask nothing at all."""
    table.deal("player", 1)
    table.push("main", "wins")
    table.push("side", "wins")
    yield from ()


def settled_twice(table: Table, sheet: Toy) -> Script[None]:
    """Settle one bet twice: an error in a script."""
    table.push("main", "wins")
    table.push("main", "wins")
    yield from ()


def settled_twice_apart(table: Table, sheet: Toy) -> Script[None]:
    """Settle one bet again after it was made final."""
    table.push("main", "wins")
    yield from table.ask("toy", Option("go"))
    table.lose("main", "wins")


def never_settled(table: Table, sheet: Toy) -> Script[None]:
    """Leave the bets unsettled: an error in a script."""
    yield from table.ask("toy", Option("go"))


def staked_too_late(table: Table, sheet: Toy) -> Script[None]:
    """Add to a bet that is already settled: an error in a script."""
    table.push("main", "wins")
    yield from table.ask("toy", Option("double", bet="main", stake_cents=100))


def too_many_cards(table: Table, sheet: Toy) -> Script[None]:
    """Deal more than the deck holds: an error in a script."""
    table.deal("player", 53)
    yield from table.ask("toy", Option("go"))


def in_either_order(table: Table, sheet: Toy) -> Script[None]:
    """Take a set of two cards named in either order, with one space between."""
    table.deal("player", 2)
    listed = Option("As Ah")

    def read(answer: str) -> str:
        return listed.id if answer.split(" ")[::-1] == listed.id.split(" ") else answer

    yield from table.ask("toy", listed, read=read)
    table.push("main", "wins")


def moves_face_down(table: Table, sheet: Toy) -> Script[None]:
    """Move cards the player has not seen: an error in a script."""
    table.move(table.deal("house", 2, up=0), "house", "house-low")
    yield from table.ask("toy", Option("go"))
