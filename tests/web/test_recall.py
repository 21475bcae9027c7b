"""Recall of finished rounds from their record, and their proofs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houses import PLAYER_WINS
from stores import both_at_length
from tapisvert.dealing import CLIENT_SEED_BYTES_MAX
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.history.round_proof import check_proof, read_proof
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from web.scene import STUD, Seating, play_round, proof_from, verified

pytestmark = both_at_length

DOCS = Path(__file__).parents[2] / "docs"


def test_G9_a_recall_does_not_change_when_the_table_does(seating: Seating) -> None:
    sheets: dict[str, Sheet] = {STUD: load(STUD)}
    house, guest = seating(sheet_of=sheets.__getitem__)
    round_id = play_round(house, guest.token, "one", {"ante": 1000, "bonus": 100}, "play")
    paths = [f"/rounds/{round_id}{rest}" for rest in ("", "/recall", "/proof")]
    before = [guest.get(path).content for path in paths]
    sheets[STUD] = with_changes(load(STUD), {"play.pays.pair": "9:1", "spots.ante.min_cents": 5000})
    assert [guest.get(path).content for path in paths] == before


# Proofs -------------------------------------------------------------------------------------------


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
