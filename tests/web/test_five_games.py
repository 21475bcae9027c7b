"""All five games over HTTP: opened, played, resumed, recalled and proved (docs/http.md).

Rounds are random with fixed seeds; `web.five` compares every reply with the rules, the wallet and
the ledger.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.typed import typed
from houses import KEY, Clock, Guest, client_of
from stores import both_at_length, store_at
from tapisvert.cli.verify import report
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer
from tiers import long
from web.five import GAMES, Played, Watched, cards_in, random_stakes, watched
from web.scene import everything

pytestmark = both_at_length

SEED = "d"  # chosen so that few rounds take every option of TAKEN
# Rounds of the first tier, enough to take what must be taken; and of the second.
ROUNDS = {"pai-gow": 8, "casino-stud": 6, "high-card-flush": 6, "blackjack": 16, "ultimate": 16}
MANY = {game: 60 if game in ("blackjack", "ultimate") else 25 for game in GAMES}
TAKEN = {  # options that come up so often that the random rounds must have taken them
    "pai-gow": set(),
    "casino-stud": {"play", "fold"},
    "high-card-flush": {"raise-1", "fold"},
    "blackjack": {"hit", "stand", "double", "split"},
    "ultimate": {"check", "raise-1", "raise-2", "raise-3", "raise-4", "fold"},
}
NEVER_OFFERED = ("", "raise-9", "PLAY", " stand", "stand ", "Jk Jk", "ante", "2000000")
each_game = pytest.mark.parametrize("game", GAMES)


def play_on(round_: Played, chance: Random) -> Played:
    """Choose legal options at random to the end; every other time prefer one that stakes."""
    while round_.told["ask"]:
        legal = [option for option in round_.told["ask"]["options"] if option["legal"]]
        dear = chance.random() < 0.5
        some = [option for option in legal if bool(option["stake_cents"]) == dear]
        round_.choose(chance.choice(some or legal)["id"])
    return round_


def opened(at: Watched, game: str, chance: Random) -> Played:
    """Open a round with random stakes."""
    spots = at.guest.get(f"/games/{game}").json()["spots"]
    return Played(at, game, random_stakes(spots, chance)).open()


@pytest.mark.parametrize(
    ("game", "rounds"),
    [*ROUNDS.items(), *(pytest.param(*each, marks=long) for each in MANY.items())],
)
def test_G9_random_rounds_are_right_after_every_command_and_told_again_afterwards(
    tmp_path: Path, game: str, rounds: int
) -> None:
    chance, outcomes, taken = Random(game + SEED), Counter[str](), Counter[str]()
    with watched(tmp_path / "tapis.db") as at:
        for _ in range(rounds):
            round_ = play_on(opened(at, game, chance), chance)
            check_recall(at.guest, round_)
            check_history(at.guest, round_)
            check_statement(at.guest, round_)
            check_proof(at.guest, round_, tmp_path / "round.json")
            outcomes.update(line["outcome"] for line in round_.told["lines"])
            taken.update(choice for _, choice in round_.chosen)
        listed = at.guest.get("/rounds").json()["rounds"]
        assert [each["state"] for each in listed] == ["settled"] * min(rounds, 50)
    assert {"won", "lost"} <= outcomes.keys()
    assert TAKEN[game] <= taken.keys()


def check_recall(guest: Guest, round_: Played) -> None:
    """The recalled round has the balances before and after."""
    recall = guest.get(f"/rounds/{round_.id}/recall").json()
    assert recall == {
        "replay": True,
        "round": round_.told,
        "choices": [choice for _, choice in round_.chosen],
        "balance_before_cents": round_.before_cents,
        "balance_after_cents": round_.reply["wallet"]["balance_cents"],
        "seen": False,
    }


def check_history(guest: Guest, round_: Played) -> None:
    """The round is first in the list, and unseen until it is marked."""
    told = round_.told
    summary = {name: told[name] for name in ("id", "game", "state", "opened_at", "ended_at")}
    summary |= {name: told[name] for name in ("staked_cents", "returned_cents")}
    summary |= {"reversed": False, "rules": None}
    assert guest.get("/rounds").json()["rounds"][0] == {**summary, "seen": False}
    assert guest.get("/rounds?status=unseen").json()["rounds"] == [{**summary, "seen": False}]
    assert guest.post(f"/rounds/{round_.id}/seen").status_code == 204
    assert guest.get("/rounds").json()["rounds"][0] == {**summary, "seen": True}


def check_statement(guest: Guest, round_: Played) -> None:
    """Each bet has one stake transfer, and at most one return and one win."""
    moved = [
        (each["reason"], each["bet"], each["cents"])
        for each in guest.get("/wallet/transfers").json()["transfers"]
        if each["round_id"] == round_.id
    ]
    expected = []
    for line in round_.told["lines"]:
        staked, returned = line["staked_cents"], line["returned_cents"]
        expected += [
            ("stake", line["bet"], -staked),
            ("return", line["bet"], min(staked, returned)),
            ("win", line["bet"], max(returned - staked, 0)),
        ]
    assert Counter(moved) == Counter(each for each in expected if each[2])


def check_proof(guest: Guest, round_: Played, file: Path) -> None:
    """The proof has the dealt deck, and `tapis verify` prints and verifies it."""
    written = guest.get(f"/rounds/{round_.id}/proof")
    proof, told = written.json(), round_.told
    assert proof["deck"] == round_.at.decks[round_.id]
    assert [each for each in proof["answers"] if isinstance(each, str)] == [
        choice for _, choice in round_.chosen
    ]
    for name in ("game", "edition", "sheet_hash", "client_seed", "stakes", "lines"):
        assert proof[name] == told[name], name
    assert proof["commitment"] == round_.seat["commitment"]
    assert proof["void_reason"] is None
    file.write_bytes(written.content)
    for language in ("en", "fr"):
        lines, true = report(file, language, round_.seat["commitment"])
        assert true, lines
        assert sum(line.startswith("✓") for line in lines) == 5
        assert len(lines) == len(told["events"]) + 7  # a line for each event, then the checks


@each_game
def test_the_command_verifies_a_proof_and_finds_a_changed_line(tmp_path: Path, game: str) -> None:
    file, chance = tmp_path / "round.json", Random(f"proof {game}")
    with watched(tmp_path / "tapis.db") as at:
        round_ = play_on(opened(at, game, chance), chance)
        file.write_bytes(at.guest.get(f"/rounds/{round_.id}/proof").content)
    ran = typed("verify", file, "--commitment", round_.seat["commitment"])
    assert (ran.returncode, ran.stderr, ran.stdout.count("✓")) == (0, "", 5)
    first = round_.told["lines"][0]["returned_cents"]
    before = f'"returned_cents":{first},'
    file.write_text(file.read_text().replace(before, f'"returned_cents":{first + 1},', 1))
    assert report(file, "en", None)[1] is False


@each_game
def test_what_is_not_offered_or_not_legal_is_refused_at_every_step_without_effect(
    tmp_path: Path, game: str
) -> None:
    chance, tried = Random(f"illegal {game}"), 0
    with watched(tmp_path / "tapis.db") as at:
        for _ in range(3):
            round_ = opened(at, game, chance)
            while round_.told["ask"]:
                tried += refused_everywhere(at, round_)
                round_.choose(chance.choice(round_.legal()))
    assert tried > 20


def refused_everywhere(at: Watched, round_: Played) -> int:
    """Try every illegal answer to a question; return their number."""
    ask, before = round_.told["ask"], everything(at.house)
    shown = at.guest.get(f"/rounds/{round_.id}").content
    tries: list[tuple[str, int, str]] = [
        (choice, ask["step"], "choice/not_offered") for choice in NEVER_OFFERED
    ]
    for option in ask["options"]:
        if option["legal"]:
            tries.append((option["id"], ask["step"] + 1, "round/stale_step"))
        else:
            tries.append((option["id"], ask["step"], "choice/not_legal"))
    for choice, step, code in tries:
        answer = at.guest.choose(round_.id, choice, step)
        assert answer.json()["code"] == code, choice
        assert cards_in(answer.json()) <= cards_in(round_.told) | set(choice.split())
    assert everything(at.house) == before
    assert at.guest.get(f"/rounds/{round_.id}").content == shown
    return len(tries)


def test_five_rounds_are_open_at_once_one_per_game_and_found_again_by_another_house(
    tmp_path: Path,
) -> None:
    chance = Random("five at once")
    with watched(tmp_path / "tapis.db") as at:
        rounds = [until_it_asks(at, game, chance) for game in GAMES]
        for told in rounds:
            second = at.guest.open(told["stakes"], game=told["game"]).json()
            assert (second["code"], second["round_id"]) == ("round/already_open", told["id"])
        wallet = at.guest.get("/wallet").json()
        assert wallet["held_cents"] == sum(held_cents(told) for told in rounds)
        shown = [at.guest.get(f"/rounds/{told['id']}").content for told in rounds]
        # Nothing is kept in memory: another house on the same file tells the same rounds.
        file = store_at(tmp_path / "tapis.db")
        with client_of(PlayerService(file, Dealer(Sealer(KEY)), clock=Clock())) as elsewhere:
            resumed = Guest(elsewhere, at.guest.token)
            listed = resumed.get("/rounds?status=open").json()["rounds"]
            assert [each["id"] for each in listed] == [told["id"] for told in reversed(rounds)]
            assert [resumed.get(f"/rounds/{told['id']}").content for told in rounds] == shown
            assert resumed.get("/wallet").json() == wallet


def held_cents(told: dict[str, Any]) -> int:
    """Return the amount an open round holds: its unsettled stakes."""
    settled: int = sum(line["staked_cents"] for line in told["lines"])
    return int(told["staked_cents"]) - settled


def until_it_asks(at: Watched, game: str, chance: Random) -> dict[str, Any]:
    """Open rounds until one waits: a round of Blackjack may end at the deal."""
    spots = at.guest.get(f"/games/{game}").json()["spots"]
    while True:
        told: dict[str, Any] = at.guest.open(random_stakes(spots, chance), game=game).json()
        if told["round"]["ask"]:
            opened_round: dict[str, Any] = told["round"]
            return opened_round
