"""Strategy files: what they may say, and how they are refused."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from strategies.rules import all_files
from tapisvert.lab.mathematics import mathematics_of
from tapisvert.odds.figures import Figure
from tapisvert.odds.parallel import Progress
from tapisvert.odds.vocabulary import Decide, Judged, Spots
from tapisvert.refusal import Refused
from tapisvert.sheets import load, with_changes
from tapisvert.strategies import evaluation, short
from tapisvert.strategies.card import card
from tapisvert.strategies.strategy_file import check, find, read_file, shipped, typed
from tapisvert.words import catalogue, explain

GOOD: dict[str, Any] = {
    "game": "casino-stud",
    "name": "good",
    "play-or-fold": [
        {"when": {"at_least": "AK", "up": ["A", "K"]}, "choose": "play"},
        {"choose": "fold"},
    ],
}


@pytest.mark.parametrize(
    "path", all_files(), ids=lambda path: f"{path.parent.parent.name}-{path.stem}"
)
def test_a_shipped_file_is_named_titled_and_fits_its_game(path: Path) -> None:
    file = read_file(path)
    assert file.name == path.stem
    assert path in shipped(file.game).values()
    assert set(file.title) == {"en", "fr"}
    sheet = with_changes(load(file.game), dict(file.sheet))
    vocabulary = evaluation.vocabulary_of(sheet)
    check(file, vocabulary)
    assert len(list(card(file, vocabulary))) >= sum(map(len, file.rules.values()))
    if file.published is not None:
        assert file.source is not None
    if file.source is not None:
        assert re.fullmatch(r"https?://\S+", file.source.address)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", file.source.read)


def test_a_rule_reads_as_a_sentence() -> None:
    vocabulary = evaluation.vocabulary_of(load("casino-stud"))
    assert list(card(typed(GOOD, "good"), vocabulary)) == [
        "1. Play: A-K or better, against an ace or a king.",
        "2. Fold: otherwise.",
    ]


def refusal_of(change: dict[str, Any]) -> Refused:
    """Return why a file is refused that is good but for these keys."""
    with pytest.raises(Refused) as caught:
        check(typed({**GOOD, **change}, "bad"), evaluation.vocabulary_of(load("casino-stud")))
    return caught.value


@pytest.mark.parametrize(
    ("change", "key", "reason"),
    [
        ({"game": "roulette"}, "game", "is not a game here; the games are"),
        ({"game": 7}, "game", "must be a text in quotes, not a whole number"),
        ({"play-or-fold": []}, "play-or-fold", "needs one"),
        ({"draw": [{"choose": "play"}]}, "draw", "has no such question; it asks play-or-fold"),
        (
            {"play-or-fold": [{"choose": "raise"}]},
            "play-or-fold, rule 1",
            '"raise" is not an option',
        ),
        ({"play-or-fold": [{"when": {}}]}, "", 'the key "choose" is missing'),
        (
            {"play-or-fold": [{"choose": "play", "when": {"luck": 7}}]},
            "play-or-fold, rule 1",
            '"luck" is not a word',
        ),
        ({"author": "me"}, "author", "is neither a key"),
        ({"play-or-fold": "fold"}, "play-or-fold", "nor a list of rules"),
        (
            {"play-or-fold": [{"choose": "play"}, 5]},
            "play-or-fold, rule 2",
            "must be a table, not a whole number",
        ),
        (
            {"play-or-fold": [{"choose": "play", "when": {"up": 0.5}}]},
            "play-or-fold, rule 1",
            "up = 0.5 must be",
        ),
        *(
            ({"play-or-fold": [{"choose": "play", "when": {word: value}}]}, "rule 1", reason)
            for word, value, reason in [
                ("at_least", "KA", "must be a hand"),
                ("at_least", "pair X", "must be a hand"),
                ("at_least", "", "must be a hand"),
                ("at_least", 7, "must be a hand"),
                ("at_least", ["AK"], "must be one value, not a list"),
                ("up", "10", "must be a rank"),
                ("up", [], "must be one value or more"),
                ("holds", ["Q", "Q"], "names a value twice"),
                ("up_matches", 1, "true or false"),
                ("cards_above_up", True, "whole number from 1 to 5"),
                ("cards_above_up", 6, "whole number from 1 to 5"),
            ]
        ),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_its_place(
    change: dict[str, Any], key: str, reason: str
) -> None:
    refused = refusal_of(change)
    assert refused.code == "strategy/invalid"
    assert key in str(refused.details["key"])
    assert reason in str(refused.details["reason"])


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text("when = { at_least", encoding="utf-8")
    for asked, code in (
        (str(path), "strategy/unreadable"),
        (str(tmp_path / "none.toml"), "strategy/unreadable"),
        (str(tmp_path), "strategy/unreadable"),
        ("", "strategy/unknown"),
        ("a" * 5_000, "strategy/unknown"),
        ("by-the-moon", "strategy/unknown"),
    ):
        with pytest.raises(Refused) as caught:
            find("casino-stud", asked)
        assert caught.value.code == code


def test_a_file_is_found_by_name_and_by_path() -> None:
    by_name = find("casino-stud", "pair-or-better")
    assert by_name == find("casino-stud", str(shipped("casino-stud")["pair-or-better"]))
    assert by_name.length == 1


def test_a_game_without_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = load("casino-stud")
    without = replace(mathematics_of(sheet), vocabulary=None)
    monkeypatch.setattr(evaluation, "mathematics_of", lambda _: without)
    with pytest.raises(Refused) as caught:
        evaluation.evaluated(typed(GOOD, "good"), sheet)
    assert caught.value.code == "strategy/no_vocabulary"


class OnlyJudged:
    """Counted positions of another game that judge chosen options and compare none."""

    unit = deals = 1

    def play(self, name: str, decide: Decide, tell: Progress) -> Figure:
        """Put one question with one position."""
        one = np.ones(1, dtype=np.int64)
        values = np.zeros((2, 1), dtype=np.int64)
        judged = Judged(values[0], lambda _: "play")
        spots = Spots(
            options=("play", "fold"),
            weights=one,
            hidden=1,
            values=values,
            legal=values == 0,
            column=lambda _: one,
            position=lambda _: {},
            judge=lambda _: judged,
        )
        decide("play-or-fold", spots)
        raise AssertionError("the search went on")


def test_a_game_that_compares_no_options_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = load("casino-stud")
    vocabulary = evaluation.vocabulary_of(sheet)
    judged = replace(vocabulary, count=lambda sheet, tell: OnlyJudged())
    monkeypatch.setattr(short, "vocabulary_of", lambda _: judged)
    with pytest.raises(Refused) as caught:
        short.find_short(sheet, 1)
    assert caught.value.code == "strategy/no_search"


def test_all_mistakes_of_a_file_are_told_together() -> None:
    rules = [{"choose": "raise"}, {"choose": "check", "when": {"up": "X"}}]
    refused = refusal_of({"play-or-fold": rules})
    said = explain(catalogue("en"), refused)
    for part in ('"raise" is not an option', '"check" is not an option', 'up = "X" must be a rank'):
        assert part in said


def test_a_rule_that_cannot_apply_is_told_before_anything_is_counted() -> None:
    rules = [
        {"choose": "play", "when": {"at_least": "pair", "below": "AK"}},
        {"choose": "fold"},
        {"choose": "play", "when": {"up": "A"}},
    ]
    refused = refusal_of({"play-or-fold": rules})
    assert refused.code == "strategy/never_applies"
    said = explain(catalogue("en"), refused)
    assert 'at_least = "pair" and below = "AK" exclude each other' in said
    assert "rule 2 has no condition and decides every position" in said
