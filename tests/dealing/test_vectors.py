"""Three implementations agree: tapisvert, the script that made the vectors, and the vectors.

The script shares no code with tapisvert; test_docs adds the verifier printed for players.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from pathlib import Path

import pytest

from dealing import make_vectors
from dealing.make_vectors import Vector
from tapisvert.cards import STANDARD, WITH_JOKER, text
from tapisvert.dealing import CLIENT_SEED_BYTES_MAX, Deal, commitment, shuffle

VECTORS: list[Vector] = json.loads(make_vectors.FILE.read_text(encoding="utf-8"))["vectors"]
SHARED = 10_000  # GUARANTEES, fair dealing: agreement on at least so many


def _dealt_by_tapisvert(vector: Vector) -> list[str]:
    deal = Deal(vector["game"], vector["sheet_hash"], vector["round_id"], vector["client_seed"])
    cards = WITH_JOKER if vector["cards"] == 53 else STANDARD
    return [text(card) for card in shuffle(bytes.fromhex(vector["server_seed"]), deal, cards)]


def _message(vector: Vector) -> bytes:
    named = (vector["game"], vector["sheet_hash"], vector["round_id"], vector["client_seed"])
    return make_vectors.pack(*named)


def _words_passed_over(vector: Vector) -> int:
    words = make_vectors.words(bytes.fromhex(vector["server_seed"]), _message(vector))
    return make_vectors.draw(words, vector["cards"])[1]


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_tapisvert_agrees_with_the_published_vector(vector: Vector) -> None:
    assert commitment(bytes.fromhex(vector["server_seed"])) == vector["commitment"]
    assert _dealt_by_tapisvert(vector) == vector["deck"]


def test_the_published_file_is_what_its_script_makes() -> None:
    assert make_vectors.FILE.read_text(encoding="utf-8") == make_vectors.contents()


def test_the_script_uses_the_standard_library_alone() -> None:
    tree = ast.parse(Path(make_vectors.__file__).read_text(encoding="utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
        )
    }
    assert imported <= sys.stdlib_module_names
    assert "hmac" not in imported  # it spells HMAC out


def test_the_vectors_cover_what_verifiers_get_wrong() -> None:
    client_seeds = [vector["client_seed"] for vector in VECTORS]
    assert len(VECTORS) >= 100
    assert {vector["cards"] for vector in VECTORS} == {52, 53}
    assert "" in client_seeds
    assert sum(not seed.isascii() for seed in client_seeds) >= 10
    lengths = {len(seed.encode()) for seed in client_seeds}
    assert max(lengths) == CLIENT_SEED_BYTES_MAX
    assert len({vector["server_seed"] for vector in VECTORS}) >= 90
    # One deal in seven million passes a word over; these were searched for, with and without joker.
    assert {vector["cards"] for vector in VECTORS if _words_passed_over(vector)} == {52, 53}


def test_control_a_verifier_that_rejects_nothing_fails_exactly_the_vectors_made_for_it() -> None:
    for vector in VECTORS:
        words = make_vectors.words(bytes.fromhex(vector["server_seed"]), _message(vector))
        deck = [*STANDARD, *([52] * (vector["cards"] - 52))]
        for last in range(len(deck) - 1, 0, -1):
            other = next(words) % (last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        agrees = [text(card) for card in deck] == vector["deck"]
        assert agrees == (_words_passed_over(vector) == 0)


def test_ten_thousand_more_deals_agree() -> None:
    for number in range(SHARED):
        seed = hashlib.sha256(f"shared {number}".encode()).digest()
        game = list(make_vectors.GAMES)[number % 5]
        client_seed = make_vectors.CLIENT_SEEDS[number % 16] + str(number)
        vector = make_vectors.vector(seed, game, game, str(number), client_seed)
        assert _dealt_by_tapisvert(vector) == vector["deck"]
