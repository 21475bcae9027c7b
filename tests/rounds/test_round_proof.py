"""Proofs: none exists before the end, and each failing check is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houses import make_house
from rounds.guest_seat import Seated, read, refusal_of
from stores import both_at_length
from tapisvert.dealing import commitment
from tapisvert.engine import view
from tapisvert.history.round_proof import FORMAT, Proof, check_proof, proof_of, read_proof
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService

pytestmark = both_at_length


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PlayerService]:
    made = make_house(tmp_path / "tapis.db")  # a real shuffle
    yield made
    made.store.close()


@pytest.fixture
def proof(house: PlayerService) -> Proof:
    guest = Seated(house)
    round_id = read(guest.open()).round.id
    guest.choose(round_id, "fold")
    return guest.ask(lambda desk: proof_of(desk, round_id))


def test_before_its_end_a_round_has_no_proof(house: PlayerService) -> None:
    guest = Seated(house)
    round_id = read(guest.open()).round.id
    refused = refusal_of(lambda: guest.ask(lambda desk: proof_of(desk, round_id)))
    assert (refused.code, refused.details) == ("round/not_ended", {"round_id": round_id})


def test_a_proof_that_is_written_down_reads_back_and_checks(proof: Proof) -> None:
    assert proof.format == FORMAT == "tapisvert/round/1"
    again = read_proof(msgspec.json.encode(proof), "round.json")
    assert again == proof
    verdict = check_proof(again, "round.json")
    assert verdict.checks == dict.fromkeys(("commitment", "deck", "sheet", "settlement"), True)
    assert verdict.true
    assert verdict.transcript.settled
    assert view(verdict.transcript).lines == proof.lines


def told(refused: Refused) -> tuple[str, object, object]:
    return refused.code, refused.details["file"], refused.details["reason"]


@pytest.mark.parametrize("written", [b"", b"{", b"[]", b'{"format": "\xff"}', b"[" * 100_000])
def test_what_is_no_proof_is_refused_with_the_name_of_its_file(written: bytes) -> None:
    refused = refusal_of(lambda: read_proof(written, "round.json"))
    assert refused.code == "proof/unreadable"
    assert refused.details["file"] == "round.json"
    assert refused.details["reason"]


def test_a_proof_of_another_format_is_refused(proof: Proof) -> None:
    written = msgspec.json.encode(replace(proof, format="tapisvert/round/2"))
    assert told(refusal_of(lambda: read_proof(written, "f"))) == (
        "proof/unreadable",
        "f",
        "format 'tapisvert/round/2'",
    )


def test_a_proof_with_one_field_more_is_refused(proof: Proof) -> None:
    written = msgspec.json.encode({**msgspec.to_builtins(proof), "more": 1})
    assert refusal_of(lambda: read_proof(written, "f")).code == "proof/unreadable"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"server_seed": "no seed"}, "non-hexadecimal number found in fromhex() arg at position 0"),
        ({"server_seed": "00" * 31}, "server_seed is not 32 bytes"),
        ({"server_seed": "00" * 33}, "server_seed is not 32 bytes"),
    ],
)
def test_a_seed_that_is_none_is_refused(proof: Proof, change: dict[str, Any], reason: str) -> None:
    refused = refusal_of(lambda: check_proof(replace(proof, **change), "f"))
    assert told(refused) == ("proof/unreadable", "f", reason)


def test_a_card_that_is_none_is_refused(proof: Proof) -> None:
    changed = replace(proof, deck=("1x", *proof.deck[1:]))
    code, file, reason = told(refusal_of(lambda: check_proof(changed, "f")))
    assert (code, file) == ("proof/unreadable", "f")
    assert "1x" in str(reason)


def failing(proof: Proof, **change: Any) -> set[str]:
    """Return the checks that a changed proof fails."""
    verdict = check_proof(replace(proof, **change), "f")
    failed = {name for name, passed in verdict.checks.items() if not passed}
    assert verdict.true == (not failed)
    return failed


def test_each_check_fails_by_itself(proof: Proof) -> None:
    other = bytes(range(32)).hex()
    assert failing(proof) == set()
    assert failing(proof, commitment="0" * 64) == {"commitment"}
    assert failing(proof, server_seed=other) == {"commitment", "deck"}
    assert failing(proof, server_seed=other, commitment=commitment(bytes.fromhex(other))) == {
        "deck"
    }
    assert failing(proof, round_id="another") == {"deck"}
    assert failing(proof, client_seed="another") == {"deck"}
    assert failing(proof, sheet_hash="0" * 64) == {"deck", "sheet"}
    assert failing(proof, sheet={**proof.sheet, "void_after_s": 61}) == {"sheet"}
    assert failing(proof, answers=[]) == {"settlement"}
    assert failing(proof, lines=()) == {"settlement"}
    assert failing(proof, stakes={"ante": 200}) == {"settlement"}


def test_the_order_in_which_a_sheet_is_written_down_does_not_matter(proof: Proof) -> None:
    backwards = dict(reversed(proof.sheet.items()))
    assert list(backwards) != list(proof.sheet)
    assert failing(proof, sheet=backwards) == set()
