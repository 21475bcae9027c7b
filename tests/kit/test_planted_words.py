"""Mistakes planted in the words of a game one at a time; the kit reports each."""

from __future__ import annotations

import pytest

from kit.planting import ROOT, STUD, Planter, forget, found
from tapisvert.games.registry import GAMES


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_word_missing_in_one_language(planter: Planter, language: str) -> None:
    words = GAMES[STUD].words(language).read_text(encoding="utf-8")
    line = next(each for each in words.splitlines() if each.startswith("tie = "))
    planter.write(STUD, f"words/{language}.toml", line, "")
    assert f"words/{language}.toml has no 'why.tie'" in found(STUD, "words-alike")


def test_every_word_that_the_table_needs_is_missed(planter: Planter) -> None:
    """Each key the game can use is reported when it is removed from both languages."""
    needed = (
        *("title", "bet.play", "zone.house", "option.fold", "key.fold", "legend.fold", "why.tie"),
        *("row.royal-flush", "hand.royal-flush", "strategy.always-play", "help.2", "about"),
        *("event.asked.play-or-fold", "event.said.house-not-qualified"),
    )
    folder = planter.folder(STUD)
    kept = {each: GAMES[STUD].words(each).read_text(encoding="utf-8") for each in ("fr", "en")}
    for key in needed:
        for language, words in kept.items():
            GAMES[STUD].words(language).write_text(without(words, key), encoding="utf-8")
        forget()
        assert GAMES[STUD].folder == folder
        told = found(STUD, "words", rounds=120, project=ROOT)
        assert key.removeprefix("event.") in told or key.partition(".")[0] in told, key


def without(words: str, key: str) -> str:
    """Remove a key from a words file."""
    table, _, name = key.rpartition(".") if not key.startswith("event.") else ("event", "", key[6:])
    lines, inside = [], not table
    for line in words.splitlines():
        if line.startswith("["):
            inside = line == f"[{table}]"
        if not (inside and line.startswith(f"{name} = ")):
            lines.append(line)
    assert len(lines) == len(words.splitlines()) - 1, key
    return "\n".join(lines) + "\n"


def test_a_sentence_that_names_a_figure_the_sheet_has_not(planter: Planter) -> None:
    planter.write(STUD, "words/en.toml", "{play.times_ante} times the ante", "{play.times} x")
    assert "'about'" in found(STUD, "words-alike")


def test_two_options_with_one_key_of_the_keyboard(planter: Planter) -> None:
    planter.write(STUD, "words/en.toml", 'fold = "D"', 'fold = "P"')
    assert "two options of one question have the key P" in found(STUD, "words", rounds=50)


def test_a_key_of_the_keyboard_that_the_table_uses(planter: Planter) -> None:
    planter.write(STUD, "words/en.toml", 'fold = "D"', 'fold = "B"')
    told = found(STUD, "words", rounds=50)
    assert "'key.fold' is B, which the table uses; free are C D E H J K" in told


def test_a_sentence_that_names_what_its_event_has_not(planter: Planter) -> None:
    planter.write(STUD, "words/en.toml", "Play for {play:money} or", "Play for {raise:money} or")
    told = found(STUD, "words", rounds=50)
    assert "words/en.toml tells 'asked' with {raise}, which the event has not" in told


def test_a_missing_word_is_told_once(planter: Planter) -> None:
    planter.write(STUD, "words/en.toml", "asked.play-or-fold = ", "asked.play = ")
    assert found(STUD, "words", rounds=50) == (
        f"{STUD}: words/en.toml has no 'event.asked.play-or-fold'"
    )


def test_a_chart_that_cannot_be_drawn(planter: Planter) -> None:
    planter.game(STUD, draw_chart=lambda words, _: [words.write("chart.none", {}, STUD)])
    told = found(STUD, "words", rounds=50)
    assert "words/fr.toml has no 'chart.none'" in told
    assert "words/en.toml has no 'chart.none'" in told
    planter.game(STUD, draw_chart=lambda _, chart: [chart["nothing"]])
    assert "GAME.draw_chart fails in 'en': KeyError" in found(STUD, "words", rounds=50)
