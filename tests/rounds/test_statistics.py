"""Statistics: every figure against an independent count of stored rows, and a band by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from houses import HOUSE_WINS, ROYAL, Guest, client_of, counting_entropy, make_house
from rounds.guest_seat import Seated, rows_of
from rounds.house_with_operator import HOUR_MS, TABLES, Time, keeper_of, open_tables
from tapisvert.engine import HandName
from tapisvert.history import best_hands, round_queries
from tapisvert.history.best_hands import worth
from tapisvert.history.statistics import Win, curve, longest
from tapisvert.history.statistics import statistics as counted
from tapisvert.rounds.player_service import PlayerService
from web.five import random_stakes
from web.office import WHY, clerk_of

SIDE_BETS = {"bonus", "flush", "straight-flush", "fortune", "trips", "royal"}


def finish(guest: Guest, told: dict[str, Any], chance: Random) -> None:
    """Answer at random until a round is over."""
    round_ = told["round"]
    while round_["ask"]:
        legal = [each["id"] for each in round_["ask"]["options"] if each["legal"]]
        step = round_["ask"]["step"]
        round_ = guest.choose(round_["id"], chance.choice(legal), step).json()["round"]


def play(guest: Guest, game: str, chance: Random) -> None:
    """Play a round at random, with random stakes on every kind of spot."""
    spots = guest.get(f"/games/{game}").json()["spots"]
    finish(guest, guest.open(random_stakes(spots, chance), game=game).json(), chance)


def known(guest: Guest, game: str) -> str:
    """Play the known round of a game; return its id."""
    round_id: str = guest.open(TABLES[game].stakes, game=game).json()["round"]["id"]
    for step, choice in enumerate(TABLES[game].choices):
        guest.choose(round_id, choice, step)
    return round_id


def statistics(guest: Guest) -> dict[str, Any]:
    answer = guest.get("/statistics")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def house(tmp_path: Path) -> PlayerService:
    return make_house(tmp_path / "tapis.db", entropy=counting_entropy())


@pytest.fixture
def guest(house: PlayerService) -> Iterator[Guest]:
    """Return a guest at shuffled cards, the same in every run."""
    with client_of(house) as client:
        yield Guest(client)


def recount(house: PlayerService) -> dict[tuple[str, str], Counter[str]]:
    """Count the transfers one by one: staked and returned, by bet."""
    found: dict[tuple[str, str], Counter[str]] = {}
    rows = rows_of(
        house,
        "SELECT game, bet, reason, units, round_id FROM transfers"
        " JOIN rounds ON rounds.id = round_id",
    )
    seen = set()
    for game, bet, reason, units, round_id in rows:
        kind = bet if bet in SIDE_BETS else "main"
        count = found.setdefault((game, kind), Counter())
        side = {"stake": "staked_cents", "return": "returned_cents", "win": "returned_cents"}
        if reason in side:
            count[side[reason]] += units // 100_000
        if (round_id, kind) not in seen:
            seen.add((round_id, kind))
            count["rounds"] += 1
    return found


def test_every_bet_of_every_game_is_what_its_transfers_say(
    house: PlayerService, guest: Guest
) -> None:
    chance = Random(5)
    for _ in range(12):
        for game in TABLES:
            play(guest, game, chance)
            guest.post("/wallet/play-money")
    told = statistics(guest)
    meant = recount(house)
    counted = {
        (game["game"], bet["bet"]): Counter(
            {name: bet[name] for name in ("rounds", "staked_cents", "returned_cents")}
        )
        for game in told["games"]
        for bet in game["bets"]
    }
    assert counted == meant
    assert {bet for _, bet in counted} == SIDE_BETS | {"main"}
    for name in ("staked_cents", "returned_cents"):
        assert told[name] == sum(count[name] for count in meant.values())
        for game in told["games"]:
            own = [count[name] for (of, _), count in meant.items() if of == game["game"]]
            assert game[name] == sum(own)
    assert told["rounds"] == 60
    assert [game["rounds"] for game in told["games"]] == [12] * 5


def test_the_known_rounds_add_up_to_the_cent(tmp_path: Path) -> None:
    with client_of(open_tables(tmp_path / "tapis.db")) as client:
        guest = Guest(client)
        *first, last = (game for game in TABLES if game != "ultimate")
        ids = {game: known(guest, game) for game in (*first, "ultimate", last)}
        told = statistics(guest)
    nets = [TABLES[game].net_cents for game in ids]  # +10 +25 +20 -60 +5
    assert told["curve"] == [
        {"rounds": place + 1, "net_cents": sum(nets[: place + 1])} for place in range(5)
    ]
    assert (told["won"], told["lost"], told["longest_won"], told["longest_lost"]) == (4, 1, 3, 1)
    best = {"round_id": ids["casino-stud"], "game": "casino-stud", "net_cents": 2500}
    assert told["biggest_win"] == best
    assert {each["game"]: each["round_id"] for each in told["best_hands"]} == ids
    kinds = {each["game"]: each["hand"]["category"] for each in told["best_hands"]}
    assert kinds == {
        "pai-gow": "straight-flush",
        "casino-stud": "pair",
        "high-card-flush": "flush-3",
        "blackjack": "hard",
        "ultimate": "pair",
    }
    assert told["hands_of"] == 5


def test_a_new_guest_has_played_nothing(guest: Guest) -> None:
    told = statistics(guest)
    assert (told["rounds"], told["staked_cents"], told["left_out"]) == (0, 0, 0)
    assert (told["biggest_win"], told["curve"], told["games"]) == (None, [], [])


def test_what_was_only_lost_is_no_win(tmp_path: Path) -> None:
    with client_of(make_house(tmp_path / "tapis.db", HOUSE_WINS)) as client:
        guest = Guest(client)
        for _ in range(3):
            guest.choose(guest.open({"ante": 1000}).json()["round"]["id"], "fold")
        told = statistics(guest)
    assert (told["biggest_win"], told["longest_lost"], told["won"]) == (None, 3, 0)


def test_open_voided_and_reversed_rounds_are_left_out(tmp_path: Path) -> None:
    time = Time()
    house = open_tables(tmp_path / "tapis.db", time)
    with client_of(house) as client:
        guest, clerk = Guest(client), clerk_of(house, client, "anne")
        undone = known(guest, "casino-stud")
        kept = known(guest, "pai-gow")
        assert clerk.post(f"/operator/rounds/{undone}/void", WHY).status_code == 200
        guest.open(TABLES["blackjack"].stakes, game="blackjack")
        time.passes(25 * HOUR_MS)
        keeper_of(house, time).sweep()
        guest.open(TABLES["ultimate"].stakes, game="ultimate")
        told = statistics(guest)
    assert [game["game"] for game in told["games"]] == ["pai-gow"]
    assert (told["rounds"], told["staked_cents"], told["returned_cents"]) == (1, 1000, 2000)
    assert told["left_out"] == 2
    assert told["biggest_win"]["round_id"] == kept
    assert [each["round_id"] for each in told["best_hands"]] == [kept]


def test_nobody_sees_what_another_has_played(house: PlayerService, guest: Guest) -> None:
    play(guest, "casino-stud", Random(1))
    assert statistics(guest)["rounds"] == 1
    assert statistics(Guest(guest.client))["rounds"] == 0


@pytest.mark.parametrize(
    ("nets", "won", "lost", "runs", "biggest"),
    [
        ([0, 500, 0, 500, -1, -100, 0], 2, 2, (1, 2), 1),  # a push is neither; of equals the first
        ([1, 300, 300, -5, 0, -5], 3, 2, (3, 1), 1),
        ([0, 0], 0, 0, (0, 0), None),
        ([-1], 0, 1, (0, 1), None),
        ([1], 1, 0, (1, 0), 0),
    ],
)
def test_wins_losses_and_pushes_are_told_apart(
    house: PlayerService,
    monkeypatch: pytest.MonkeyPatch,
    nets: list[int],
    won: int,
    lost: int,
    runs: tuple[int, int],
    biggest: int | None,
) -> None:
    rows = list(enumerate(nets, 11))
    monkeypatch.setattr(round_queries, "nets", lambda tx, player_id: rows)
    monkeypatch.setattr(round_queries, "numbered", lambda tx, seq: (f"round {seq}", "ultimate"))
    told = Seated(house).ask(counted)
    assert (told.rounds, told.won, told.lost) == (len(nets), won, lost)
    assert (told.longest_won, told.longest_lost) == runs
    meant = None if biggest is None else Win(f"round {11 + biggest}", "ultimate", nets[biggest])
    assert told.biggest_win == meant


# Curve, runs, hands -------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [1, 199, 200, 201, 401, 1000, 12_345])
def test_of_many_rounds_some_are_drawn_each_where_it_was(rounds: int) -> None:
    chance = Random(rounds)
    nets = [chance.choice([-1000, 0, 500, 2500]) for _ in range(rounds)]
    points = curve(nets)
    assert len(points) <= 200  # docs/http.md
    assert points[-1].rounds == rounds
    assert len(points) == rounds or len(points) > 100
    assert all(point.net_cents == sum(nets[: point.rounds]) for point in points)
    assert [point.rounds for point in points] == sorted({point.rounds for point in points})


def test_the_longest_run_is_the_one_a_slow_search_finds() -> None:
    chance = Random(3)
    for _ in range(200):
        told = [chance.random() < 0.5 for _ in range(chance.randint(0, 12))]
        slow = max(
            (end - start for start in range(13) for end in range(start, len(told) + 1)
             if all(told[start:end])),
            default=0,
        )  # fmt: skip
        assert longest(iter(told)) == slow


def test_the_best_hand_is_the_rarest_kind_then_the_highest_ranks() -> None:
    kinds = ["bust", "hard", "soft", "pair", "blackjack", "two-pair", "royal-flush"]
    worths = [worth("blackjack", HandName(kind)) for kind in kinds]
    assert worths == sorted(set(worths))
    flushes = ["flush-3", "flush-4", "straight-flush-3", "flush-5", "straight-flush-4", "flush-6"]
    worths = [worth("high-card-flush", HandName(kind)) for kind in flushes]
    assert worths == sorted(set(worths))
    kings, aces = HandName("pair", "KQ32"), HandName("pair", "A432")
    assert worth("ultimate", aces) > worth("ultimate", kings)
    assert worth("pai-gow", HandName("five-aces")) > worth("pai-gow", HandName("royal-flush"))


def test_a_hand_is_shown_with_the_round_it_was_in(tmp_path: Path) -> None:
    with client_of(make_house(tmp_path / "tapis.db", ROYAL)) as client:
        guest = Guest(client)
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        guest.choose(round_id, "play")
        (best,) = statistics(guest)["best_hands"]
    assert (best["round_id"], best["hand"]["category"]) == (round_id, "royal-flush")
    assert best["hand"]["cards"] == ["As", "Ks", "Qs", "Js", "Ts"]


@pytest.mark.parametrize(
    ("ranks", "best"),
    [
        (["K", "A", "Q"], 1),
        (["A", "K", "Q"], 0),
        (["Q", "K", "A"], 2),
        (["A", "A", "K"], 0),  # of equals the newest
        ([None, "K", None], 1),
    ],
)
def test_of_the_newest_rounds_the_best_hand_is_shown(
    house: PlayerService, monkeypatch: pytest.MonkeyPatch, ranks: list[str | None], best: int
) -> None:
    rows = [(f"round {place}", "ultimate") for place in range(len(ranks))]
    hands = {
        round_id: HandName("pair", f"{rank}432") if rank else None
        for (round_id, _), rank in zip(rows, ranks, strict=True)
    }
    gone = [("x", "gone")]  # one row, if 500 are asked for (docs/http.md)
    monkeypatch.setattr(best_hands, "newest", lambda tx, who, limit: [*rows, *gone * (limit - 499)])
    monkeypatch.setattr(best_hands, "_hand", lambda context, round_id, game: hands[round_id])
    (found,), searched = Seated(house).ask(best_hands.best_hands)
    name = f"round {best}"
    assert found == best_hands.BestHand("ultimate", name, hands[name])  # type: ignore[arg-type]
    assert searched == 4


def test_the_hands_that_are_remembered_have_a_limit(
    house: PlayerService, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, HandName | None] = {}
    monkeypatch.setattr(best_hands, "_HANDS", kept)
    monkeypatch.setattr(best_hands, "_KEPT_MAX", 2)
    for _ in range(3):
        play(guest, "casino-stud", Random(1))
    first = statistics(guest)["best_hands"]
    assert len(kept) == 2
    assert statistics(guest)["best_hands"] == first
