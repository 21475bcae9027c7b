"""Statistics: every figure against an independent count of what is stored, and a band by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from houses import HOUSE_WINS, Guest, client_of, make_house
from rounds.operated import HOUR_MS, TABLES, Time, keeper_of, open_tables
from rounds.seated import rows_of
from tapisvert.rounds.house import House
from tapisvert.sheets import Sheet, load, with_changes
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
def house(tmp_path: Path) -> House:
    return make_house(tmp_path / "tapis.db")


@pytest.fixture
def guest(house: House) -> Iterator[Guest]:
    """A guest at random cards."""
    with client_of(house) as client:
        yield Guest(client)


def recount(house: House) -> dict[tuple[str, str], Counter[str]]:
    """Count the transfers one by one: what was staked on each bet and what came back."""
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


def test_every_bet_of_every_game_is_what_its_transfers_say(house: House, guest: Guest) -> None:
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
        ids = {game: known(guest, game) for game in TABLES}
        told = statistics(guest)
    nets = [table.net_cents for table in TABLES.values()]  # +25 +5 +10 -60 +20
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


def test_nobody_sees_what_another_has_played(house: House, guest: Guest) -> None:
    play(guest, "casino-stud", Random(1))
    assert statistics(guest)["rounds"] == 1
    assert statistics(Guest(guest.client))["rounds"] == 0


# The band -----------------------------------------------------------------------------------------


def bands(guest: Guest, game: str) -> dict[str, Any]:
    (found,) = [each for each in statistics(guest)["games"] if each["game"] == game]
    return {bet["bet"]: bet["band"] for bet in found["bets"]}


def test_the_band_of_casino_stud_is_the_one_worked_out_by_hand(tmp_path: Path) -> None:
    """Antes of 10, 10 and 20: the mean is 40 x -0.05224306 = -2.09, the variance of a round
    5.0308259 per ante squared: 2 x sqrt(5.0308259 x (100 + 100 + 400)) = 109.88. Of the bonus,
    5 once: 5 x -0.08561408 = -0.43 and 2 x 5 x sqrt(29.684961) = 54.48, of which 5 can be lost.
    """
    with client_of(make_house(tmp_path / "tapis.db", HOUSE_WINS)) as client:
        guest = Guest(client)
        for stakes in ({"ante": 1000}, {"ante": 1000, "bonus": 500}, {"ante": 2000}):
            guest.choose(guest.open(stakes).json()["round"]["id"], "fold")
        found = bands(guest, "casino-stud")
    assert found == {
        "main": {
            "strategy": "optimal",
            "return": "0.974447143852",
            "mean_cents": -209,
            "low_cents": -209 - 10988,
            "high_cents": -209 + 10988,
        },
        "bonus": {
            "strategy": "none",
            "return": "0.914385918033",
            "mean_cents": -43,
            "low_cents": -500,
            "high_cents": -43 + 5448,
        },
    }


def test_two_hands_of_blackjack_vary_at_most_like_one_with_both_stakes(tmp_path: Path) -> None:
    """10 and 5 on two hands: 2 x 15 x sqrt(1.22851094) = 33.25. A jackpot has no band."""
    with client_of(make_house(tmp_path / "tapis.db", "Th 9s Tc 8s 7d Td")) as client:
        guest = Guest(client)
        stakes = {"hand-1": 1000, "hand-2": 500, "royal": 100}
        round_id = guest.open(stakes, game="blackjack").json()["round"]["id"]
        for step in range(2):
            guest.choose(round_id, "stand", step)
        found = bands(guest, "blackjack")
    mean = round(1500 * -0.003363442)
    assert found["main"]["mean_cents"] == mean
    assert found["main"]["high_cents"] - mean == 3325
    assert found["royal"] is None


def test_a_raise_is_no_first_stake(tmp_path: Path) -> None:
    """Ultimate, 10 on ante and blind, raised by 40: the band speaks of the ante of 10."""
    with client_of(open_tables(tmp_path / "tapis.db")) as client:
        guest = Guest(client)
        known(guest, "ultimate")
        found = bands(guest, "ultimate")["main"]
    assert found["mean_cents"] == round(1000 * -0.021849714)
    assert found["high_cents"] - found["mean_cents"] == int(2 * 1000 * 24.396673537659613**0.5)


def test_what_was_not_proved_has_no_band(tmp_path: Path) -> None:
    changed = with_changes(load("casino-stud"), {"play.times_ante": 3})

    def sheet_of(game: str) -> Sheet:
        return changed if game == "casino-stud" else load(game)

    house = make_house(tmp_path / "tapis.db", HOUSE_WINS)
    with client_of(house) as client:
        guest = Guest(client)
        stakes = {"ante": 1000, "bonus": 500}
        guest.choose(guest.open(stakes).json()["round"]["id"], "fold")
        assert bands(guest, "casino-stud")["main"] is not None
        house.sheet_of = sheet_of
        guest.seat()
        guest.choose(guest.open(stakes).json()["round"]["id"], "fold")
        found = bands(guest, "casino-stud")
    assert found["main"] is None  # of two rounds one has no figure: no figure for both
    assert found["bonus"]["mean_cents"] == round(1000 * -0.085614082)
