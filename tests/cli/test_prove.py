"""`tapis prove`: its output, and its refusals."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import comb, gcd
from pathlib import Path
from typing import Any

import msgspec
import pytest
from openpyxl import load_workbook

from cli.typed import refused, tapis, typed
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import GAMES
from tapisvert.lab import bankroll_store, mathematics, proof_store
from tapisvert.lab.proof_store import ratio
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.parallel import Progress
from tapisvert.par.record import read_par
from tapisvert.sheets import load

CHANGE = "play.pays.flush=6:1"


def tossed(sheet: Sheet, tell: Progress) -> list[Figure]:
    """Stub of a proof: the figure of a coin toss."""
    ends = [Outcome("won", 2, Fraction(1, 2)), Outcome("lost", 4, Fraction(-1), Fraction(2))]
    return [counted("main", "optimal", 6, ends)]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace proofs by a fast stub."""
    monkeypatch.setattr(mathematics, "prove", tossed)


# What is printed ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """Run the real command for Casino Stud; return its output and its folder."""
    folder = tmp_path_factory.mktemp("data")
    keep = ("--keep", folder / "kept", "--report", folder / "reports")
    done = tapis("prove", "casino-stud", "--set", CHANGE, "--json", *keep)
    assert done.returncode == 0, done.stderr
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
    (game,), folder = printed[0], printed[1] / "kept"
    sheet = with_changes(load("casino-stud"), {"play.pays.flush": "6:1"})
    kept = msgspec.json.decode(msgspec.json.encode(proof_store.find(sheet, folder)))
    assert len(kept) == len(game["bets"])
    assert all(bet in kept for bet in game["bets"])
    assert bankroll_store.find(sheet, folder)[0].results[0].mean == 100 * Fraction(kept[0]["edge"])
    other = with_changes(sheet, {"play.pays.flush": "7:1"})
    assert bankroll_store.find(other, folder) == ()
    found = {proof.bet for proof in proof_store.find(other, folder)}
    assert found == {"bonus"}  # its prices are as before


def test_a_report_is_written_in_both_languages(printed: tuple[Any, Path]) -> None:
    folder = printed[1] / "reports"
    ends = ("-en.html", "-fr.html", "-fr.xlsx", ".json", ".xlsx")
    names = [f"casino-stud-par{end}" for end in ends]
    assert sorted(path.name for path in folder.iterdir()) == names
    titles = [load_workbook(folder / name)["main optimal"]["A1"].value for name in names[2::2]]
    assert titles == ["Jeu principal, au mieux", "Main game, optimally"]
    page = (folder / names[0]).read_text(encoding="utf-8")
    assert "6 to 1" in page or "6:1" in page or "6 : 1" in page
    assert proof_store.find(load("casino-stud"))[0].edge not in page
    record = read_par((folder / names[3]).read_bytes())
    assert [each.strategy for each in record.bankrolls] == ["optimal"]
    assert record.bankrolls != bankroll_store.find(load("casino-stud"))
    assert "<h2>Bankroll</h2>" in page
    assert (record.game, record.sheet_hash) == ("casino-stud", printed[0][0]["sheet_hash"])
    assert [ratio(bet.edge) for bet in record.bets] == [
        bet["edge"] for bet in printed[0][0]["bets"]
    ]


@pytest.mark.usefixtures("quick")
def test_a_person_gets_a_table() -> None:
    told = typed("prove", "casino-stud", "ultimate")
    assert told.returncode == 0
    sheet = load("casino-stud")
    for word in ("casino-stud", "ultimate", sheet.hash[:12], sheet.published["main"]):
        assert word in told.stdout


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("game", ["casino-stud", "high-card-flush", "ultimate", "pai-gow"])
def test_a_sheet_in_a_file_says_of_which_game_it_is(game: str) -> None:
    for words in ([], [game]):
        told = typed("prove", *words, "--sheet", GAMES[game].folder / "sheet.toml", "--json")
        assert told.returncode == 0
        (found,) = msgspec.json.decode(told.stdout)
        assert (found["game"], found["sheet_hash"]) == (game, load(game).hash)


@pytest.mark.usefixtures("quick")
def test_what_ships_with_the_product_is_not_kept_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = load("casino-stud")
    ends = [Outcome("won", 1, Fraction(1))]
    two = [counted("bonus", "none", 1, ends), *tossed(sheet, lambda _: None)]
    monkeypatch.setattr(mathematics, "prove", lambda *_: two)
    shipped, folder = tmp_path / "shipped", tmp_path / "data"
    typed("prove", "casino-stud", "--keep", shipped)
    (shipped / "casino-stud.json").rename(shipped / proof_store.SHIPPED)
    (shipped / "casino-stud-bankrolls.json").rename(shipped / bankroll_store.SHIPPED)
    stud = replace(GAMES["casino-stud"], folder=shipped)
    monkeypatch.setitem(GAMES, "casino-stud", stud)
    assert len(proof_store.find(sheet)) == 2
    assert typed("prove", "casino-stud", "--keep", folder).returncode == 0
    assert not folder.exists()
    typed("prove", "casino-stud", "--set", CHANGE, "--keep", folder)
    assert folder.exists()


@pytest.mark.usefixtures("quick")
def test_a_value_is_json_or_a_text() -> None:
    words = ["--set", CHANGE, "--set", 'house.qualifies_with=["K"]', "--set", "play.times_ante=3"]
    told = typed("prove", "casino-stud", *words, "--json")
    changes = {"play.pays.flush": "6:1", "house.qualifies_with": ["K"], "play.times_ante": 3}
    sheet = with_changes(load("casino-stud"), changes)
    assert msgspec.json.decode(told.stdout)[0]["sheet_hash"] == sheet.hash


# What cannot be answered --------------------------------------------------------------------------

STUD = GAMES["casino-stud"].folder
STUD_FILE = STUD / "sheet.toml"


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
        (["--sheet", STUD], "sheet/unreadable"),
        (["--sheet", STUD / "whist.toml"], "sheet/unreadable"),
        (["--sheet", STUD / "sheet.py"], "sheet/unreadable"),
    ],
    ids=lambda word: str(word)[:60],
)
def test_a_question_that_makes_no_sense_is_refused_with_a_code(
    words: list[str | Path], code: str, output: list[str]
) -> None:
    assert refused(typed("prove", *words, *output))[1] == code


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
    tmp_path: Path, content: bytes, code: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    sentence, found = refused(typed("prove", "--sheet", path))
    assert (found, "mine.toml" in sentence) == (code, True)


def test_the_real_command_ends_with_2_and_no_traceback() -> None:
    sentence, code = refused(tapis("prove", "whist", "--json"))
    assert (sentence, code) == ('There is no game called "whist" here.', "request/unknown_game")


def test_prices_whose_sums_would_wrap_are_refused_not_miscounted() -> None:
    words = [f"blind.pays.{row}=1000000" for row in ("straight", "full-house")]
    words += ["blind.pays.flush=99999999:100", "ante.pays=1000000", "play.pays=1000000"]
    told = typed("prove", "ultimate", *(part for word in words for part in ("--set", word)))
    assert refused(told)[1] == "prove/too_large"


def test_an_interrupted_proof_keeps_and_reports_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(mathematics, "prove", pressed)
    places = ("--keep", tmp_path / "kept", "--report", tmp_path / "reports")
    told = typed("prove", "casino-stud", "--set", CHANGE, *places)
    assert (told.returncode, told.stdout) == (130, "")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_report_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the second file is written."""
    whole = Path.write_bytes

    def pressed(path: Path, content: bytes) -> int:
        if path.name.startswith("casino-stud-par-"):
            raise KeyboardInterrupt
        return whole(path, content)

    monkeypatch.setattr(Path, "write_bytes", pressed)
    told = typed("prove", "casino-stud", "--report", tmp_path / "reports")
    assert told.returncode == 130
    assert list((tmp_path / "reports").iterdir()) == []
