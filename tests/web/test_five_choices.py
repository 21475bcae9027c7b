"""Options of all five games over HTTP: unaffordable ones, and ones the rules forbid.

Fixed decks make each question come up. A deck is written in dealing order (docs/rules).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from houses import PLAYER_WINS, ROYAL, Guest
from stores import both_at_length
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load
from tapisvert.words import catalogue
from web.five import leave
from web.scene import GRANT, Seating, code_of, everything

pytestmark = both_at_length

TWO = {"hand-1": 1000, "hand-2": 600}
BOTH = {"ante": 1000, "blind": 1000}
FIVE_HEARTS = "Ah 9h 6h 4h 2h Kd 7d Ac Kc Qd Jd Ts 9s 8h"
FOUR_HEARTS = "Ah 9h 4h 2h Kd 7d Qs Ac Kc Qd Jd Ts 9s 8h"
UNBEATABLE = "Ah Kh Qh Jh Th 9h 8h 9c 3c 2c Ad Kd Qs Js"
HOLDEM = "Kh 3c 9h 3d Kd 9s 7c 4h 2s"
SEVEN = "9s 9h Jk 5d 3c 8d 2s Ac Kd Jh 7c 6s 4h 3d"  # a pair of nines and a joker


class Asked(NamedTuple):
    """A question, and the deck, stakes and choices that lead to it."""

    game: str
    first: str
    stakes: dict[str, int]
    choices: tuple[str, ...] = ()


class Question(NamedTuple):
    """A waiting round, with helpers."""

    house: PlayerService
    guest: Guest
    id: str
    step: int

    def shown(self) -> dict[str, Any]:
        round_: dict[str, Any] = self.guest.get(f"/rounds/{self.id}").json()["round"]
        return round_

    def options(self) -> dict[str, dict[str, Any]]:
        """Fetch the options of the open question, by id."""
        return {option["id"]: option for option in self.shown()["ask"]["options"]}

    def choose(self, choice: str, language: str = "en", key: str | None = None) -> Any:
        headers = {**self.guest.headers(key), "Accept-Language": language}
        body = {"step": self.step, "choice": choice}
        path = f"/api/v1/rounds/{self.id}/choices"
        return self.guest.client.post(path, json=body, headers=headers)


def put(seating: Seating, asked: Asked, **given: Any) -> Question:
    house, guest = seating(asked.first, **given)
    opened = guest.open(asked.stakes, game=asked.game)
    assert opened.status_code == 201, opened.text
    round_id = opened.json()["round"]["id"]
    for step, choice in enumerate(asked.choices):
        assert guest.choose(round_id, choice, step).status_code == 200
    return Question(house, guest, round_id, len(asked.choices))


# What the wallet cannot pay -----------------------------------------------------------------------

# The question, and what each option that costs something costs (docs/rules).
DEAR: dict[str, tuple[Asked, dict[str, int]]] = {
    "stud.5 play": (Asked("casino-stud", PLAYER_WINS, {"ante": 1000}), {"play": 2000}),
    "flush.5 raises": (
        Asked("high-card-flush", FIVE_HEARTS, {"ante": 1000}),
        {"raise-1": 1000, "raise-2": 2000},
    ),
    "uth.4 before the flop": (Asked("ultimate", HOLDEM, BOTH), {"raise-3": 3000, "raise-4": 4000}),
    "uth.5 after it": (Asked("ultimate", HOLDEM, BOTH, ("check",)), {"raise-2": 2000}),
    "uth.6 after the river": (
        Asked("ultimate", HOLDEM, BOTH, ("check", "check")),
        {"raise-1": 1000},
    ),
    "bj.6 insurance": (Asked("blackjack", "Th 9s 8h 7c Ad 5c", TWO), {"insure": 500}),
    "bj.6 insurance of the second": (
        Asked("blackjack", "Th 9s 8h 7c Ad 5c", TWO, ("decline",)),
        {"insure": 300},
    ),
    "bj.10 double": (Asked("blackjack", "6h 5s 8h 7c 7d Tc", TWO), {"double": 1000}),
    "bj.11 split": (Asked("blackjack", "8h 8s 6h 7c 7d Tc", TWO), {"split": 1000}),
    "bj.12 double of the second half": (
        Asked("blackjack", "8h 8s 7d Tc Th 2c Kh", {"hand-1": 600}, ("split", "stand")),
        {"double": 600},
    ),
}
each_dear = pytest.mark.parametrize(("asked", "costs"), DEAR.values(), ids=DEAR)


@each_dear
def test_an_option_the_wallet_cannot_pay_is_listed_refused_and_taken_after_play_money(
    seating: Seating, asked: Asked, costs: dict[str, int]
) -> None:
    for choice, cents in costs.items():
        question = put(seating, asked)
        leave(question.house, cents - 1)
        check_affordable(question, costs, cents - 1)
        before = everything(question.house)
        refused = question.choose(choice)
        assert code_of(refused) == (402, "wallet/insufficient_funds")
        needs = {"needed_cents": cents, "balance_cents": cents - 1}
        assert needs.items() <= refused.json()["args"].items()
        assert everything(question.house) == before
        assert question.guest.post("/wallet/play-money").status_code == 200
        check_affordable(question, costs, cents - 1 + GRANT)
        check_taken(question, choice, cents, cents - 1 + GRANT)


@each_dear
def test_a_wallet_that_has_just_enough_pays_for_the_dearest_option_and_gets_no_play_money(
    seating: Seating, asked: Asked, costs: dict[str, int]
) -> None:
    question = put(seating, asked)
    choice, cents = max(costs.items(), key=lambda cost: cost[1])
    leave(question.house, cents)
    check_affordable(question, costs, cents)
    assert question.guest.post("/wallet/play-money").json()["code"] == "wallet/not_broke"
    check_taken(question, choice, cents, cents)


def test_a_forbidden_option_the_wallet_could_not_pay_makes_nobody_broke(seating: Seating) -> None:
    question = put(seating, Asked("high-card-flush", FOUR_HEARTS, {"ante": 1000}))
    leave(question.house, 1000)
    raise_2 = question.options()["raise-2"]
    assert (raise_2["legal"], raise_2["affordable"]) == (False, False)
    assert question.choose("raise-2").json()["code"] == "choice/not_legal"
    assert question.guest.post("/wallet/play-money").json()["code"] == "wallet/not_broke"


def check_affordable(question: Question, costs: dict[str, int], balance: int) -> None:
    """Check which options a balance affords. Events stay the same; the view changes."""
    for choice, option in question.options().items():
        assert option["affordable"] == (option["stake_cents"] <= balance), choice
        if option["legal"]:
            assert option["stake_cents"] == costs.get(choice, 0), choice
    for event in question.shown()["events"]:
        assert not any("affordable" in option for option in event.get("options", ()))


def check_taken(question: Question, choice: str, cents: int, balance: int) -> None:
    """Take an option, and check that it costs the displayed price."""
    before = question.shown()
    taken = question.choose(choice)
    assert taken.status_code == 200, taken.text
    after = taken.json()["round"]
    assert after["staked_cents"] == before["staked_cents"] + cents
    back = after["returned_cents"] - before["returned_cents"]
    assert taken.json()["wallet"]["balance_cents"] == balance - cents + back


def test_a_set_of_pai_gow_costs_nothing_and_an_empty_wallet_can_choose_any(
    seating: Seating,
) -> None:
    question = put(seating, Asked("pai-gow", SEVEN, {"main": 1000}))
    leave(question.house, 0)
    options = question.options()
    assert len(options) == 21
    assert all(option["affordable"] for option in options.values())
    suggested = [choice for choice, option in options.items() if option["suggested"]]
    assert question.choose(*suggested).json()["round"]["state"] == "settled"


# What the rules forbid ----------------------------------------------------------------------------

FORBIDDEN: dict[str, tuple[Asked, str, str]] = {
    "stud.7": (Asked("casino-stud", ROYAL, {"ante": 1000}), "fold", "fold/royal"),
    "flush.5": (
        Asked("high-card-flush", FOUR_HEARTS, {"ante": 1000}),
        "raise-2",
        "raise/too-short",
    ),
    "flush.7": (Asked("high-card-flush", UNBEATABLE, {"ante": 1000}), "fold", "fold/cannot-lose"),
    "pai.4": (Asked("pai-gow", SEVEN, {"main": 1000}), "9s 9h", "set/foul"),
    "bj.10 total": (Asked("blackjack", "Th 9s 8h 7c 7d Tc", TWO), "double", "double/not-10-or-11"),
    "bj.10 three cards": (
        Asked("blackjack", "2h 3s 8h 7c 7d Tc 6h", TWO, ("hit",)),
        "double",
        "double/two-cards",
    ),
    "bj.11 not a pair": (Asked("blackjack", "Th 9s 8h 7c 7d Tc", TWO), "split", "split/not-a-pair"),
    "bj.11 once": (
        Asked("blackjack", "8h 8s 7d Tc 8c", {"hand-1": 1000}, ("split",)),
        "split",
        "split/once",
    ),
}
NOT_AFTER_SPLIT = with_changes(load("blackjack"), {"hand.double_after_split": "none"})


def check_forbidden(question: Question, choice: str, why: str) -> None:
    """Check that an option is listed as illegal and refused with its reason in both languages."""
    option = question.options()[choice]
    assert (option["legal"], option["why_not"]) == (False, why)
    game, before, details = question.shown()["game"], everything(question.house), []
    for language in ("en", "fr"):
        answer = question.choose(choice, language)
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (422, "choice/not_legal")
        assert (problem["args"]["why"], problem["round_id"]) == (why, question.id)
        words = question.guest.get(f"/words/{language}").json()
        assert words[f"{game}.why-not.{why}"] in problem["detail"]
        said = catalogue(language)
        cards = ", ".join(said.card(card) for card in choice.split()) if " " in choice else ""
        assert words.get(f"{game}.option.{choice}", cards) in problem["detail"]
        details.append(problem["detail"])
    assert details[0] != details[1]
    assert everything(question.house) == before


@pytest.mark.parametrize(("asked", "choice", "why"), FORBIDDEN.values(), ids=FORBIDDEN)
def test_a_forbidden_option_is_refused_with_its_reason_in_both_languages(
    seating: Seating, asked: Asked, choice: str, why: str
) -> None:
    check_forbidden(put(seating, asked), choice, why)


def test_doubling_after_a_split_is_forbidden_where_the_sheet_says_so(seating: Seating) -> None:
    def sheet_of(game: str) -> Sheet:
        return NOT_AFTER_SPLIT if game == "blackjack" else load(game)

    asked = Asked("blackjack", "8h 8s 7d Tc 3h", {"hand-1": 1000}, ("split",))
    check_forbidden(put(seating, asked, sheet_of=sheet_of), "double", "double/after-split")


# A set in either order ----------------------------------------------------------------------------


IN_FRONT = Asked("pai-gow", SEVEN, {"main": 1000})


def test_a_set_in_swapped_order_is_the_set_as_it_was_listed(seating: Seating) -> None:
    replies = []
    for choice in ("5d 8d", "8d 5d"):
        question = put(seating, IN_FRONT)
        assert "5d 8d" in question.options()
        assert "8d 5d" not in question.options()
        told = question.choose(choice).json()["round"]
        assert told["hands"]["player-low"] == ["5d", "8d"]
        (chose,) = [event for event in told["events"] if event["kind"] == "chose"]
        assert chose["option"] == "5d 8d"
        recall = question.guest.get(f"/rounds/{question.id}/recall").json()
        assert (recall["choices"], recall["round"]) == (["5d 8d"], told)
        replies.append((told["events"], told["lines"], told["hands"]))
    assert replies[0] == replies[1]


def test_a_set_in_swapped_order_is_foul_or_stored_and_proved_as_it_was_listed(
    seating: Seating,
) -> None:
    question = put(seating, IN_FRONT)
    for choice in ("9s 9h", "9h 9s"):
        assert question.choose(choice).json()["code"] == "choice/not_legal"
    question.choose("8d 5d")
    proof = question.guest.get(f"/rounds/{question.id}/proof").json()
    assert proof["answers"] == ["5d 8d"]
