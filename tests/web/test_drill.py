"""The drill: questions near the player's own mistakes, from decks outside any round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coach.present import Present
from houses import KEY, Clock, Guest, client_of, counting_entropy, make_house
from rounds.guest_seat import rows_of
from rounds.house_with_operator import TABLES, open_tables
from rounds.test_statistics import play
from tapisvert.cards import Card, text
from tapisvert.coach.advice import advise
from tapisvert.dealing import Deal, shuffle
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer
from tapisvert.store import SqliteStore
from tapisvert.web import drill
from web.five import GAMES, cards_in, on_the_table

ROUNDS = 4
STAKES = {game: table.stakes for game, table in TABLES.items()}


class Tables:
    """A house that records every deck, by its purpose."""

    def __init__(self, path: Path) -> None:
        self.decks: dict[str, list[list[str]]] = {}
        dealer = Dealer(Sealer(KEY), counting_entropy(), self._laid_out)
        self.house = PlayerService(SqliteStore(path), dealer, clock=Clock())

    def _laid_out(self, seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        deck = shuffle(seed, deal, cards)
        self.decks.setdefault(deal.round_id, []).append([text(card) for card in deck])
        return deck


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal fewer questions."""
    monkeypatch.setattr(drill, "CANDIDATES", 6)


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path / "tapis.db")


@pytest.fixture
def guest(tables: Tables, coach: Present) -> Iterator[Guest]:
    with client_of(tables.house, coach, Random(1)) as client:
        yield Guest(client)


def drilled(guest: Guest, game: str) -> dict[str, Any]:
    answer = guest.get(f"/drill/{game}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def left_open(guest: Guest, game: str) -> tuple[str, int]:
    """Open rounds until one waits on a question; return it, and how many ended at the deal."""
    for ended in range(20):
        dealt = guest.open(STAKES[game], game=game).json()["round"]
        if dealt["state"] == "open":
            return dealt["id"], ended
    raise AssertionError("twenty rounds in a row ended at the deal")


@pytest.mark.parametrize("game", GAMES)
def test_a_question_comes_from_a_new_deck_and_shows_no_more_than_a_table_would(
    tables: Tables, guest: Guest, game: str
) -> None:
    """A round of the game is open; its deck must not be used."""
    waiting, ended = left_open(guest, game)
    tables.decks.clear()
    told = drilled(guest, game)
    assert waiting not in tables.decks
    assert set(tables.decks) == {"practice"}
    chosen = [(each["hand"], each["option"]) for each in told["events"] if each["kind"] == "chose"]
    seen = {card for hand in told["hands"].values() for card in hand} - {"??"}
    fits = [deck for deck in tables.decks["practice"] if seen <= set(deck[: len(seen) + 7])]
    lying = sorted(chain(*told["hands"].values()))
    open_ = {**told, "state": "open"}
    assert any(sorted(on_the_table(open_, chosen, deck)) == lying for deck in fits)
    assert cards_in(told) == seen
    assert told["because"] is None  # nothing was decided yet
    assert told["mine"] == {
        "rounds": ended,
        "looked_at": ended,
        "decisions": 0,
        "mistakes": 0,
        "mean_cost": None,
    }


@pytest.mark.parametrize("game", GAMES)
def test_the_options_are_worth_what_the_coach_says_of_this_very_question(
    guest: Guest, coach: Present, game: str
) -> None:
    told = drilled(guest, game)
    legal = [each["id"] for each in told["ask"]["options"] if each["legal"]]
    advice = told["advice"]
    assert list(advice["options"]) == legal
    assert len(legal) > 1
    hand = told["ask"]["hand"]
    cards = told["hands"][hand or "player"]
    board = told["hands"].get("board", [])
    mine = [
        position
        for position in coach.asked
        if position.get("hand" if hand else "player") == cards
        and position.get("board", []) == board
    ]
    worth = advise(mine[0]).options
    assert advice["options"] == {option: worth[option] for option in legal}
    assert advice["best"] == max(legal, key=lambda option: worth[option])
    assert advice["unit_cents"] == 100


@pytest.mark.parametrize("game", GAMES)
def test_what_the_coach_found_is_what_he_says_of_each_round_one_by_one(
    guest: Guest, game: str
) -> None:
    """Computed a second way: every decision by `what-if/advice`, as the replay does."""
    chance, costs = Random(7), {}
    for _ in range(ROUNDS):
        play(guest, game, chance)
        guest.post("/wallet/play-money")
    _, ended = left_open(guest, game)
    told = drilled(guest, game)
    for each in guest.get("/rounds").json()["rounds"]:
        if each["state"] != "settled":
            continue
        before = ""
        for choice in guest.get(f"/rounds/{each['id']}/recall").json()["choices"]:
            found = guest.get(f"/rounds/{each['id']}/what-if/advice?{before}").json()
            cost = found["options"][found["best"]] - found["options"][choice]
            costs[each["id"], before] = cost
            before += f"&choice={choice}"
    assert told["mine"]["rounds"] == told["mine"]["looked_at"] == ROUNDS + ended
    assert told["mine"]["decisions"] == len(costs)
    assert told["mine"]["mistakes"] == sum(cost > 0.005 for cost in costs.values())
    assert told["mine"]["mean_cost"] == pytest.approx(sum(costs.values()) / len(costs))
    because = told["because"]
    assert because["cost"] in [cost for (of, _), cost in costs.items() if of == because["round_id"]]
    assert because["cost"] > 0.005


def gap_of(position: dict[str, Any]) -> tuple[str, float]:
    """Return the best option in a position of Casino Stud, and its margin."""
    worth = advise(position).options
    return max(worth, key=lambda option: worth[option]), abs(worth["play"] - worth["fold"])


def test_the_question_put_is_the_nearest_of_those_dealt(tmp_path: Path) -> None:
    """Kings were folded, which costs 1.3 antes: the nearest of the hands dealt is asked."""
    house, coach = make_house(tmp_path / "tapis.db", entropy=counting_entropy()), Present()
    kings = {"game": "casino-stud", "player": ["Kh", "Kd", "7c", "4s", "2d"], "house": ["Ac"]}
    known = open_tables(tmp_path / "known.db").dealer
    random, house.dealer = house.dealer, known
    with client_of(house, coach, Random(1)) as client:
        guest = Guest(client)
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        guest.choose(round_id, "fold")
        told = drilled(guest, "casino-stud")
        assert told["because"] == {"round_id": round_id, "cost": pytest.approx(gap_of(kings)[1])}
        house.dealer = random
        for _ in range(3):
            coach.asked.clear()
            told = drilled(guest, "casino-stud")
            dealt = [position for position in coach.asked if position != kings]
            assert len(dealt) == drill.CANDIDATES
            alike = [each for each in dealt if gap_of(each)[0] == "play"]
            near = min(alike, key=lambda each: abs(gap_of(each)[1] - gap_of(kings)[1]))
            assert told["hands"]["player"] == near["player"]


def test_without_mistakes_it_is_the_closest_decision_of_those_dealt(
    guest: Guest, coach: Present
) -> None:
    for _ in range(3):
        coach.asked.clear()
        told = drilled(guest, "casino-stud")
        assert told["because"] is None
        close = min(coach.asked, key=lambda position: gap_of(position)[1])
        assert told["hands"]["player"] == close["player"]


def test_at_blackjack_the_hand_is_like_the_one_that_was_misplayed(tmp_path: Path) -> None:
    """20 against a 6 was hit: the nearest of 64 questions is close to that."""
    house = make_house(tmp_path / "tapis.db", "Th Ts 6d Tc Td")
    with client_of(house, Present(), Random(1)) as client:
        guest = Guest(client)
        round_id = guest.open({"hand-1": 1000}, game="blackjack").json()["round"]["id"]
        guest.choose(round_id, "hit")
        drilled(guest, "blackjack")  # looks at the round while its deck is the stacked one
        house.dealer = make_house(tmp_path / "other.db", entropy=counting_entropy()).dealer
        told = drilled(guest, "blackjack")
    assert told["because"]["round_id"] == round_id
    assert (told["ask"]["key"], told["advice"]["best"]) == ("play", "stand")
    (up,) = [card for card in told["hands"]["house"] if card != "??"]
    named = [each["hand"] for each in told["events"] if each["kind"] == "named"]
    assert abs(int(up[0]) - 6) + abs(named[-1]["total"] - 20) <= 2


def test_a_round_is_looked_at_once_and_some_at_a_time(
    guest: Guest, coach: Present, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drill, "QUESTIONS_AT_ONCE", 2)
    chance = Random(3)
    for _ in range(5):
        play(guest, "high-card-flush", chance)
    looked, asked = [], []
    for _ in range(4):
        coach.asked.clear()
        looked.append(drilled(guest, "high-card-flush")["mine"]["looked_at"])
        asked.append(len(coach.asked) - drill.CANDIDATES)
    assert looked == [2, 4, 5, 5]
    assert asked == [2, 2, 1, 0]


def test_what_is_remembered_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drill, "_ROUNDS_KEPT", 2)
    memory = drill.Memory()
    for name in "abc":
        memory.keep(name, ())
    assert ("a" in memory, "b" in memory, "c" in memory) == (False, True, True)


def test_nothing_is_written_and_nothing_staked(tables: Tables, guest: Guest) -> None:
    play(guest, "casino-stud", Random(1))
    names = ("transfers", "rounds", "commands", "significant_events", "accounts")
    before = [rows_of(tables.house, f"SELECT * FROM {name}") for name in names]
    for game in GAMES:
        drilled(guest, game)
    assert [rows_of(tables.house, f"SELECT * FROM {name}") for name in names] == before


def test_a_strangers_mistakes_are_their_own(guest: Guest) -> None:
    round_id = guest.open({"ante": 1000}).json()["round"]["id"]
    guest.choose(round_id, "fold")
    stranger = drilled(Guest(guest.client), "casino-stud")
    assert (stranger["because"], stranger["mine"]["rounds"]) == (None, 0)
