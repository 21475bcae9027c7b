"""The stream of `tapis replay`: lines in and out, and the page that documents it.

DESIGN section 6, docs/replay.md. `test_replay_contract.py` tests requests and their refusals.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import msgspec
import pytest

from cli.typed import refused, typed
from games.stud import TAPIS, read_answer, refusal_of, request, run_tapis
from tapisvert.cli.json_lines import answer_lines
from tapisvert.cli.replay import answer_line

ROOT = Path(__file__).parents[2]


def test_keys_of_an_unknown_game_is_a_sentence_and_exit_code_2() -> None:
    assert refused(typed("replay", "--keys", "whist"))[1] == "request/unknown_game"


def test_an_override_changes_the_round_it_comes_with_and_no_other() -> None:
    changed = request(sheet={"play.pays.two-pair": "3:1", "play.times_ante": 1})
    lines = [msgspec.json.encode(each) for each in (request(), changed, request())]
    before, there, after = (read_answer(answer) for answer in answer_lines(lines, answer_line))
    assert before == after
    assert before.returns() == {"ante": 2000, "play": 6000}
    assert there.returns() == {"ante": 2000, "play": 4000}


# The stream ---------------------------------------------------------------------------------------


def test_empty_lines_are_skipped_and_a_bad_line_does_not_stop_the_next() -> None:
    good = msgspec.json.encode(request())
    lines = [b"", b"  \t ", good, b"{", b"\xff\xfe", good + b"\r", b"\r", b"null", good]
    ran = run_tapis("replay", lines=b"\n".join(lines))  # the last one without its newline
    assert (ran.returncode, ran.stderr) == (0, b"")
    told = answer_line(good)
    answers = ran.stdout.splitlines()
    assert [answer == told for answer in answers] == [True, False, False, True, False, True]
    assert all(msgspec.json.decode(answer) for answer in answers)


def test_each_answer_is_written_before_the_next_line_is_read() -> None:
    good = msgspec.json.encode(request())
    with subprocess.Popen(
        [TAPIS, "replay"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for line in (good, b"{", good):
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == answer_line(line) + b"\n"
        process.stdin.close()
        assert process.wait() == 0


# The page that documents it ----------------------------------------------------------------------


def test_the_worked_example_of_the_page_is_what_the_command_answers() -> None:
    page = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```json (request|answer)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    kinds, texts = [kind for kind, _ in blocks], [written for _, written in blocks]
    assert kinds == ["request", "answer"] * 5
    lines = "".join(texts[::2]).encode().splitlines(keepends=True)
    answers = [json.loads(answer) for answer in answer_lines(lines, answer_line)]
    assert answers == [json.loads(written) for written in texts[1::2]]


def test_the_page_names_every_key_of_a_request_and_of_an_answer() -> None:
    page = (ROOT / "docs" / "replay.md").read_text(encoding="utf-8")
    answer = json.loads(answer_line(msgspec.json.encode(request(choices=[]))))
    names = {"game", "deck", "stakes", "choices", "jackpot_cents", "sheet", "capped"}
    names |= {*answer, *answer["ask"], *answer["ask"]["options"][0]}
    assert names <= set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`[^`\n]+`", page))))


# Lines that must not stop the stream --------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [request(deck=["DEEP"]), request(sheet={"play.pays.flush": "DEEP"})],
    ids=["in the deck", "in the sheet"],
)
def test_no_depth_of_nesting_stops_the_stream(line: dict[str, object]) -> None:
    codes = set()
    for depth in range(700, 1000):  # what can be read and no longer be shown depends on the stack
        deep = b"[" * depth + b"]" * depth
        codes.add(refusal_of(msgspec.json.encode(line).replace(b'"DEEP"', deep)).code)
    assert codes <= {"request/malformed", "deck/invalid", "sheet/invalid"}
