"""A guest at all five tables, and the checks on a round after every command.

The house deals real shuffles; the test records every deck. The visible cards are derived here from
docs/rules, by position in the deck.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from bank.tables import check_books
from houses import KEY, Clock, Guest, client_of, counting_entropy, opening
from stores import store_at
from tapisvert.bank import ledger, money
from tapisvert.cards import Card, text
from tapisvert.dealing import Deal, shuffle
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer
from tapisvert.store import Tx

GAMES = ("pai-gow", "casino-stud", "high-card-flush", "blackjack", "ultimate")
FACE_DOWN = "??"
_CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")


@dataclass(frozen=True)
class Watched:
    """A house, a guest, and every deck by its round."""

    house: PlayerService
    guest: Guest
    decks: dict[str, list[str]]


@contextmanager
def watched(path: Path) -> Iterator[Watched]:
    """Open a house with seeds 1, 2, 3, ...: the same decks in every run."""
    decks: dict[str, list[str]] = {}

    def laid_out(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        deck = shuffle(seed, deal, cards)
        decks[deal.round_id] = [text(card) for card in deck]
        return deck

    dealer = Dealer(Sealer(KEY), counting_entropy(), laid_out)
    house = PlayerService(store_at(path), dealer, clock=Clock())
    with client_of(house) as client:
        yield Watched(house, Guest(client), decks)


def random_stakes(spots: list[dict[str, Any]], chance: Random) -> dict[str, int]:
    """Return random stakes that a layout allows, from its spots only (docs/events.md)."""
    stakes: dict[str, int] = {}
    mains = [spot["id"] for spot in spots if spot["main"]]
    wanted = set(chance.sample(mains, chance.randint(1, len(mains))))
    for spot in spots:
        cents = min(spot["min"] + spot["step"] * chance.randint(0, 4), spot["max"])
        if spot["equals"]:
            if spot["equals"] in stakes:
                stakes[spot["id"]] = stakes[spot["equals"]]
        elif spot["id"] in wanted or (
            not spot["main"]
            and all(needed in stakes for needed in spot["requires"])
            and chance.random() < 0.6
        ):
            stakes[spot["id"]] = cents
    return stakes


@dataclass
class Played:
    """A round with checks after every command."""

    at: Watched
    game: str
    stakes: dict[str, int]
    reply: dict[str, Any] = field(default_factory=dict)
    chosen: list[tuple[str | None, str]] = field(default_factory=list)  # hand and option
    added_cents: int = 0

    def open(self) -> Played:
        self.before_cents = self.at.guest.balance()[0]
        self.seat = self.at.guest.seat(self.game)
        body = opening(self.seat, self.stakes, f"my {self.game}")
        self._check(self.at.guest.post("/rounds", body), 201)
        return self

    @property
    def id(self) -> str:
        return str(self.seat["round_id"])

    @property
    def told(self) -> dict[str, Any]:
        """The round in the last reply."""
        round_: dict[str, Any] = self.reply["round"]
        return round_

    def legal(self) -> list[str]:
        options = self.told["ask"]["options"] if self.told["ask"] else []
        return [option["id"] for option in options if option["legal"]]

    def choose(self, choice: str) -> None:
        ask, count = self.told["ask"], len(self.told["events"])
        (option,) = [option for option in ask["options"] if option["id"] == choice]
        self.added_cents += option["stake_cents"]
        self.chosen.append((ask["hand"], choice))
        before = self.told["events"]
        self._check(self.at.guest.choose(self.id, choice, ask["step"]), 200)
        assert self.told["events"][:count] == before, "what has happened has changed"

    def _check(self, answer: Any, status: int) -> None:
        """Compare a reply with the wallet, the ledger, the round and the deck."""
        assert answer.status_code == status, answer.text
        self.reply, guest = answer.json(), self.at.guest
        assert guest.get(f"/rounds/{self.id}").json() == {**self.reply, "seat": None}
        assert guest.get("/wallet").json() == self.reply["wallet"]
        told, lines = self.told, self.told["lines"]
        staked = sum(self.stakes.values()) + self.added_cents
        returned = sum(line["returned_cents"] for line in lines)
        assert (told["staked_cents"], told["returned_cents"]) == (staked, returned)
        assert self.reply["wallet"] == {
            "currency": "FUN",
            "balance_cents": self.before_cents - staked + returned,
            "held_cents": staked - sum(line["staked_cents"] for line in lines),
        }
        assert (told["state"] == "open") == (told["ask"] is not None)
        if told["state"] == "open":
            assert (self.reply["seat"], told["ended_at"]) == (None, None)
        else:
            assert self.reply["seat"] == guest.seat(self.game)
        listed = [each["id"] for each in guest.get("/rounds?status=open").json()["rounds"]]
        assert (self.id in listed) == (told["state"] == "open")
        faces = on_the_table(self.told, self.chosen, self.at.decks[self.id])
        assert Counter(chain(*told["hands"].values())) == Counter(faces)
        assert cards_in(self.reply) == {*faces} - {FACE_DOWN}
        check_books(self.at.house.store)


def cards_in(value: object) -> set[str]:
    """Return every card named anywhere in a reply.

    The card a joker stands for is left out: it is not on the table and may equal a hidden card.
    """
    if isinstance(value, dict):
        return set().union(*(cards_in(each) for key, each in value.items() if key != "joker"))
    if isinstance(value, list):
        return set().union(*map(cards_in, value))
    return set(_CARD.findall(value)) if isinstance(value, str) else set()


def on_the_table(
    told: dict[str, Any], chosen: list[tuple[str | None, str]], deck: list[str]
) -> list[str]:
    """Return the cards on the table by the rules, hidden ones as the player sees them."""
    choices = [choice for _, choice in chosen]
    raised = any(choice == "play" or choice.startswith("raise") for choice in choices)
    match told["game"]:
        case "casino-stud":  # stud.3 to stud.6
            return [*deck[:6], *(deck[6:10] if raised else [FACE_DOWN] * 4)]
        case "high-card-flush":  # flush.4, flush.6
            return [*deck[:7], *(deck[7:14] if raised else [FACE_DOWN] * 7)]
        case "pai-gow":  # pai.3
            return [*deck[:7], *(deck[7:14] if choices else [FACE_DOWN] * 7)]
        case "ultimate":  # uth.3 to uth.7
            board = 5 if raised else (0, 3, 5)[min(choices.count("check"), 2)]
            house = deck[2:4] if raised else [FACE_DOWN] * 2
            return [*deck[:2], *house, *deck[4 : 4 + board]]
        case _:
            return _blackjack(told, chosen, deck)


def _blackjack(
    told: dict[str, Any], chosen: list[tuple[str | None, str]], deck: list[str]
) -> list[str]:
    """The hole card follows the up card in the deck and is turned at the end (bj.3, bj.13)."""
    first = 2 * sum(bet.startswith("hand") for bet in told["stakes"]) + 2
    if told["state"] != "open":
        return deck[: sum(map(len, told["hands"].values()))]
    drawn = sum(choice in ("hit", "double") for _, choice in chosen)
    for hand, choice in chosen:
        if choice == "split":  # bj.11: the second half gets its card when the first is done
            drawn += 1 if told["ask"]["hand"] == hand else 2
    return [*deck[: first - 1], FACE_DOWN, *deck[first : first + drawn]]


def leave(house: PlayerService, cents: int) -> None:
    """Reduce the balance of the house's only guest to `cents`."""

    def work(tx: Tx) -> None:
        ((player_id,),) = tx.rows("SELECT id FROM players")
        mine = money.player_account(player_id)
        rest = ledger.balance_cents(tx, mine) - cents
        purse = money.Purse(player_id, "FUN", 0)
        ledger.move(tx, purse, money.Transfer(mine, "cashier:FUN", rest, "grant"))

    house.store.write(work).result()
