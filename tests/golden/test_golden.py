"""Recorded rounds replay to the byte, and every way a round can end has a recording."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from golden import golden as recorder
from golden.golden import FOLDER, STUD_CASES, Golden, complaint, read, record_again, write
from tapisvert.games import EDITIONS, current
from tapisvert.sheets import load
from tapisvert.table import events as ev

FILES = sorted(path for game in EDITIONS for path in (FOLDER / game).glob("*.json"))
NAMES = [f"{path.parent.name}/{path.stem}" for path in FILES]

# RULES section 2: how a round of Casino Stud can end, besides the rows of its pay tables.
STUD_ENDINGS = {
    "not qualified",
    "tie",
    "beaten",
    "house wins",
    "fold",
    "fold with bonus lost",
    "fold with bonus paid",
    "royal flush that may not be folded",
    "bonus below the table",
    "capped",
}


def of_today(game: str) -> list[Golden]:
    """Return the recordings of a game's current edition."""
    recorded = [read(path) for path in FILES if path.parent.name == game]
    return [golden for golden in recorded if golden.edition == current(game).number]


def paid_rows(goldens: list[Golden]) -> set[tuple[str, str]]:
    """Return each bet with each row it was paid by."""
    return {
        (event.bet, event.row)
        for golden in goldens
        for step in golden.steps
        for event in step.events
        if isinstance(event, ev.Settled) and event.outcome == "won" and event.row
    }


def wanted_rows(game: str) -> set[tuple[str, str]]:
    """Return every row of every pay table, by the bet it pays."""
    tables = load(game).pay_tables().items()
    return {(key.split(".")[0], row) for key, (pays, _, _) in tables for row in pays}


def stud_endings(golden: Golden) -> set[str]:
    """Return the endings a recording of Casino Stud shows."""
    events = [event for step in golden.steps for event in step.events]
    lines = {event.bet: event for event in events if isinstance(event, ev.Settled)}
    by_why = {"house-not-qualified": "not qualified", "tie": "tie", "beats-house": "beaten"}
    by_why |= {"house-wins": "house wins", "folded": "fold"}
    found = {by_why[lines["ante"].why]}
    if "bonus" in lines:
        won = lines["bonus"].outcome == "won"
        found |= set() if won else {"bonus below the table"}
        if found & {"fold"}:
            found |= {"fold with bonus paid" if won else "fold with bonus lost"}
            found -= {"fold"}
    asked = [event for event in events if isinstance(event, ev.Asked)]
    if any(option.why_not == "fold/royal" for event in asked for option in event.options):
        found.add("royal flush that may not be folded")
    return found | ({"capped"} if any(line.capped for line in lines.values()) else set())


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_recorded_round_replays_to_the_byte(path: Path) -> None:
    golden = read(path)
    again = record_again(golden)
    assert path.read_bytes() == write(again).encode(), complaint(golden, again)


@pytest.mark.parametrize("game", EDITIONS)
def test_every_row_of_every_pay_table_has_a_recording(game: str) -> None:
    missing = wanted_rows(game) - paid_rows(of_today(game))
    assert missing == set(), f"no recording in tests/golden/{game} shows these paid"


def test_every_ending_of_casino_stud_has_a_recording() -> None:
    shown = set().union(*(stud_endings(golden) for golden in of_today("casino-stud")))
    assert shown == STUD_ENDINGS


@pytest.mark.parametrize("game", EDITIONS)
def test_the_recordings_are_of_the_edition_and_the_sheet_of_today(game: str) -> None:
    hashes = {golden.sheet_hash for golden in of_today(game)}
    assert load(game).hash in hashes, "the shipped sheet is new: run golden.py --write"


def test_every_case_has_a_file_and_every_file_a_case() -> None:
    names = {path.stem for path in FILES if ".edition-" not in path.stem}
    assert names == set(STUD_CASES)


# The test itself is tested ------------------------------------------------------------------------


def test_a_missing_recording_is_noticed() -> None:
    goldens = of_today("casino-stud")
    for row in wanted_rows("casino-stud"):
        left = [golden for golden in goldens if row not in paid_rows([golden])]
        assert len(left) < len(goldens)
        assert row in wanted_rows("casino-stud") - paid_rows(left)


def test_a_changed_event_asks_for_a_new_edition_and_changed_words_do_not() -> None:
    golden = of_today("casino-stud")[0]
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
    assert recorder.write_all(tmp_path) == []
    for path in FILES:
        if ".edition-" not in path.stem:
            assert (tmp_path / path.parent.name / path.name).read_bytes() == path.read_bytes()
    path = tmp_path / "casino-stud" / "tie.json"
    spoiled = path.read_text().replace('"why": "tie"', '"why": "draw"')
    path.write_text(spoiled)
    [told] = recorder.write_all(tmp_path)
    assert told.startswith("tie.json: ")
    assert "bump the edition" in told
    assert path.read_text() == spoiled


def test_a_recording_of_an_older_edition_is_kept_beside_the_new_one(tmp_path: Path) -> None:
    recorder.write_all(tmp_path)
    path = tmp_path / "casino-stud" / "tie.json"
    old = path.read_text().replace('"edition": 1', '"edition": 0')
    path.write_text(old)
    assert recorder.write_all(tmp_path) == []
    assert path.with_name("tie.edition-0.json").read_text() == old
    assert read(path).edition == current("casino-stud").number


def test_nothing_is_written_without_being_asked() -> None:
    script = FOLDER / "golden.py"
    ran = subprocess.run([sys.executable, script], capture_output=True, check=False)
    assert ran.returncode == 2
    assert b"--write" in ran.stderr
