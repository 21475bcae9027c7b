"""The recordings match the cases, and a changed round cannot be overwritten unnoticed.

The kit (tests/kit) checks that they replay byte for byte and reach every branch.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from game_tables import only_editions
from golden.golden import CASES, FOLDER, Step, complaint, read, write_all
from golden.recordings import FILES, of_today
from tapisvert.engine.events import Dealt
from tapisvert.games.registry import GAMES, SHIPPED, current
from tapisvert.sheets import load

NAMES = [f"{path.parent.name}/{path.stem}" for path in FILES]
STUD = {"casino-stud": CASES["casino-stud"]}  # enough to try the writing on
ACES = {"blackjack": {"split-aces": CASES["blackjack"]["split-aces"]}}


@pytest.mark.parametrize("game", SHIPPED)
def test_a_game_says_how_many_cards_a_round_deals_where_it_is_always_as_many(game: str) -> None:
    rounds = of_today(game).values()
    counts = {
        sum(len(event.cards) for step in each.steps for event in dealt(step)) for each in rounds
    }
    assert GAMES[game].cards_dealt == (counts.pop() if len(counts) == 1 else None)


def dealt(step: Step) -> list[Dealt]:
    return [event for event in step.events if isinstance(event, Dealt)]


def test_every_case_has_a_file_and_every_file_a_case() -> None:
    cases = {f"{game}/{name}" for game in CASES for name in CASES[game]}
    assert {name for name in NAMES if ".edition-" not in name} == cases


def test_every_sheet_that_is_kept_has_a_recording() -> None:
    kept = {path.stem for path in (FOLDER / "sheets").iterdir()}
    assert kept == {read(path).sheet_hash for path in FILES}


def test_the_cases_are_what_is_recorded(tmp_path: Path) -> None:
    assert write_all(tmp_path) == []
    for path in FILES:
        if ".edition-" not in path.stem:
            assert (tmp_path / path.parent.name / path.name).read_bytes() == path.read_bytes()


# The recorder itself is tested --------------------------------------------------------------------


def test_a_changed_event_asks_for_a_new_edition_and_changed_words_do_not() -> None:
    golden = of_today("casino-stud")["tie"]
    changed = golden.steps[-1].events[-1]
    step = msgspec.structs.replace(
        golden.steps[-1],
        events=[*golden.steps[-1].events[:-1], msgspec.structs.replace(changed, n=99)],
    )
    other = msgspec.structs.replace(golden, steps=[*golden.steps[:-1], step])
    assert "bump the edition" in complaint(other, golden)
    reworded = msgspec.structs.replace(golden.steps[-1], told={"fr": ["Fini."], "en": ["Over."]})
    other = msgspec.structs.replace(golden, steps=[*golden.steps[:-1], reworded])
    assert "bump" not in complaint(other, golden)


def test_writing_refuses_to_paper_over_a_changed_round(tmp_path: Path) -> None:
    write_all(tmp_path, STUD)
    path = tmp_path / "casino-stud" / "tie.json"
    spoiled = path.read_text().replace('"why": "tie"', '"why": "draw"')
    path.write_text(spoiled)
    [told] = write_all(tmp_path, STUD)
    assert told.startswith("casino-stud/tie.json: ")
    assert "bump the edition" in told
    assert path.read_text() == spoiled


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a round recorded under edition 1 of Blackjack, before edition 2."""
    only_editions(monkeypatch, "blackjack", 1)
    write_all(tmp_path, ACES)
    monkeypatch.undo()
    path = tmp_path / "blackjack" / "split-aces.json"
    old = path.read_bytes()
    assert write_all(tmp_path, ACES) == []
    kept = path.with_name("split-aces.edition-1.json")
    assert kept.read_bytes() == old
    assert (read(kept).edition, read(path).edition) == (1, current("blackjack").number)
    return kept


def test_the_words_of_an_older_recording_are_written_again_its_events_never(older: Path) -> None:
    right = older.read_text()
    older.write_text(right.replace("soft 21", "twenty-one"))
    assert write_all(older.parents[1], ACES) == []
    assert older.read_text() == right
    spoiled = right.replace('"category": "soft"', '"category": "hard"')
    older.write_text(spoiled)
    [told] = write_all(older.parents[1], ACES)
    assert told.startswith("blackjack/split-aces.edition-1.json: ")
    assert older.read_text() == spoiled


def test_a_sheet_that_no_recording_is_played_by_is_dropped(tmp_path: Path) -> None:
    left = tmp_path / "sheets" / f"{'0' * 64}.json"
    left.parent.mkdir()
    left.write_text("{}")
    write_all(tmp_path, STUD)
    assert not left.exists()
    assert load("casino-stud").hash in {path.stem for path in left.parent.iterdir()}


def test_nothing_is_written_without_being_asked() -> None:
    script = FOLDER / "golden.py"
    ran = subprocess.run([sys.executable, script], capture_output=True, check=False)
    assert ran.returncode == 2
    assert b"--write" in ran.stderr
