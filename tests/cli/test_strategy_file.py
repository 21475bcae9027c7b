"""`tapis prove --strategy`: its output, and its refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from cli.typed import refused, typed
from tiers import long

PAIR = '[[play-or-fold]]\nwhen = { at_least = "pair" }\nchoose = "play"\n'
FOLD = '[[play-or-fold]]\nchoose = "fold"\n'
HEAD = 'game = "casino-stud"\nname = "mine"\n'


def written(folder: Path, *parts: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(HEAD + "".join(parts), encoding="utf-8")
    return path


def test_a_file_is_proved_as_json_and_as_tables(tmp_path: Path) -> None:
    title = "title.en = '[b]mine[/none]'\n"  # no markup of the terminal
    path = written(tmp_path, title, "[sheet]\n'play.pays.flush' = '6:1'\n", PAIR, FOLD)
    done = typed("prove", "casino-stud", "--strategy", path, "--json")
    assert done.returncode == 0, done.stderr
    found = msgspec.json.decode(done.stdout)
    assert set(found) == {
        *("game", "sheet_hash", "name", "title", "figure", "best_edge", "cost", "costliest"),
        "rules",
    }
    assert Fraction(found["best_edge"]) == Fraction(found["figure"]["edge"]) + Fraction(
        found["cost"]
    )
    assert set(found["rules"][0]) == {
        *("question", "number", "when", "says", "choose", "deals", "cost", "mistakes"),
    }
    assert [rule["choose"] for rule in found["rules"]] == ["play", "fold"]
    assert set(found["rules"][1]["mistakes"][0]) == {"position", "best", "loss", "deals", "cost"}
    # A given figure takes the place of the file's own.
    shown = typed("prove", "casino-stud", "--strategy", path, "--set", "play.pays.flush=5:1")
    assert "5.469621" in shown.stdout
    assert "[b]mine[/none]" in shown.stdout
    assert "Costliest: play-or-fold, rule 2" in shown.stdout


@long
def test_a_shipped_strategy_shows_its_source_and_what_is_printed_there() -> None:
    shown = typed("prove", "casino-stud", "--strategy", "pair-or-better").stdout
    assert "toho-talent.com" in shown
    assert "loss over all deals 1,090,272,101,460" in shown


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("casino-stud", "--strategy", "by-the-moon"), "strategy/unknown"),
        (("--strategy", "pair-or-better"), "prove/contradiction"),
        (("ultimate", "casino-stud", "--strategy", "x"), "prove/contradiction"),
        (("casino-stud", "--strategy", "pair-or-better", "--keep", "x"), "prove/contradiction"),
        (
            ("casino-stud", "--strategy", "pair-or-better", "--cluster", "tcp://127.0.0.1:9"),
            "prove/contradiction",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    words: tuple[str, ...], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(typed("prove", *words))[1] == code


def test_a_strategy_of_another_game_or_with_a_hole_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, PAIR)
    done = typed("prove", "high-card-flush", "--strategy", path)
    assert refused(done)[1] == "prove/contradiction"
    sentence, code = refused(typed("prove", "casino-stud", "--strategy", path))
    assert code == "strategy/uncovered"
    assert ", house " in sentence


@long
def test_short_strategies_are_printed_as_cards_and_as_json() -> None:
    done = typed("strategy", "casino-stud", "--rules", "1")
    assert done.returncode == 0, done.stderr
    assert "At most one rule: costs 0.0920 %, house edge 5.3163 %" in done.stdout
    assert "1. Play: A-K-J-8-3 or better." in done.stdout
    assert "better ones of these forms are excluded" in " ".join(done.stdout.split())
    found = msgspec.json.decode(typed("strategy", "casino-stud", "--rules", "1", "--json").stdout)
    assert set(found) == {"game", "sheet_hash", "candidates", "seconds", "strategies"}
    assert set(found["strategies"][0]) == {"most", "method", "card", "strategy"}


@pytest.mark.parametrize("rules", ["0", "13"])
def test_too_few_or_too_many_rules_are_refused(rules: str) -> None:
    done = typed("strategy", "casino-stud", "--rules", rules)
    assert refused(done)[1] == "request/malformed"
    kept = typed("strategy", "casino-stud", "--rules", "1", "--keep", "x")
    assert refused(kept)[1] == "prove/contradiction"
