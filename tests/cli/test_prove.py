"""`tapis prove`: what it prints, and what it says of a question it cannot answer."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction
from math import comb, gcd
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.test_commands import tapis
from games.stud import TAPIS
from tapisvert.cli.app import main
from tapisvert.odds import proofs, proving
from tapisvert.odds.cores import Tell
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.sheets import Sheet, load, with_changes

SHIPPED = Path(__file__).parents[2] / "src/tapisvert/sheets"
CHANGE = "play.pays.flush=6:1"


def ran(
    capfdbinary: pytest.CaptureFixture[bytes], *words: str | Path, command: str = "prove"
) -> tuple[int, bytes, str]:
    """Run the command in this process: its exit code, its output, what it says beside."""
    before, sys.argv = sys.argv, ["tapis", command, *map(str, words)]
    try:
        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
    finally:
        sys.argv = before
    told = capfdbinary.readouterr()
    return code, told.out, told.err.decode()


def tossed(sheet: Sheet, tell: Tell) -> list[Figure]:
    """Prove nothing, at once: a coin."""
    ends = [Outcome("won", 2, Fraction(1, 2)), Outcome("lost", 4, Fraction(-1), Fraction(2))]
    return [counted("main", "optimal", 6, ends)]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let proofs cost nothing."""
    monkeypatch.setattr(proving, "prove", tossed)


def refused(told: tuple[int, bytes, str], code: str) -> None:
    """Check that a refusal is one sentence with this code, and nothing else happened."""
    assert (told[0], told[1]) == (2, b"")
    assert re.fullmatch(rf"tapis: [^\[\n]+.* \[{code}\]\n", told[2]), told[2]


# What is printed ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """Return what the real command prints for Casino Stud, and where it kept it."""
    folder = tmp_path_factory.mktemp("data")
    words = ("prove", "casino-stud", "--set", CHANGE, "--json", "--keep", folder)
    done = subprocess.run([TAPIS, *words], capture_output=True, check=True)
    return msgspec.json.decode(done.stdout), folder


def test_json_is_a_list_of_games_with_their_bets(printed: tuple[Any, Path]) -> None:
    (game,) = printed[0]
    assert set(game) == {"game", "sheet_hash", "seconds", "bets"}
    sheet = with_changes(load("casino-stud"), {"play.pays.flush": "6:1"})
    assert (game["game"], game["sheet_hash"]) == ("casino-stud", sheet.hash)
    assert game["seconds"] > 0
    assert [(bet["bet"], bet["strategy"]) for bet in game["bets"][:2]] == [
        ("main", "optimal"),
        ("bonus", "none"),
    ]
    assert {bet["bet"] for bet in game["bets"][2:]} == {"main"}


def test_fractions_are_exact_in_lowest_terms_and_agree(printed: tuple[Any, Path]) -> None:
    deals = {"main": comb(52, 5) * 47 * comb(46, 4), "bonus": comb(52, 6)}
    for bet in printed[0][0]["bets"]:
        assert bet["exact"] is True
        for name in ("edge", "staked", "variance", "hit"):
            top, bottom = map(int, re.fullmatch(r"(-?\d+)/(\d+)", bet[name]).groups())  # type: ignore[union-attr]
            assert bottom > 0
            assert gcd(top, bottom) == 1
        returned = 1 + Fraction(bet["edge"]) / Fraction(bet["staked"])
        assert re.fullmatch(r"\d\.\d{12}", bet["return"])
        assert abs(Fraction(bet["return"]) - returned) <= Fraction(1, 2 * 10**12)
        assert sum(bet["counts"].values()) == deals[bet["bet"]]
        nets = sum(end["deals"] * Fraction(end["net"]) for end in bet["outcomes"])
        assert nets / deals[bet["bet"]] == Fraction(bet["edge"])


def test_a_changed_price_changes_the_return(printed: tuple[Any, Path]) -> None:
    best = printed[0][0]["bets"][0]
    assert Fraction(best["edge"]) > Fraction("-0.05224")  # with 5:1
    assert best["edge"] != "0/1"


def test_the_proofs_are_kept_for_the_sheet_they_are_of_and_no_other(
    printed: tuple[Any, Path],
) -> None:
    (game,), folder = printed
    sheet = with_changes(load("casino-stud"), {"play.pays.flush": "6:1"})
    kept = msgspec.json.decode(msgspec.json.encode(proofs.find(sheet, folder)))
    assert len(kept) == len(game["bets"])
    assert all(bet in kept for bet in game["bets"])
    other = with_changes(sheet, {"play.pays.flush": "7:1"})
    assert {proof.bet for proof in proofs.find(other, folder)} == {
        "bonus"
    }  # its prices are as before


@pytest.mark.usefixtures("quick")
def test_a_person_gets_a_table(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = ran(capfdbinary, "casino-stud", "ultimate")
    assert code == 0
    text = out.decode()
    assert "casino-stud" in text
    assert "ultimate" in text
    assert load("casino-stud").hash[:12] in text
    assert load("casino-stud").published["main"] in text


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", ["casino-stud", "high-card-flush", "ultimate", "pai-gow"])
def test_a_sheet_in_a_file_says_of_which_game_it_is(
    capfdbinary: pytest.CaptureFixture[bytes], game: str
) -> None:
    for words in ([], [game]):
        code, out, _ = ran(capfdbinary, *words, "--sheet", SHIPPED / f"{game}.toml", "--json")
        assert code == 0
        (found,) = msgspec.json.decode(out)
        assert (found["game"], found["sheet_hash"]) == (game, load(game).hash)


@pytest.mark.usefixtures("quick")
def test_what_ships_with_the_product_is_not_kept_again(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = load("casino-stud")
    ends = [Outcome("won", 1, Fraction(1))]
    two = [counted("bonus", "none", 1, ends), *tossed(sheet, lambda _: None)]
    monkeypatch.setattr(proving, "prove", lambda *_: two)
    shipped, folder = tmp_path / "shipped", tmp_path / "data"
    monkeypatch.setattr(proofs, "SHIPPED", shipped)
    ran(capfdbinary, "casino-stud", "--keep", shipped)
    assert len(proofs.find(sheet)) == 2
    assert ran(capfdbinary, "casino-stud", "--keep", folder)[0] == 0
    assert not folder.exists()
    ran(capfdbinary, "casino-stud", "--set", CHANGE, "--keep", folder)
    assert folder.exists()


@pytest.mark.usefixtures("quick")
def test_a_value_is_json_or_a_text(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    words = ["--set", CHANGE, "--set", 'house.qualifies_with=["K"]', "--set", "play.times_ante=3"]
    _, out, _ = ran(capfdbinary, "casino-stud", *words, "--json")
    changes = {"play.pays.flush": "6:1", "house.qualifies_with": ["K"], "play.times_ante": 3}
    sheet = with_changes(load("casino-stud"), changes)
    assert msgspec.json.decode(out)[0]["sheet_hash"] == sheet.hash


def test_help_has_an_example() -> None:
    told = tapis("prove", "--help")
    assert told.returncode == 0
    assert "Example: tapis prove" in told.stdout


# What cannot be answered --------------------------------------------------------------------------

STUD_FILE = SHIPPED / "casino-stud.toml"


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("output", [[], ["--json"]], ids=["table", "json"])
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["whist"], "request/unknown_game"),
        ([""], "request/unknown_game"),
        (["casino-stud", "Casino-Stud"], "request/unknown_game"),
        (["casino-stud", "--set", "play.pays.whist=1:1"], "sheet/unknown_key"),
        (["casino-stud", "--set", "play.pays=1:1"], "sheet/unknown_key"),
        (["casino-stud", "--set", "game=ultimate"], "sheet/unknown_key"),
        (["casino-stud", "--set", "=1"], "sheet/unknown_key"),
        (["casino-stud", "--set", "play.pays.flush"], "prove/contradiction"),
        (["casino-stud", "--set", ""], "prove/contradiction"),
        (["casino-stud", "--set", CHANGE, "--set", "play.pays.flush=7:1"], "prove/contradiction"),
        (["casino-stud", "ultimate", "--set", CHANGE], "prove/contradiction"),
        (["--set", CHANGE], "prove/contradiction"),
        (["ultimate", "--sheet", STUD_FILE], "prove/contradiction"),
        (["casino-stud", "ultimate", "--sheet", STUD_FILE], "prove/contradiction"),
        (["casino-stud", "--set", "play.pays.flush="], "sheet/invalid"),
        (["casino-stud", "--set", "play.pays.flush=-1:1"], "sheet/invalid"),
        (["casino-stud", "--set", "play.pays.flush=1000001"], "sheet/invalid"),
        (["casino-stud", "--set", "play.pays.flush=6.5"], "sheet/invalid"),
        (["casino-stud", "--set", "play.times_ante=" + "9" * 5000], "sheet/invalid"),
        (["casino-stud", "--set", "play.times_ante=" + "[" * 5000], "sheet/invalid"),
        (["casino-stud", "--set", "play.times_ante=\udcff"], "sheet/invalid"),
        (["casino-stud", "--set", "house.qualifies_with=AK"], "sheet/invalid"),
        (["casino-stud", "--set", 'house.qualifies_with=["K","A"]'], "sheet/invalid"),
        (["--sheet", SHIPPED], "sheet/unreadable"),
        (["--sheet", SHIPPED / "whist.toml"], "sheet/unreadable"),
        (["--sheet", SHIPPED / "sheet.py"], "sheet/unreadable"),
    ],
    ids=lambda word: str(word)[:60],
)
def test_a_question_that_makes_no_sense_is_refused_with_a_code(
    capfdbinary: pytest.CaptureFixture[bytes],
    words: list[str | Path],
    code: str,
    output: list[str],
) -> None:
    refused(ran(capfdbinary, *words, *output), code)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "sheet/invalid"),
        (b"game = 'whist'", "sheet/invalid"),
        (b"game = ['casino-stud']", "sheet/invalid"),
        (b"game = 'casino-stud'", "sheet/invalid"),
        (STUD_FILE.read_bytes().replace(b'"100:1"', b'"100/1"'), "sheet/invalid"),
        (STUD_FILE.read_bytes() + b"\n[whist]\npays = 1\n", "sheet/invalid"),
        (b"game = ", "sheet/unreadable"),
        (b"\xff\xfe", "sheet/unreadable"),
        (b"a = " + b"[" * 5000, "sheet/unreadable"),
        (b"a = " + b"9" * 5000, "sheet/unreadable"),
    ],
    ids=lambda part: repr(part)[:40],
)
def test_a_file_that_is_no_sheet_is_refused_with_its_name(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, content: bytes, code: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    told = ran(capfdbinary, "--sheet", path)
    refused(told, code)
    assert "mine.toml" in told[2]


def test_the_real_command_ends_with_2_and_no_traceback() -> None:
    told = tapis("prove", "whist", "--json")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == 'tapis: There is no game called "whist" here. [request/unknown_game]\n'


def test_prices_whose_sums_would_wrap_are_refused_not_miscounted(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    words = [f"blind.pays.{row}=1000000" for row in ("straight", "full-house")]
    words += ["blind.pays.flush=99999999:100", "ante.pays=1000000", "play.pays=1000000"]
    told = ran(capfdbinary, "ultimate", *(part for word in words for part in ("--set", word)))
    refused(told, "prove/too_large")
