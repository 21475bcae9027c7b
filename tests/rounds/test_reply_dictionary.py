"""The tool that builds dictionaries for stored replies: common strings, best last."""

from __future__ import annotations

from pathlib import Path

import pytest

import reply_dictionary
from reply_dictionary import dictionary, grouped, main, samples

COMMON = b'"the part that every reply has":'
GROUPS = [
    [
        b"0123456789abcdef" + COMMON + b"ABCDEFGHIJKLMNOP",
        b"fedcba9876543210" + COMMON + b"<the part that half of one group has>",
    ],
    [b"PONMLKJIHGFEDCBA" + COMMON + b"qrstuvwxyz()[]{}"],
]


def test_what_is_most_common_comes_last_and_is_taken_once() -> None:
    made = dictionary(GROUPS, size=200, segment=32, gram=8)
    assert made.endswith(COMMON)
    assert made.count(COMMON) == 1
    assert all(made.count(reply[:8]) == 1 for replies in GROUPS for reply in replies)


@pytest.mark.parametrize("size", [8, 32, 40, 100])
def test_a_dictionary_is_no_longer_than_asked_and_keeps_the_best(size: int) -> None:
    made = dictionary(GROUPS, size, segment=32, gram=8)
    assert len(made) <= size
    assert made.endswith(COMMON[:size])


def test_nothing_crosses_from_one_reply_into_the_next() -> None:
    apart = [[b"abcdefgh", b"ABCDEFGH"]]
    assert dictionary(apart, 100, segment=8, gram=4) == b"ABCDEFGHabcdefgh"
    assert dictionary(apart, 100, segment=12, gram=4) == b"ABCDEFGHabcdefgh"
    assert dictionary([[b"short"], [b""]], 100, segment=16, gram=8) == b""


def test_the_same_replies_give_the_same_dictionary() -> None:
    found = grouped(list(samples(["casino-stud"]))[:12])
    one, other = (dictionary(list(found.values()), size=1024) for _ in range(2))
    assert one == other
    assert len(one) == 1024
    assert b'"void_after_s":2592000' in one


def test_a_dictionary_is_written_under_the_next_number_and_none_is_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = list(samples(["casino-stud"]))[:4]
    monkeypatch.setattr(reply_dictionary, "samples", lambda: few)
    monkeypatch.setattr(reply_dictionary, "ROOT", tmp_path)
    monkeypatch.setattr(reply_dictionary, "FOLDER", tmp_path)
    (tmp_path / "reply_1.dict").write_bytes(b"released")
    assert main([]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["reply_1.dict"]
    assert main(["--write"]) == 0
    assert "reply_2.dict written" in capsys.readouterr().out
    assert (tmp_path / "reply_1.dict").read_bytes() == b"released"
    assert (tmp_path / "reply_2.dict").read_bytes()
