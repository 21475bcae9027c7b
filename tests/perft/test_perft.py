"""All hands counted by category, against `standard.perft`, and the counter itself."""

from __future__ import annotations

from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from perft import perft
from perft.perft import Entry, count_hands, differences, hands_in_chunks, read_entries
from ranking.naive import count_by_category

ENTRIES = read_entries(perft.STANDARD_PERFT.read_text(encoding="utf-8"))
each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)


def test_five_six_and_seven_cards_are_covered() -> None:
    assert [entry.id for entry in ENTRIES] == ["five-card/52", "six-card/52", "seven-card/52"]
    assert [entry.cards for entry in ENTRIES] == [5, 6, 7]


@each_entry
def test_the_file_agrees_with_a_count_that_deals_no_hand(entry: Entry) -> None:
    assert count_by_category(entry.cards).items() <= entry.expected.items()


@each_entry
def test_every_hand_ranked(entry: Entry) -> None:
    assert count_hands(entry.id) == entry.expected


@pytest.mark.parametrize(("size", "deck_size"), [(5, 5), (5, 6), (5, 13), (6, 14), (7, 15), (1, 4)])
@pytest.mark.parametrize("chunk_hands", [1, 7, 1000, 10_000])
def test_hands_are_those_of_itertools(size: int, deck_size: int, chunk_hands: int) -> None:
    dealt = [
        tuple(hand)
        for chunk in hands_in_chunks(size, deck_size, chunk_hands)
        for hand in chunk.tolist()
    ]
    assert dealt == list(combinations(range(deck_size), size))


def test_compiled_dealing_is_its_python_twin() -> None:
    # A stretch that crosses many carries, close to the end of the deck and then past it.
    start = np.array([40, 43, 45, 46, 48, 50, 51], dtype=np.uint8)
    slow_next, fast_next = start.copy(), start.copy()
    slow, fast = (np.zeros((1 << 10, 7), dtype=np.uint8) for _ in range(2))
    assert perft._fill_hands(slow_next, 52, slow) == perft._fill_hands_fast(fast_next, 52, fast)
    assert np.array_equal(slow, fast)
    assert np.array_equal(slow_next, fast_next)


def test_progress_adds_up_to_the_number_of_hands() -> None:
    steps: list[int] = []
    count_hands("five-card/52", steps.append)
    assert sum(steps) == comb(52, 5)


def test_a_wrong_or_missing_count_is_a_difference() -> None:
    assert differences({"pair": 3, "flush": 1}, {"pair": 3, "flush": 1}) == []
    assert differences({"pair": 4, "flush": 1}, {"pair": 3, "flush": 1}) == ["pair"]
    assert differences({"pair": 3}, {"pair": 3, "flush": 0}) == ["flush"]
    assert differences({"pair": 3, "flus": 0}, {"pair": 3}) == ["flus"]


def test_a_name_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="tiny: pair is given twice"):
        read_entries("id tiny cards 5 pair 3 pair 4")


def test_the_report_marks_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    five = ENTRIES[0]
    assert perft.run_entry(five, Console(width=80))
    assert "DIFFERS" not in capsys.readouterr().out
    wrong = five._replace(expected={**five.expected, "flush": five.expected["flush"] + 1})
    assert not perft.run_entry(wrong, Console(width=80))
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "DIFFERS" in line]
    assert "flush" in line
    assert "5,108" in line
    assert "5,109" in line


@pytest.mark.parametrize(("flush", "exit_code"), [("5108", 0), ("5109", 1)])
def test_exit_code_tells_of_a_difference(
    flush: str, exit_code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    altered = tmp_path / "altered.perft"
    written = perft.STANDARD_PERFT.read_text(encoding="utf-8")
    altered.write_text(written.replace("flush 5108", f"flush {flush}"), encoding="utf-8")
    monkeypatch.setattr(perft, "STANDARD_PERFT", altered)
    assert perft.main(["--max-hands", str(comb(52, 5))]) == exit_code
