"""The mutation driver itself: what it mutates, what it does not, and that it can fail."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable

import pytest

from mutants import page, sql
from mutants.mutant import SOURCE, Mutant, definition_version, mutants_of
from mutants.plan import ENDLESS, KILLED, SURVIVED, Outcome, Plan
from mutants.planting import plant
from mutants.selection import Reach, version
from mutants.trying import forked
from tapisvert.bank import money

MONEY = SOURCE / "tapisvert" / "bank" / "money.py"


def changed(code: str) -> set[str]:
    """Return the mutants of some code as `before -> after`."""
    return {f"{each.before} -> {each.after}" for each in mutants_of(MONEY, code)}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a < b", {"a < b -> a <= b", "a < b -> a >= b"}),
        ("a == b", {"a == b -> a != b"}),
        ("a is None", {"a is None -> a is not None"}),
        ("a in b", {"a in b -> a not in b"}),
        ("a > 0", {"a > 0 -> a >= 0", "a > 0 -> a <= 0", "a > 0 -> a > 1"}),
        ("a + b", {"a + b -> a - b"}),
        ("a // b", {"a // b -> a * b"}),
        ("a and b", {"a and b -> a or b"}),
        ("not a", {"x = not a -> x = a"}),
        ("-a", {"x = -a -> x = a"}),
        ("min(a)", {"x = min(a) -> x = max(a)"}),
        ("True", {"x = True -> x = False"}),
        ("7", {"x = 7 -> x = 8", "x = 7 -> x = 6"}),
        ("'a'", {"x = 'a' -> x = 'XXaXX'"}),
        ("f'a{b}'", {"f'a{b}' -> f'XXaXX{b}'"}),
        ("f(a=b)", {"f(a=b) -> f(a=None)"}),
        ("f(a=True)", {"a=True -> a=False"}),
        ("a if b else c", {"b -> not b"}),
        ("[a for a in b if a]", {"a -> not a"}),
        (
            "q('DELETE FROM a WHERE b = ?')",
            {
                "q('DELETE FROM a WHERE b = ?') -> q('DELETE FROM a WHERE (b = ? OR 1)')",
                "q('DELETE FROM a WHERE b = ?') -> q('DELETE FROM a WHERE b <> ?')",
            },
        ),
    ],
)
def test_F8_a_value_is_changed_in_every_small_way(code: str, expected: set[str]) -> None:
    assert changed(f"x = {code}") == expected


def test_statements_are_left_out_and_returns_made_empty() -> None:
    code = """
def f(a, b=1):
    first = a
    first = b
    a.c = b
    g(a)
    for each in a:
        if each:
            continue
        raise each
    return first
"""
    assert changed(code) == {
        "1 -> 2",
        "1 -> 0",
        "first = b -> pass",
        "a.c = b -> pass",
        "g(a) -> pass",
        "each -> not each",
        "continue -> break",
        "raise each -> pass",
        "return first -> return None",
    }


def test_what_does_not_run_is_left_alone() -> None:
    code = '''
"""A docstring."""
from __future__ import annotations
from typing import Literal, TypeVar
T = TypeVar("T")
Reason = Literal["expired", "operator"]
Reply = list[str | int]

@dataclass(frozen=True, slots=True)
class A:
    """Another."""

    a: Literal["b"]

def f(a: Literal["b"]) -> dict[str, str | int]:
    """A third."""
'''
    assert changed(code) == set()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("SELECT a FROM b ORDER BY c DESC", "SELECT a FROM b ORDER BY c"),
        ("SELECT a FROM b ORDER BY c", "SELECT a FROM b ORDER BY c DESC"),
        ("UPDATE a SET b = 0 WHERE id = ?", "UPDATE a SET b = 1 WHERE id = ?"),
        ("SELECT a WHERE b = ? AND c = 'd'", "SELECT a WHERE b = ? AND (c = 'd' OR 1)"),
        ("SELECT a WHERE b = ? AND c = 'd'", "SELECT a WHERE b = ? OR c = 'd'"),
        ("SELECT a WHERE b = ? AND c = 'd'", "SELECT a WHERE b = ? AND c = 'XXdXX'"),
        ("SELECT a WHERE b <= ?", "SELECT a WHERE b < ?"),
        ("SELECT COALESCE(SUM(a), 0) FROM b", "SELECT COALESCE(MAX(a), 0) FROM b"),
        ("SELECT a UNION ALL SELECT -b", "SELECT a UNION SELECT -b"),
        ("SELECT a UNION ALL SELECT -b", "SELECT a UNION ALL SELECT b"),
        ("INSERT INTO a VALUES (?) ON CONFLICT DO NOTHING", "INSERT INTO a VALUES (?)"),
        ("SELECT a WHERE b IS NOT NULL", "SELECT a WHERE b IS NULL"),
    ],
)
def test_sql_is_changed_in_ways_that_still_run(text: str, wrong: str) -> None:
    assert sql.is_sql(text)
    found = list(sql.changed(text))
    assert wrong in found
    assert {each.count("?") for each in found} == {text.count("?")}
    assert not any(each.startswith("UPDATE a SET b <> ") for each in found)


def test_a_descending_order_by_a_dotted_name_is_only_made_ascending() -> None:
    assert list(sql.changed("SELECT a ORDER BY b.c DESC")) == ["SELECT a ORDER BY b.c"]


def the(before: str, after: str) -> Mutant:
    """Return a mutant of the ledger."""
    (found,) = (each for each in mutants_of(MONEY) if (each.before, each.after) == (before, after))
    return found


def ended(work: Callable[[], bool]) -> bool:
    """Tell whether a condition holds in a separate process."""
    return forked(lambda: int(work()), 60) == 1


def test_a_mutant_of_a_function_lives_in_its_own_process_only() -> None:
    mutant = the("f'player:{player_id}'", "f'XXplayer:XX{player_id}'")
    assert mutant.planted_in == "player_account"

    def work() -> bool:
        plant(mutant)
        return money.player_account("7") == "XXplayer:XX7"

    assert ended(work)
    assert money.player_account("7") == "player:7"


def test_a_mutant_of_what_runs_at_import_is_there_from_the_import_on() -> None:
    mutant = the("PLAY_MONEY = 'FUN'", "PLAY_MONEY = 'XXFUNXX'")
    assert mutant.planted_in is None

    def work() -> bool:
        for name in [name for name in sys.modules if name.startswith("tapisvert")]:
            del sys.modules[name]
        plant(mutant)
        from tapisvert.bank import money as mutated
        from tapisvert.players import guests

        return mutated.PLAY_MONEY == "XXFUNXX" and guests is not None

    assert ended(work)
    assert money.PLAY_MONEY == "FUN"


def test_a_process_that_never_ends_is_ended() -> None:
    def work() -> int:
        signal.setitimer(signal.ITIMER_PROF, 0.1)
        while True:
            pass

    def wait() -> int:
        time.sleep(60)
        return 0

    assert forked(work, 60) == -signal.SIGPROF
    assert forked(wait, 0.1) is None
    assert forked(wait, 60, idle_s=0.1) is None
    assert forked(lambda: 3, 60) == 3


def test_a_mutant_is_tried_by_what_reaches_its_line_the_quickest_and_the_cleverest_first() -> None:
    mutant = the("f'player:{player_id}'", "f'XXplayer:XX{player_id}'")
    seconds = {"slow": 5.0, "quick[1]": 1.0, "quick[2]": 3.0, "other": 3.0, "far": 0.1}
    lines = {str(MONEY): {mutant.line: ["slow", "quick[1]", "quick[2]", "other"]}}
    plan = Plan(Reach(seconds, lines, {str(MONEY): version(MONEY)}), budget_s=10)
    assert plan.tests(mutant) == ["quick[1]", "other", "slow"]
    plan.learn(mutant, Outcome(KILLED, "other"))
    assert plan.tests(mutant) == ["other", "quick[1]", "slow"]
    at_import = the("PLAY_MONEY = 'FUN'", "PLAY_MONEY = 'XXFUNXX'")
    assert plan.tests(at_import)[:2] == ["quick[1]", "other"]


def test_the_page_counts_what_was_noticed_and_wants_a_reason_for_the_rest() -> None:
    mutants = mutants_of(MONEY)
    outcomes = {each.name: Outcome(KILLED, "a test") for each in mutants}
    survivor, endless = mutants[0], mutants[1]
    outcomes[survivor.name] = Outcome(SURVIVED)
    outcomes[endless.name] = Outcome(ENDLESS)
    written = page.Page(mutants, outcomes, {})
    assert written.survivors == [survivor]
    assert written.problems() == [f"no reason is given for {survivor.name}"]
    why = {survivor.name: "it cannot matter"}
    assert page.Page(mutants, outcomes, why).problems() == []
    assert "it cannot matter" in page.Page(mutants, outcomes, why).text()
    outcomes[survivor.name] = Outcome(KILLED, "a test")
    assert page.Page(mutants, outcomes, why).problems() == [f"is noticed by now: {survivor.name}"]


def test_an_outcome_counts_while_the_function_of_its_mutant_is_the_same() -> None:
    code = "import a\n\n@a.b(1)\ndef f(x):\n    return x + 1\n\ndef g(x):\n    return x + 2\n"
    before = {each.name: definition_version(each) for each in mutants_of(MONEY, code)}
    changed = code.replace("x + 2", "x - 2")
    after = {each.name: definition_version(each) for each in mutants_of(MONEY, changed)}
    same = {name for name in before if after.get(name) == before[name]}
    assert same == {name for name in before if " f: " in name or "a.b(1)" in name}
    described = changed.replace("(x):\n", '(x):\n    """What it does."""\n')
    assert {each.name: definition_version(each) for each in mutants_of(MONEY, described)} == after
    assert any("a.b(1)" in name for name in same)
    assert any(" g: " in name for name in before.keys() - same)
