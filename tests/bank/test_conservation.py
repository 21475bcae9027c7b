"""Random sequences of commands against a model of the money: no money is lost or created.

The model knows the payments of four decks (docs/rules/casino-stud.md) and nothing of ledgers,
stores or replays. The client seed selects the deck, so the state machine knows the cards in
advance.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bank.tables import check_books
from houses import HOUSE_WINS, KEY, PLAYER_WINS, Clock, counting_entropy, deck_of
from rounds.guest_seat import Seated, read, refusal_of
from stores import both_at_length, sqlite_only, store_at
from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer
from tiers import long

pytestmark = both_at_length

TIE = "Ah Kd 9c 5s 3d As Kc 9d 5h 3c"
FLUSH_NO_HOUSE = "Kh 9h 7h 4h 2h Qc Js 9s 8d 3c"  # the house has queen high and does not qualify
DECKS = {"wins": PLAYER_WINS, "loses": HOUSE_WINS, "ties": TIE, "flush": FLUSH_NO_HOUSE}
# Return per cent staked when the player plays on: ante, play, bonus.
BACK = {"wins": (2, 2, 0), "loses": (0, 0, 0), "ties": (1, 1, 0), "flush": (2, 1, 16)}
GRANT = 100_000

antes = st.sampled_from([100, 200, 5_000, 10_000])
bonuses = st.sampled_from([0, 100, 10_000])


@dataclass
class Model:
    """The expected money of one guest."""

    guest: Seated
    balance: int = GRANT
    open: tuple[str, str, int, int] | None = None  # round id, deck, ante, bonus
    last: tuple[Callable[[], bytes], bytes] | None = None  # an executed command, and its reply

    @property
    def held(self) -> int:
        return self.open[2] + self.open[3] if self.open else 0


def named_deck(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
    return deck_of(DECKS[deal.client_seed])


class Tables(RuleBasedStateMachine):
    """Guests who arrive, open, choose, repeat commands, overbid and go broke."""

    guests = Bundle[Model]("guests")

    @initialize()
    def open_house(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.models: list[Model] = []
        dealer = Dealer(Sealer(KEY), counting_entropy(), named_deck)
        self.house = PlayerService(store_at(Path(self.folder.name) / "t.db"), dealer, clock=Clock())

    @rule(target=guests)
    def a_guest_comes(self) -> Model:
        self.models.append(Model(Seated(self.house)))
        return self.models[-1]

    @rule(guest=guests, deck=st.sampled_from(sorted(DECKS)), ante=antes, bonus=bonuses)
    def opens(self, guest: Model, deck: str, ante: int, bonus: int) -> None:
        stakes = {"ante": ante, "bonus": bonus} if bonus else {"ante": ante}
        asked, key = guest.guest.asking(stakes, client_seed=deck), guest.guest.key()

        def command() -> bytes:
            return guest.guest.open(asked, key)

        if guest.open:
            refusal = refusal_of(command)
            assert refusal.code == "round/already_open"
            assert refusal.details["round_id"] == guest.open[0]
        elif ante + bonus > guest.balance:
            assert refusal_of(command).code == "wallet/insufficient_funds"
        else:
            guest.last = command, command()
            guest.balance -= ante + bonus
            guest.open = (asked.round_id, deck, ante, bonus)

    @rule(guest=guests, choice=st.sampled_from(["play", "fold"]))
    def chooses(self, guest: Model, choice: str) -> None:
        if not guest.open:
            return
        round_id, deck, ante, bonus = guest.open
        key = guest.guest.key()

        def command() -> bytes:
            return guest.guest.choose(round_id, choice, key=key)

        if choice == "play" and 2 * ante > guest.balance:
            assert refusal_of(command).code == "wallet/insufficient_funds"
            return
        guest.last = command, command()
        on_ante, on_play, on_bonus = BACK[deck]
        if choice == "fold":
            guest.balance += on_bonus * bonus
        else:
            guest.balance += on_ante * ante + 2 * (on_play - 1) * ante + on_bonus * bonus
        guest.open = None

    @precondition(lambda self: any(model.last for model in self.models))
    @rule(data=st.data())
    def repeats_the_last_command(self, data: st.DataObject) -> None:
        guest = data.draw(st.sampled_from([model for model in self.models if model.last]))
        assert guest.last is not None
        command, reply = guest.last
        assert command() == reply

    @rule(guest=guests, stakes=st.sampled_from([{"ante": 150}, {"ante": 10_100}, {"bonus": 100}]))
    def asks_what_the_table_refuses(self, guest: Model, stakes: dict[str, int]) -> None:
        asked = guest.guest.asking(stakes, client_seed="wins")
        code = refusal_of(lambda: guest.guest.open(asked)).code
        assert code.startswith("stake/") or (guest.open and code == "round/already_open")

    @rule(guest=guests, step=st.sampled_from([-1, 1, 7]))
    def answers_another_question(self, guest: Model, step: int) -> None:
        if guest.open:
            round_id = guest.open[0]
            refusal = refusal_of(lambda: guest.guest.choose(round_id, "play", step))
            assert refusal.code == "round/stale_step"

    @rule(guest=guests)
    def asks_for_more(self, guest: Model) -> None:
        needed = 2 * guest.open[2] if guest.open else 100
        if guest.balance < needed:
            guest.guest.more()
            guest.balance += GRANT
        else:
            assert refusal_of(guest.guest.more).code == "wallet/not_broke"

    @rule(guest=guests, left=st.sampled_from([0, 100, 300]))
    def gives_money_back(self, guest: Model, left: int) -> None:
        if guest.balance > left:
            guest.guest.leave(left)
            guest.balance = left

    @rule(guest=guests)
    def looks_at_the_open_round(self, guest: Model) -> None:
        if guest.open:
            shown = read(guest.guest.shown(guest.open[0]))
            assert (shown.round.state, shown.wallet.held_cents) == ("open", guest.held)

    @invariant()
    def the_money_is_what_the_model_says(self) -> None:
        for model in getattr(self, "models", ()):
            assert model.guest.purse() == (model.balance, model.held)

    @invariant()
    def the_books_add_up_to_zero(self) -> None:
        if hasattr(self, "house"):
            check_books(self.house.store)

    def teardown(self) -> None:
        if hasattr(self, "house"):
            self.house.store.close()
            self.folder.cleanup()


@pytest.mark.parametrize("examples", [12, pytest.param(40, marks=[long, sqlite_only])])
def test_after_any_sequence_of_commands_every_cent_is_where_the_model_has_it(examples: int) -> None:
    steady = settings(
        max_examples=examples,
        stateful_step_count=40,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Tables, settings=steady)
