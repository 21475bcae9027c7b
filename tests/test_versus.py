"""The comparison of two commits (benches/versus.py): arithmetic, checks and clean-up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from not_run import not_run
from tiers import long

sys.path.append(str(Path(__file__).parents[1] / "benches"))

from commands import percentile
from measured_server import in_turn, lost, per_command
from processor_time import processor_time_s
from ratios import BASE, TODAY, Spread, Turn, ratios, spread, table
from versus import ENDING, options

ROOT = Path(__file__).parents[1]
sys.path.remove(str(ROOT / "benches"))  # a module there has the name of a folder of tests


def turn(side: str, alternation: int, rate: float, server_us: float = 100.0) -> Turn:
    return Turn("sqlite", 8, alternation, side, 50, rate, 2.0, 9.0, server_us, None, 0.1, 1.0)


def test_a_ratio_is_taken_within_an_alternation_whoever_went_first() -> None:
    turns = [turn(TODAY, 1, 300.0), turn(BASE, 1, 200.0), turn(BASE, 2, 50.0), turn(TODAY, 2, 25.0)]
    assert ratios(turns, "commands_per_s") == [1.5, 0.5]


def test_an_alternation_that_only_one_side_finished_gives_no_ratio() -> None:
    turns = [turn(TODAY, 1, 500.0), turn(TODAY, 2, 300.0), turn(BASE, 2, 200.0)]
    assert ratios(turns, "commands_per_s") == [1.5]
    assert ratios(turns, "postgresql_us") == []


def test_the_median_of_the_ratios_is_not_the_ratio_of_the_medians() -> None:
    today, base = (100.0, 300.0, 500.0), (50.0, 600.0, 100.0)
    turns = [
        turn(side, n, rates[n]) for side, rates in ((TODAY, today), (BASE, base)) for n in range(3)
    ]
    assert spread(ratios(turns, "commands_per_s")) == Spread(2.0, 0.5, 5.0)  # 300 / 100 is 3


def test_the_median_of_an_even_number_lies_between_the_middle_two() -> None:
    assert spread([4.0, 1.0, 2.0, 3.0]) == Spread(2.5, 1.0, 4.0)


def test_a_percentile_is_the_time_that_this_share_stayed_under() -> None:
    times = [float(ms) for ms in range(1, 201)]
    assert sum(ms < percentile(times, 0.5) for ms in times) == 100
    assert sum(ms < percentile(times, 0.99) for ms in times) == 198
    assert percentile([7.0], 0.99) == 7.0


def test_processor_time_per_command_is_the_difference_of_two_readings() -> None:
    found = per_command((1.0, 10.0), (1.5, 10.25), 1000)
    assert found == {"commands": 1000, "server_us": 500.0, "postgresql_us": 250.0}
    assert per_command((1.0, None), (2.0, None), 4)["postgresql_us"] is None


def test_the_table_has_a_row_for_each_measure_with_both_sides_and_the_spread() -> None:
    turns = [
        *(turn(TODAY, 1, 1500.0, 90.0), turn(BASE, 1, 1000.0, 100.0)),
        *(turn(TODAY, 2, 1500.0, 110.0), turn(BASE, 2, 3000.0, 100.0)),
    ]
    whole = [each._replace(clients=None, commands_per_s=None, p50_ms=None) for each in turns]
    shared = [each._replace(database="postgresql", postgresql_us=300.0) for each in whole]
    lines = table([*turns, *(each._replace(p99_ms=None) for each in [*whole, *shared])])
    assert [" ".join(line.split()) for line in lines.splitlines()] == [
        "database clients measure today base today/base min to max",
        "sqlite 8 commands/s 1,500 2,000 1.000 0.500 to 1.500",
        "sqlite 8 p50, ms 2.00 2.00 1.000 1.000 to 1.000",
        "sqlite 8 p99, ms 9.00 9.00 1.000 1.000 to 1.000",
        "sqlite 8 processor of server, us/command 100 100 1.000 0.900 to 1.100",
        "sqlite all processor of server, us/command 100 100 1.000 0.900 to 1.100",
        "postgresql all processor of server, us/command 100 100 1.000 0.900 to 1.100",
        "postgresql all processor of PostgreSQL, us/command 300 300 1.000 1.000 to 1.000",
        "postgresql all processor of both, us/command 400 400 1.000 0.975 to 1.025",
    ]
    assert len({line.index(" to ") for line in lines.splitlines()[1:]}) == 1  # in columns


def test_no_side_is_always_first_nor_first_every_second_time() -> None:
    first = [in_turn(number, "AB")[0] for number in range(8)]
    assert "".join(first) == "ABBABAAB"
    assert first[::2].count("A") == first[1::2].count("A") == 2


def test_a_server_that_does_not_store_what_it_acknowledged_is_found_out() -> None:
    acknowledged = {"open-0-0-1", "choose-0-0-2", "open-0-0-3"}
    assert lost(acknowledged, acknowledged | {"seat"}, rounds=2, stakes=4) == ""
    assert "1 of 3" in lost(acknowledged, acknowledged - {"choose-0-0-2"}, rounds=2, stakes=4)
    assert "2 rounds" in lost(acknowledged, acknowledged, rounds=1, stakes=4)
    assert "3 stakes" in lost(acknowledged, acknowledged, rounds=2, stakes=3)


CHILD = """
import subprocess, sys, time
burn = "import time\\nwhile time.process_time() < 0.2: pass"
subprocess.run([sys.executable, "-c", burn])
while time.process_time() < 0.1: pass
print("done", flush=True)
sys.stdin.read()
"""


def test_processor_time_counts_the_descendants_that_have_ended() -> None:
    command = [sys.executable, "-c", CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        tick = 1 / os.sysconf("SC_CLK_TCK")
        assert processor_time_s(process.pid) > 0.3 - tick
        process.communicate()


def test_processor_time_of_a_process_that_is_not_there_is_an_error() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    with pytest.raises(ProcessLookupError):
        processor_time_s(process.pid)


def test_a_quick_run_is_shorter_and_what_is_said_counts() -> None:
    sqlite = ["--databases", "sqlite"]
    full, quick = options(sqlite), options([*sqlite, "--quick"])
    assert (full.base, full.alternations, full.clients) == ("795e69f", 10, [1, 8, 32, 128])
    assert quick.alternations < full.alternations
    assert len(quick.clients) < len(full.clients)
    said = options(["main", *sqlite, "--quick", "--clients", "3", "5", "--alternations", "2"])
    assert (said.base, said.clients, said.alternations) == ("main", [3, 5], 2)


@pytest.mark.parametrize(
    "wrong", [["--clients", "0"], ["--alternations", "-1"], ["--seconds", "0"]]
)
def test_a_number_that_makes_no_sense_is_refused(
    wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        options(wrong)
    assert wrong[0] in capsys.readouterr().err


def versus(*words: str) -> list[str]:
    return [sys.executable, str(ROOT / "benches" / "versus.py"), *words]


def test_help_shows_an_example() -> None:
    ran = subprocess.run(versus("--help"), capture_output=True, text=True, check=True)
    assert "python benches/versus.py main~5 --quick" in ran.stdout


def test_a_commit_that_is_not_there_is_named() -> None:
    ran = subprocess.run(
        versus("nosuch", "--databases", "sqlite"), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stderr == "there is no commit nosuch here\n"


# In a process of its own: the worker of these tests may be running an event loop already.
STOPPED = """
import asyncio, os, signal, sys
from versus import ENDING, interrupt, run_interruptibly

async def play():
    if sys.argv[2] == "playing":
        os.kill(os.getpid(), int(sys.argv[1]))
        try:
            await asyncio.sleep(60)
        finally:
            print("stopped")

for number in ENDING:
    signal.signal(number, interrupt)
try:
    run_interruptibly(play())
    os.kill(os.getpid(), int(sys.argv[1]))
except KeyboardInterrupt:
    for again in ENDING:  # while it clears up
        signal.raise_signal(again)
    print("interrupted")
"""


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize(
    ("when", "told"), [("playing", "stopped\ninterrupted\n"), ("between", "interrupted\n")]
)
def test_clients_that_play_are_stopped_first_and_a_second_ctrl_c_does_no_harm(
    number: signal.Signals, when: str, told: str
) -> None:
    words = [sys.executable, "-c", STOPPED, str(int(number)), when]
    done = subprocess.run(words, cwd=ROOT / "benches", capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (told, 0), done.stderr


SHORT = ("HEAD", "--databases", "sqlite", "--clients", "2", "--seconds", "0.5", "--warm", "0.1")


@contextmanager
def leaving_nothing(folder: Path) -> Iterator[dict[str, str]]:
    """Yield an environment with temporary files in a folder; check that none are left."""
    if not (ROOT / ".git").exists():
        not_run("the comparison of two commits", "this is no git clone")
    yield {**os.environ, "TMPDIR": str(folder)}
    assert list(folder.iterdir()) == []
    worktrees = subprocess.run(
        ["git", "worktree", "list"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert str(folder) not in worktrees.stdout
    alive = [path for path in Path("/proc").glob("[0-9]*") if str(folder) in command_of(path)]
    assert alive == []


def command_of(process: Path) -> str:
    try:
        return (process / "cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@long
def test_a_run_measures_both_sides_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (folder := tmp_path / "files").mkdir()
    figures = tmp_path / "figures.json"
    words = (*SHORT, "--alternations", "2", "--json", str(figures))
    with leaving_nothing(folder) as env:
        ran = subprocess.run(versus(*words), env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    turns = json.loads(figures.read_text(encoding="utf-8"))["turns"]
    order = [(each["alternation"], each["side"]) for each in turns if each["clients"] == 2]
    assert order == [(1, TODAY), (1, BASE), (2, BASE), (2, TODAY)]
    assert len(turns) == 2 * len(order)  # and each alternation as a whole
    assert all(each["commands"] > 0 and each["server_us"] > 0 for each in turns)
    assert "sqlite" in ran.stdout
    assert "4/4" in ran.stderr


@long
def test_ctrl_c_leaves_nothing_behind(tmp_path: Path) -> None:
    command = versus(*SHORT, "--alternations", "1000")
    with leaving_nothing(tmp_path) as env:
        run = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
        assert run.stderr is not None
        assert any(line.startswith("2/") for line in run.stderr)  # both servers are up by then
        run.send_signal(signal.SIGINT)
        told = run.communicate()[1]
    assert run.returncode == 130
    assert "interrupted" in told
    assert "Traceback" not in told
