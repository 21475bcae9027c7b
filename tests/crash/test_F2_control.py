"""F2's controls: the same enumeration on a store without one of its protections.

It must find lost or doubled money, or a reply that is not stored.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from crash.points import AFTER_COMMIT
from crash.reporting import complaints, enumerated
from tiers import long

STUD_OPEN = "casino-stud: open and go on"
MORE = (
    "casino-stud: play-or-fold play and end",
    "office: deposit",
    "keeper: sweep pai-gow",
    "jackpot: open, royal-flush",
)


# Of the first, `make test` kills at one in three points: money is lost at most of them.
@pytest.mark.parametrize(
    ("one_in", "scenes"),
    [
        pytest.param(3, (STUD_OPEN, "office: deposit"), id="sampled"),
        pytest.param(1, (STUD_OPEN, *MORE), id="every", marks=long),
    ],
)
def test_F2_statements_that_commit_alone_lose_money_and_it_is_found(
    tmp_path: Path, one_in: int, scenes: tuple[str, ...]
) -> None:
    reports = enumerated(tmp_path, *scenes, without="each-alone", one_in=one_in)
    assert len(reports) == len(scenes)
    for report in reports:
        assert complaints([report], "money"), report.scene
    # The stake has left the player for a round that no longer can be opened.
    lost = " ".join(complaints(reports[:1], "money"))
    assert "has 99000 cents, not 100000" in lost
    assert complaints(reports, "audit")


@long
def test_F2_a_key_kept_apart_from_its_effect_doubles_money_and_it_is_found(tmp_path: Path) -> None:
    names = ("office: deposit", "office: withdraw")
    deposit, withdrawal = enumerated(tmp_path, *names, without="key-apart")
    assert "attempt 1: " in " ".join(complaints([deposit], "money"))
    assert "has 110000 cents, not 105000" in " ".join(complaints([deposit], "money"))
    assert "has 87500 cents, not 93750" in " ".join(complaints([withdrawal], "money"))


def test_F2_a_reply_sent_before_the_commit_has_nothing_behind_it_and_it_is_found(
    tmp_path: Path,
) -> None:
    reports = enumerated(tmp_path, STUD_OPEN, "office: deposit", without="told-early")
    for report in reports:
        assert complaints([report], "answered"), report.scene


@long
def test_F2_a_tail_that_does_not_match_its_rows_is_found(tmp_path: Path) -> None:
    (report,) = enumerated(tmp_path, "office: deposit", without="tail-apart")
    told = " ".join(complaints([report], "audit"))
    assert "what was left: transfers  the tails count 1 rows after seal 2; the table has 2" in told
    assert complaints([report], "seal")  # the next seal does not make it good


@long
@pytest.mark.parametrize(
    ("without", "what"),
    [
        ("seal-lost", "seals  the rows after seal"),
        ("seal-unsigned", "is not signed by the house's key"),
    ],
)
def test_F2_a_seal_that_is_missing_or_not_signed_is_found(
    tmp_path: Path, without: str, what: str
) -> None:
    (report,) = enumerated(tmp_path, "keeper: seal", without=without)
    found = [each for each in complaints([report], "audit") if AFTER_COMMIT in each]
    assert what in " ".join(found)
    assert complaints([report], "seal")
