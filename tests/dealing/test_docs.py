"""docs/fair-dealing.md matches the house: its verifier and its figures are run here."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable
from math import factorial, log2
from pathlib import Path
from typing import Any

import pytest

from dealing import make_vectors
from dealing.make_vectors import Vector
from tapisvert.cards import WITH_JOKER, write_hand
from tapisvert.dealing import LABEL, Deal, message

PAGE = Path(__file__).parents[2] / "docs" / "fair-dealing.md"
TEXT = PAGE.read_text(encoding="utf-8")
VECTORS: list[Vector] = json.loads(make_vectors.FILE.read_text(encoding="utf-8"))["vectors"]


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def _printed_vector() -> Vector:
    (block,) = _blocks("json")
    printed: Vector = json.loads(block)
    return printed


@pytest.fixture(scope="module")
def verifier() -> dict[str, Any]:
    (source,) = _blocks("python")
    names: dict[str, Any] = {"__name__": "check_round"}
    exec(compile(source, "check_round.py", "exec"), names)
    return names


@pytest.fixture
def verify(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the verifier as a reader would: saved to a file, with a bare Python."""
    (source,) = _blocks("python")
    (tmp_path / "check_round.py").write_text(source, encoding="utf-8")

    def run(vector: Vector, **changed: object) -> subprocess.CompletedProcess[str]:
        written = json.dumps({**vector, **changed})
        (tmp_path / "round.json").write_text(written, encoding="utf-8")
        # Isolated, without site packages: nothing but the standard library can be imported.
        command = [sys.executable, "-I", "-S", "-X", "utf8", "check_round.py", "round.json"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_the_printed_verifier_accepts_every_vector_as_a_round(
    verifier: dict[str, Any], vector: Vector, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "round.json").write_text(json.dumps(vector), encoding="utf-8")
    assert verifier["main"](tmp_path / "round.json") == 0
    assert "DOES NOT CHECK" not in capsys.readouterr().out


def test_the_saved_verifier_accepts_a_true_round(
    verify: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = verify(_printed_vector())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("checks") == 2
    assert _printed_vector()["commitment"] in done.stdout


@pytest.mark.parametrize(
    ("changed", "fails"),
    [
        ({"commitment": "0" * 64}, {"commitment"}),
        ({"server_seed": "0" * 64}, {"commitment", "deck"}),
        ({"game": "ultimate"}, {"deck"}),
        ({"game": "pai-gow"}, {"deck"}),
        ({"sheet_hash": "0" * 64}, {"deck"}),
        ({"round_id": "another"}, {"deck"}),
        ({"client_seed": "another"}, {"deck"}),
        ({"deck": _printed_vector()["deck"][::-1]}, {"deck"}),
        ({"deck": _printed_vector()["deck"][:10]}, {"deck"}),
        ({"deck": []}, {"deck"}),
    ],
)
def test_the_saved_verifier_refuses_a_false_round(
    verify: Callable[..., subprocess.CompletedProcess[str]],
    changed: dict[str, object],
    fails: set[str],
) -> None:
    done = verify(_printed_vector(), **changed)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (1, "")
    assert {line.split()[0] for line in lines if line.endswith("DOES NOT CHECK")} == fails


def test_the_printed_verifier_is_short_and_needs_nothing_installed() -> None:
    (source,) = _blocks("python")
    tree = list(ast.walk(ast.parse(source)))
    imports = [node for node in tree if isinstance(node, ast.Import)]
    imported = {alias.name for node in imports for alias in node.names}
    assert imported == {"hashlib", "hmac", "json", "sys"}
    assert not any(isinstance(node, ast.ImportFrom) for node in tree)
    assert len([line for line in source.splitlines() if line.strip()]) <= 40


def test_the_printed_vector_is_one_of_the_published() -> None:
    assert _printed_vector() in VECTORS


def test_the_printed_bytes_and_draws_are_the_vectors() -> None:
    vector = _printed_vector()
    deal = Deal(vector["game"], vector["sheet_hash"], vector["round_id"], vector["client_seed"])
    _, written, first_block = _blocks("text")
    assert bytes.fromhex(written) == message(deal)
    assert f"{len(message(deal))} bytes" in TEXT
    seed = bytes.fromhex(vector["server_seed"])
    assert bytes.fromhex(first_block) == next(make_vectors.blocks(seed, message(deal)))
    words = make_vectors.words(seed, message(deal))
    for n, word in zip(range(52, 48, -1), words, strict=False):
        place = word % n
        row = f"| {n} | `{word:08x}` | {word} | {place} | places {place} and {n - 1} |"
        assert row in TEXT


def test_the_printed_order_label_and_figures_are_the_houses() -> None:
    order, *_ = _blocks("text")
    assert " ".join(order.split()) == write_hand(WITH_JOKER)
    assert f"`{LABEL}`" in TEXT
    assert f"log2(52!) = {log2(factorial(52)):.2f}" in TEXT
    assert f"log2(53!) = {log2(factorial(53)):.2f}" in TEXT
    passed_over = sum(2**32 % n for n in range(2, 53)) / 2**32  # per deal, to first order
    assert round(1 / passed_over / 1e6) == 7
    assert "one deal in seven million" in TEXT
    assert sum(map(len, make_vectors.REJECTING.values())) == 6
    assert "six deals that skip a word" in TEXT
