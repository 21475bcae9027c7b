"""Recall of finished rounds from their record, and their proofs."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from houses import PLAYER_WINS, Guest
from stores import both_at_length
from tapisvert.dealing import CLIENT_SEED_BYTES_MAX
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.history.round_proof import check_proof, read_proof
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load
from web.scene import STUD, Seating, play_round, proof_from, verified

pytestmark = both_at_length

DOCS = Path(__file__).parents[2] / "docs"
ROUNDS_PER_GUEST = 20


def random_rounds(
    house: PlayerService, guest: Guest, chance: Random
) -> list[tuple[str, dict[str, int]]]:
    """Play rounds with random stakes and choices that the guest can always afford."""
    played = []
    for number in range(ROUNDS_PER_GUEST):
        stakes = {"ante": 100 * chance.randint(1, 4)}
        if chance.random() < 0.5:
            stakes["bonus"] = 100 * chance.randint(1, 4)
        choice = "fold" if chance.random() < 0.3 else "play"
        played.append((play_round(house, guest.token, str(number), stakes, choice), stakes))
    return played


def moved(house: PlayerService, round_id: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return stakes and returns of each bet of a round, from the ledger."""
    rows = house.store.read(
        lambda tx: tx.rows(
            "SELECT bet, reason, units FROM transfers WHERE round_id = ? ORDER BY id", (round_id,)
        )
    ).result()
    staked: dict[str, int] = defaultdict(int)
    returned: dict[str, int] = defaultdict(int)
    for bet, reason, units in rows:
        if reason == "stake":
            staked[bet] += units // 100_000
        returned[bet] += units // 100_000 if reason in ("return", "win") else 0
    return staked, returned


def test_G9_every_stored_round_is_told_again_from_its_events_alone(seating: Seating) -> None:
    house, first = seating()
    for seed, guest in enumerate([first, *(Guest(first.client) for _ in range(2))]):
        before = 100_000
        for round_id, stakes in random_rounds(house, guest, Random(seed)):
            recall = guest.get(f"/rounds/{round_id}/recall").json()
            told = recall["round"]
            settled = [event for event in told["events"] if event["kind"] == "settled"]
            rebuilt = {
                event["bet"]: (event["staked_cents"], event["returned_cents"], event["outcome"])
                for event in settled
            }
            lines = {
                line["bet"]: (line["staked_cents"], line["returned_cents"], line["outcome"])
                for line in told["lines"]
            }
            staked, returned = moved(house, round_id)
            assert rebuilt == lines
            assert {bet: line[0] for bet, line in rebuilt.items()} == staked
            assert {bet: line[1] for bet, line in rebuilt.items()} == returned
            stored = stored_cents(house, round_id)
            assert stored == (sum(staked.values()), sum(returned.values()))
            assert stored == (told["staked_cents"], told["returned_cents"])
            assert recall["balance_before_cents"] == before
            before = before - stored[0] + stored[1]
            assert recall["balance_after_cents"] == before
            assert (recall["replay"], recall["choices"]) == (True, choices_told(told))
            assert told["stakes"] == stakes
            assert told["opened_at"] == told["ended_at"] == "2023-11-14T22:13:20.000Z"
        assert guest.balance() == (before, 0)


def stored_cents(house: PlayerService, round_id: str) -> tuple[int, int]:
    """Return staked and returned cents from the round's row."""
    sql = "SELECT staked_cents, returned_cents FROM rounds WHERE id = ?"
    row = house.store.read(lambda tx: tx.row(sql, (round_id,))).result()
    assert row is not None
    return row[0], row[1]


def choices_told(told: dict[str, Any]) -> list[str]:
    return [event["option"] for event in told["events"] if event["kind"] == "chose"]


def test_G9_a_recall_does_not_change_when_the_table_does(seating: Seating) -> None:
    sheets: dict[str, Sheet] = {STUD: load(STUD)}
    house, guest = seating(sheet_of=sheets.__getitem__)
    round_id = play_round(house, guest.token, "one", {"ante": 1000, "bonus": 100}, "play")
    paths = [f"/rounds/{round_id}{rest}" for rest in ("", "/recall", "/proof")]
    before = [guest.get(path).content for path in paths]
    sheets[STUD] = with_changes(load(STUD), {"play.pays.pair": "9:1", "spots.ante.min_cents": 5000})
    assert [guest.get(path).content for path in paths] == before


# Proofs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", ["play", "fold"])
def test_a_proof_verifies_and_is_of_the_deal_that_was_promised(
    seating: Seating, choice: str
) -> None:
    house, guest = seating()
    for number in range(10):
        promised = guest.seat()
        stakes = {"ante": 1000, "bonus": 500}
        round_id = play_round(house, guest.token, str(number), stakes, choice)
        proof = proof_from(guest, round_id)
        verdict = check_proof(proof, "round.json")
        assert set(verdict.checks) == {"commitment", "deck", "sheet", "settlement"}
        assert verdict.true
        assert (proof.round_id, proof.commitment) == (promised["round_id"], promised["commitment"])
        assert (proof.stakes, proof.answers) == (stakes, [choice])


def test_the_verifier_printed_in_the_docs_accepts_a_proof_from_the_wire(
    seating: Seating, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house, guest = seating()
    round_id = play_round(house, guest.token, "one", {"ante": 1000}, "play")
    file = tmp_path / "round.json"
    file.write_bytes(guest.get(f"/rounds/{round_id}/proof").content)
    text = (DOCS / "fair-dealing.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```python\n(.*?)```", text, re.S)
    verifier: dict[str, Any] = {"__name__": "printed"}
    exec(compile(source, "fair-dealing.md", "exec"), verifier)
    assert verifier["main"](file) == 0
    assert guest.get(f"/rounds/{round_id}").json()["round"]["commitment"] in capsys.readouterr().out


def other_byte(byte: int) -> int:
    """Return another byte of the same class: a digit for a digit, a letter for a letter."""
    if chr(byte).isdigit():
        return ord("0") + (byte - ord("0") + 1) % 10
    return byte - 1 if chr(byte).isalpha() and chr(byte) not in "aA" else byte + 1


def test_a_proof_with_any_one_byte_changed_does_not_verify(seating: Seating) -> None:
    house, guest = seating()
    round_id = play_round(house, guest.token, "one", {"ante": 1000, "bonus": 500}, "play")
    written: bytes = guest.get(f"/rounds/{round_id}/proof").content
    assert check_proof(read_proof(written, "round.json"), "round.json").true
    for place, byte in enumerate(written):
        spoilt = bytearray(written)
        spoilt[place] = other_byte(byte)
        try:
            proof = read_proof(bytes(spoilt), "round.json")
        except Refused:
            continue
        assert not verified(proof), written[max(0, place - 30) : place + 1]


@pytest.mark.parametrize(
    ("changed", "fails"),
    [
        ({"server_seed": "00" * 31 + "01"}, {"commitment", "deck"}),
        ({"commitment": "0" * 64}, {"commitment"}),
        ({"client_seed": "other"}, {"deck"}),
        ({"round_id": "other"}, {"deck"}),
        ({"sheet_hash": "0" * 64}, {"deck", "sheet"}),
        ({"answers": ["fold"]}, {"settlement"}),
        ({"answers": []}, {"settlement"}),
        ({"stakes": {"ante": 1100}}, {"settlement"}),
        ({"lines": []}, {"settlement"}),
    ],
)
def test_a_changed_proof_fails_where_it_was_changed(
    seating: Seating, changed: dict[str, Any], fails: set[str]
) -> None:
    house, guest = seating()
    round_id = play_round(house, guest.token, "one", {"ante": 1000}, "play")
    true = json.loads(guest.get(f"/rounds/{round_id}/proof").content)
    verdict = check_proof(read_proof(json.dumps(true | changed).encode(), "x"), "x")
    assert {name for name, holds in verdict.checks.items() if not holds} == fails


def test_two_cards_that_change_places_are_noticed(seating: Seating) -> None:
    house, guest = seating()
    round_id = play_round(house, guest.token, "one", {"ante": 1000}, "play")
    proof = proof_from(guest, round_id)
    for place in range(51):
        deck = list(proof.deck)
        deck[place], deck[place + 1] = deck[place + 1], deck[place]
        assert not verified(msgspec.structs.replace(proof, deck=tuple(deck)))


@pytest.mark.parametrize("name", ["client_seed", "round_id", "sheet_hash"])
def test_a_proof_with_an_endless_field_is_false_and_not_a_crash(
    seating: Seating, name: str
) -> None:
    house, guest = seating()
    round_id = play_round(house, guest.token, "one", {"ante": 1000}, "play")
    proof = msgspec.structs.replace(proof_from(guest, round_id), **{name: "x" * 70_000})
    assert not verified(proof)


@pytest.mark.parametrize("seed", ["\1", "é" * 64, "x" * 128, " ", "🂡", "\u202e'\"\\"])
def test_an_odd_client_seed_is_taken_as_it_is_and_its_round_verifies(
    seating: Seating, seed: str
) -> None:
    _, guest = seating()
    assert len(seed.encode()) <= CLIENT_SEED_BYTES_MAX
    opened = guest.open({"ante": 1000}, client_seed=seed).json()["round"]
    assert opened["client_seed"] == seed
    guest.choose(opened["id"], "play")
    proof = proof_from(guest, opened["id"])
    assert (proof.client_seed, verified(proof)) == (seed, True)


def test_a_deck_that_was_given_and_not_shuffled_is_found_out(seating: Seating) -> None:
    house, guest = seating(PLAYER_WINS)
    round_id = play_round(house, guest.token, "one", {"ante": 1000}, "play")
    verdict = check_proof(proof_from(guest, round_id), "round.json")
    assert {name for name, holds in verdict.checks.items() if not holds} == {"deck"}
