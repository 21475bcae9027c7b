"""G10: `kill -9` after every command, on a real server, and during five open rounds.

F2 and F3 cover a kill in the middle of a command. The page cache survives a killed process, so this
shows safety against crashes of the process, not against loss of power. For that see the truncated
write-ahead log in `test_failing_disk.py`.

A real server deals random cards, so rounds are played until one is in the required state: just
dealt, between the two hands of Blackjack, between the steps of Ultimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from crash.server import Server, serving
from houses import Guest
from stakes import stakes_on_all
from tapisvert.games.registry import SHIPPED
from tapisvert.history.round_proof import check_proof, read_proof
from tiers import long

Round = dict[str, Any]
LISTS = ("/wallet", "/wallet/transfers", "/rounds", "/rounds?status=open", "/rounds?status=unseen")


def pictures(guest: Guest, round_ids: Sequence[str]) -> dict[str, bytes]:
    """Return everything a player can see, and some rounds."""
    paths = [*LISTS, *(f"/rounds/{each}" for each in round_ids)]
    answers = {path: guest.get(path) for path in paths}
    assert {each.status_code for each in answers.values()} == {200}
    return {path: each.content for path, each in answers.items()}


def check_survives(server: Server, guest: Guest, *round_ids: str) -> None:
    """Kill the server; check that the player sees exactly the same afterwards."""
    before = pictures(guest, round_ids)
    server.restart(guest)
    assert pictures(guest, round_ids) == before


def check_proven(guest: Guest, round_id: str) -> None:
    proof = read_proof(guest.get(f"/rounds/{round_id}/proof").content, "round.json")
    assert check_proof(proof, "round.json").true


@long
@pytest.mark.parametrize("choice", ["play", "fold"])
def test_G10_a_server_killed_after_each_command_goes_on_where_it_was(
    tmp_path: Path, choice: str
) -> None:
    with serving(tmp_path) as server:
        guest = server.guest()
        check_survives(server, guest)
        server.kill()
        server.leave(10_000)
        server.restart(guest)

        seat = guest.seat()
        check_survives(server, guest)
        assert guest.seat() == seat

        asked = guest.open({"ante": 10_000}, key="open")
        opened = asked.json()["round"]
        assert (asked.status_code, opened["id"]) == (201, seat["round_id"])
        check_survives(server, guest, opened["id"])
        assert guest.balance() == (0, 10_000)

        more = guest.post("/wallet/play-money", key="more")
        check_survives(server, guest, opened["id"])
        assert guest.balance() == (100_000, 10_000)
        assert guest.post("/wallet/play-money", key="more").content == more.content

        ended = guest.choose(opened["id"], choice, key="choose")
        assert (ended.status_code, ended.json()["round"]["state"]) == (200, "settled")
        check_survives(server, guest, opened["id"])
        assert guest.choose(opened["id"], choice, key="choose").content == ended.content
        assert ended.json()["round"]["hands"]["player"] == opened["hands"]["player"]
        assert guest.seat() == ended.json()["seat"]

        assert len(guest.get("/rounds?status=unseen").json()["rounds"]) == 1
        assert guest.post(f"/rounds/{opened['id']}/seen").status_code == 204
        check_survives(server, guest, opened["id"])
        assert guest.get("/rounds?status=unseen").json()["rounds"] == []

        check_proven(guest, opened["id"])
        print(f"{server.starts - 1} kills after commands; every view byte-equal afterwards")


# Five open rounds ---------------------------------------------------------------------------------


def free_choice(round_: Round, last: bool = False) -> str:
    """Return an option that costs nothing: one that continues, or the last one listed."""
    legal = [each for each in round_["ask"]["options"] if each["legal"]]
    free = [each["id"] for each in legal if not each["stake_cents"]]
    going_on = [each for each in free if each in ("check", "decline", "stand")]
    if going_on and not last:
        return str(going_on[0])
    return str(free[-1] if free else legal[0]["id"])  # a royal flush cannot be folded


def answer(guest: Guest, round_: Round, choice: str, key: str | None = None) -> Round:
    """Answer a round's question; check that the reply continues from the state before."""
    sent = guest.choose(round_["id"], choice, round_["ask"]["step"], key)
    assert sent.status_code == 200, sent.text
    after: Round = sent.json()["round"]
    assert after["events"][: len(round_["events"])] == round_["events"]
    return after


def dealt(guest: Guest, game: str) -> Round:
    """Open rounds until one waits for an answer: a blackjack may end at the deal."""
    for _ in range(100):
        sent = guest.open(stakes_on_all(game, 300, 200, 100), game=game)
        assert sent.status_code == 201, sent.text
        round_: Round = sent.json()["round"]
        if round_["ask"]:
            return round_
    raise AssertionError(f"no round of {game} waits")


def between_two_hands(guest: Guest, round_: Round) -> Round:
    """Bring Blackjack to a question of the second hand, after an answer for the first."""
    for _ in range(100):
        while round_["ask"]:
            hand, step = round_["ask"]["hand"], round_["ask"]["step"]
            if round_["ask"]["key"] == "play" and hand == "hand-2" and step:
                return round_
            round_ = answer(guest, round_, free_choice(round_))
        round_ = dealt(guest, "blackjack")
    raise AssertionError("the second hand is never asked")


def check_all_survive(server: Server, guest: Guest, rounds: dict[str, Round]) -> None:
    """Kill the server; check that cards, questions and money are the same afterwards."""
    check_survives(server, guest, *(round_["id"] for round_ in rounds.values()))
    for round_ in rounds.values():
        shown = guest.get(f"/rounds/{round_['id']}").json()["round"]
        for part in ("state", "ask", "hands", "lines", "events", "staked_cents"):
            assert shown[part] == round_[part], part


def held_cents(rounds: dict[str, Round]) -> int:
    """Return the amount these rounds must hold: staked and not settled."""
    return sum(
        round_["staked_cents"] - sum(line["staked_cents"] for line in round_["lines"])
        for round_ in rounds.values()
    )


def won_cents(guest: Guest) -> int:
    """Return the net result of all finished rounds."""
    listed = guest.get("/rounds").json()["rounds"]
    over = [each for each in listed if each["state"] == "settled"]
    return sum(each["returned_cents"] - each["staked_cents"] for each in over)


def check_money(guest: Guest, rounds: dict[str, Round]) -> None:
    """Check that the grant equals wallet, held money and losses less wins."""
    still_open = {game: round_ for game, round_ in rounds.items() if round_["ask"]}
    paid = sum(round_["returned_cents"] for round_ in still_open.values())
    staked = sum(round_["staked_cents"] for round_ in still_open.values())
    assert guest.balance() == (100_000 + won_cents(guest) - staked + paid, held_cents(still_open))


def test_G10_five_open_rounds_survive_a_kill_at_every_step_and_are_played_to_their_end(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        guest = server.guest()
        rounds = {game: dealt(guest, game) for game in SHIPPED}
        check_money(guest, rounds)
        check_all_survive(server, guest, rounds)  # all five just dealt

        rounds["blackjack"] = between_two_hands(guest, rounds["blackjack"])
        rounds["ultimate"] = answer(guest, rounds["ultimate"], "check")
        check_money(guest, rounds)
        check_all_survive(server, guest, rounds)  # between two hands, and before the turn
        assert len(rounds["ultimate"]["hands"]["board"]) == 3

        rounds["ultimate"] = answer(guest, rounds["ultimate"], "check")
        assert len(rounds["ultimate"]["hands"]["board"]) == 5
        for game in ("pai-gow", "casino-stud", "high-card-flush"):
            choice = free_choice(rounds[game], last=True)
            rounds[game] = answer(guest, rounds[game], choice, f"last of {game}")
        check_money(guest, rounds)
        check_all_survive(server, guest, rounds)  # three are over; before the last raise

        rounds["ultimate"] = answer(guest, rounds["ultimate"], "raise-1", "raise")
        while rounds["blackjack"]["ask"]:
            rounds["blackjack"] = answer(guest, rounds["blackjack"], "stand")
        check_money(guest, rounds)
        check_all_survive(server, guest, rounds)  # all are over
        assert {round_["state"] for round_ in rounds.values()} == {"settled"}
        assert server.starts == 5
        check_ends(guest, rounds)


def check_ends(guest: Guest, rounds: dict[str, Round]) -> None:
    """Check that a late copy of a command gets its stored reply, and every round verifies."""
    before = guest.balance()
    late = guest.choose(rounds["ultimate"]["id"], "raise-1", 2, "raise")
    assert late.json()["round"] == rounds["ultimate"]
    assert (guest.balance(), before[1]) == (before, 0)
    for round_ in rounds.values():
        check_proven(guest, round_["id"])
