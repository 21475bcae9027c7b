"""Guarantees of the table: R6, an outcome depends on deck and decisions alone; G6, line by line."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from games.stud import is_royal
from tapisvert.cards import STANDARD
from tapisvert.engine import AnyEvent, Table, Transcript, replay, view
from tapisvert.engine import events as ev
from tapisvert.games.casino_stud.script import casino_stud
from tapisvert.games.registry import current
from tapisvert.sheets import load

SOURCE = Path(__file__).parents[2] / "src" / "tapisvert"
# A royal flush may not be folded (stud.7), so no deck deals one here.
DECKS = st.permutations(STANDARD).filter(lambda deck: not is_royal(deck[:5]))
CHOICES = st.sampled_from(["play", "fold"])
STAKES = st.fixed_dictionaries(
    {"ante": st.integers(1, 100).map(lambda units: 100 * units)},
    optional={"bonus": st.integers(1, 100).map(lambda units: 100 * units)},
)

# Everything the rooms that decide an outcome may import from outside the project: no clock, no
# randomness, no files, no network. A sheet's loader reads its own file and nothing else; a game
# says where its folder is, and the registry asks which games are installed.
_ALLOWED = {"__future__", "collections", "dataclasses", "fractions", "functools", "hashlib"}
_ALLOWED |= {"itertools", "msgspec", "typing"}
_MORE = {
    "sheet_file.py": {"pathlib", "re", "tomllib"},
    **{key: {"pathlib"} for key in ("sheets.py", "__init__.py")},
    "game.py": {"pathlib", "tomllib"},
    "registry.py": {"contextlib", "importlib", "pathlib", "traceback"},  # finds plug-ins
    "completeness.py": {"importlib", "re", "tomllib"},
}
_COUNTING = {"numba", "numpy"}  # the batch orders of ranking, which no script imports


def stud(deck: list[int], stakes: dict[str, int], *choices: str) -> Transcript:
    """Replay a round of Casino Stud on the shipped sheet."""
    return replay(current("casino-stud").script, load("casino-stud"), deck, stakes, choices)


def cards_and_names(events: tuple[AnyEvent, ...]) -> list[AnyEvent]:
    """Return the cards dealt and revealed, and the names, except the bonus's own."""
    return [
        type(event)(**{**{f: getattr(event, f) for f in event.__struct_fields__}, "n": 0})
        for event in events
        if isinstance(event, ev.Dealt | ev.Revealed | ev.Said)
        or (isinstance(event, ev.Named) and event.zone != "bonus")
    ]


def test_R6_the_outcome_takes_sheet_deck_stakes_and_answers_and_nothing_else() -> None:
    assert list(inspect.signature(replay).parameters) == [
        "game",
        "sheet",
        "deck",
        "stakes",
        "answers",
        "bank",  # answers claims on the pot, and is recorded among the answers
        "void",  # breaks a round off and returns unsettled stakes
    ]
    assert list(inspect.signature(Table).parameters) == ["sheet", "deck", "stakes"]
    assert list(inspect.signature(casino_stud).parameters) == ["table", "sheet"]


def test_R6_the_rooms_that_decide_import_no_clock_no_chance_and_no_outside_world() -> None:
    for room in ("cards.py", "refusal.py", "ranking", "sheets.py", "engine", "games"):
        path = SOURCE / room
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if "odds" in file.parts:  # the mathematics decides no round
                continue
            allowed = _ALLOWED | _MORE.get(file.name, set())
            allowed |= _COUNTING if file.stem.endswith("batch") else set()
            outside = {name.split(".")[0] for name in imports(file)} - {"tapisvert"}
            assert outside <= allowed, f"{file.name} imports {sorted(outside - allowed)}"


def imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(node.module or "")
    return found


@settings(max_examples=150, deadline=None)
@given(DECKS, CHOICES, STAKES, STAKES)
def test_R6_stakes_of_any_size_meet_the_same_cards_the_same_hands_and_the_same_result(
    deck: list[int], choice: str, one: dict[str, int], other: dict[str, int]
) -> None:
    small, large = stud(deck, one, choice), stud(deck, other, choice)
    assert cards_and_names(small.events) == cards_and_names(large.events)
    for bet in small.lines.keys() & large.lines.keys():
        mine, theirs = small.lines[bet], large.lines[bet]
        assert (mine.outcome, mine.why, mine.row, mine.odds) == (
            theirs.outcome,
            theirs.why,
            theirs.row,
            theirs.odds,
        )
        # The same odds: what comes back is in proportion to the stake.
        assert (
            mine.returned_cents * theirs.staked_cents == theirs.returned_cents * mine.staked_cents
        )


@settings(max_examples=100, deadline=None)
@given(DECKS, CHOICES, STAKES, st.lists(DECKS, max_size=3), st.integers(0, 10**9))
def test_R6_neither_the_rounds_before_nor_the_balance_change_a_round(
    deck: list[int],
    choice: str,
    stakes: dict[str, int],
    earlier: list[list[int]],
    balance_cents: int,
) -> None:
    first = stud(deck, stakes, choice)
    for other in earlier:
        stud(other, {"ante": 10_000, "bonus": 10_000}, "play")
    assert stud(deck, stakes, choice) == first
    # A balance says which options can be paid for, and nothing else of the round.
    rich, poor = view(stud(deck, stakes), 10**9), view(stud(deck, stakes), balance_cents)
    assert (rich.hands, rich.lines, rich.staked_cents) == (
        poor.hands,
        poor.lines,
        poor.staked_cents,
    )
    assert rich.ask
    assert poor.ask
    for mine, theirs in zip(rich.ask.options, poor.ask.options, strict=True):
        assert (mine.id, mine.legal, mine.why_not) == (theirs.id, theirs.legal, theirs.why_not)


@settings(max_examples=200, deadline=None)
@given(DECKS, CHOICES, STAKES)
def test_G6_each_wager_and_its_win_is_shown_separately_and_the_lines_add_up(
    deck: list[int], choice: str, stakes: dict[str, int]
) -> None:
    played = stud(deck, stakes, choice)
    wagers = {**stakes, **({"play": 2 * stakes["ante"]} if choice == "play" else {})}
    seen = view(played)
    assert {line.bet: line.staked_cents for line in seen.lines} == wagers
    in_order = [bet for bet in ("ante", "bonus", "play") if bet in wagers]
    assert [line.bet for line in seen.lines] == in_order
    assert sum(line.staked_cents for line in seen.lines) == seen.staked_cents
    assert sum(line.returned_cents for line in seen.lines) == seen.returned_cents
    ended = played.events[-1]
    assert isinstance(ended, ev.Ended)
    assert (ended.staked_cents, ended.returned_cents) == (seen.staked_cents, seen.returned_cents)
    shown = [event.bet for event in played.events if isinstance(event, ev.Settled)]
    assert shown == in_order
