"""Statistics: the curve, the longest runs and the best hands."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from houses import ROYAL, Guest, client_of, make_house
from tapisvert.rounds.best_hands import worth
from tapisvert.rounds.statistics import POINTS_MAX, curve, longest
from tapisvert.table import HandName
from web.test_statistics import statistics


@pytest.mark.parametrize("rounds", [1, 199, 200, 201, 401, 1000, 12_345])
def test_of_many_rounds_some_are_drawn_each_where_it_was(rounds: int) -> None:
    chance = Random(rounds)
    nets = [chance.choice([-1000, 0, 500, 2500]) for _ in range(rounds)]
    points = curve(nets)
    assert len(points) <= POINTS_MAX
    assert points[-1].rounds == rounds
    assert len(points) == rounds or len(points) >= POINTS_MAX // 2
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
