"""A house behind a gate, and guests whose commands form one group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bank.tables import check_books
from houses import KEY, PLAYER_WINS, Clock, counting_entropy, deck_of
from rounds.gated_store import Gated
from rounds.guest_seat import PATIENCE_S, STUD, Seated, conserved
from rounds.house_with_operator import TABLES, Funded, findings
from rounds.house_with_pot import GAME, HANDS, STAKES
from stores import store_at
from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import Dealer, PlayerService, groups
from tapisvert.rounds.decide import Command
from tapisvert.rounds.load import Loaded, PreparedCommand, SharedState, load
from tapisvert.rounds.schemas import ChoiceRequest, SeatRequest
from tapisvert.sealing import Entropy, Sealer
from tapisvert.store import Tx

KINDS = ("seat", "open", "choose", "more")
MANY = 32
PURSES = {
    "seat": (100_000, 0),
    "open": (99_900, 100),
    "choose": (100_300, 0),  # the ante and twice the ante, won
    "more": (100_050, 0),
}
OTHER_RULES = {  # a variant of each game
    "pai-gow": "fortune-5000",
    "casino-stud": "flush-6",
    "high-card-flush": "three-times",
    "blackjack": "six-to-five",
    "ultimate": "trips-9-7-4-3",
}
Give = Callable[[], Future[Any]]


class Tables:
    """A house behind a gate, and guests who are each ready to submit a command of some kind."""

    def __init__(self, path: Path, entropy: Entropy | None = None) -> None:
        def known(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
            return deck_of(HANDS.get(deal.client_seed, PLAYER_WINS), cards)

        self.store = Gated(store_at(path))
        dealer = Dealer(Sealer(KEY), entropy or counting_entropy(), known)
        self.house = PlayerService(self.store, dealer, clock=Clock())

    def ready(self, kind: str) -> tuple[Seated, Give]:
        """Bring a guest to the point where this kind of command comes next; return it, not
        submitted yet.
        """
        house = self.house
        if kind == "pot":  # a bet on a pot of another currency
            player = Funded(house, currency="EUR")
            bets = player.asking({"hand-1": 1000, "hand-2": 1000, "royal": 68}, "blackjack")
            return player, partial(house.open, player.token, "key", bets)
        if kind == "claim":  # a hand that wins the pot
            player = Funded(house)
            bets = player.asking(STAKES, GAME, client_seed="royal-flush")
            return player, partial(house.open, player.token, "key", bets)
        guest = Seated(house)
        if kind == "retired":  # a seat that is drawn again, by other rules
            guest.seat(GAME)
            guest.plays(GAME, OTHER_RULES[GAME])
            return guest, partial(house.seat, guest.token, SeatRequest(GAME))
        if kind == "stays":  # a choice that leaves its round open
            asked = guest.asking(TABLES["ultimate"].stakes, "ultimate")
            guest.open(asked)
            answer = ChoiceRequest(0, "check")
            return guest, partial(house.choose, guest.token, "key", asked.round_id, answer, 0)
        if kind == "seat":
            return guest, partial(house.seat, guest.token, SeatRequest(STUD))
        if kind == "more":
            guest.leave(50)
            return guest, partial(house.more_play_money, guest.token, "key")
        asked = guest.asking()
        if kind == "refused":  # and the refusal is stored under the key
            asked = replace(asked, stakes={"ante": 1})
            return guest, partial(house.open, guest.token, "key", asked)
        if kind == "repeated":
            guest.open(asked, "key")
        if kind in ("open", "repeated"):
            return guest, partial(house.open, guest.token, "key", asked)
        guest.open(asked)
        answer = ChoiceRequest(0, "play")
        return guest, partial(house.choose, guest.token, "key", asked.round_id, answer, 0)

    def given(self, commands: Sequence[Give], cancelled: int | None = None) -> list[Future[Any]]:
        """Submit commands that form one group; return their completed futures."""
        with self.store.closed():
            futures = [give() for give in commands]
            if cancelled is not None:
                assert futures[cancelled].cancel()
        for future in futures:
            if not future.cancelled():
                future.exception(PATIENCE_S)
        return futures

    def right(self) -> None:
        """Check the ledger, and replay every round."""
        Housekeeping(self.house).seal()
        assert conserved(self.house)
        assert findings(self.house) == ()
        check_books(self.store)


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    made = Tables(tmp_path / "tapis.db")
    yield made
    made.right()
    made.store.close()


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[list[Command]]:
    """Record the commands of every group when it is loaded."""
    seen: list[list[Command]] = []

    def noting(
        tx: Tx, group: Sequence[PreparedCommand], shared: SharedState, *, wait: bool
    ) -> list[Loaded]:
        seen.append([asked.command for asked in group])
        return load(tx, group, shared, wait=wait)

    monkeypatch.setattr(groups, "load", noting)
    return seen


def mixed() -> list[str]:
    """Return this many commands, spread evenly over the kinds."""
    return [KINDS[place % len(KINDS)] for place in range(MANY)]
