"""The recordings together walk every line and every branch of every script."""

from __future__ import annotations

from golden.recordings import FILES, shown
from golden.walk import SCRIPTS, Missed, walked

# For each module, an ending that only its own recordings show.
ENDINGS = {
    "blackjack": ("blackjack", "bj.5 Royal Poker lost"),
    "casino_stud": ("casino-stud", "stud.11 a tie"),
    "high_card_flush": ("high-card-flush", "flush.6 a fold, and the house is never shown"),
    "house_way": ("pai-gow", "house way 6 three pairs, the highest low"),
    "pai_gow": ("pai-gow", "pai.10 below the table"),
    "ultimate": ("ultimate", "uth.6 a fold, and the house is never shown"),
}


def test_every_line_and_every_branch_of_every_script_has_a_recording() -> None:
    missed = walked(FILES)
    assert set(missed) == {path.stem for path in SCRIPTS}
    assert {name: each for name, each in missed.items() if each != Missed([], [])} == {}


def test_it_is_noticed_when_the_recordings_of_an_ending_are_left_out() -> None:
    left_out = {(game, name) for game, ending in ENDINGS.values() for name in shown(game)[ending]}
    files = [
        path
        for path in FILES  # an older edition of a round that is left out shows the same ending
        if (path.parent.name, path.stem.partition(".edition-")[0]) not in left_out
    ]
    assert len(files) < len(FILES)
    missed = {name for name, each in walked(files).items() if each.missing_lines}
    assert missed == set(ENDINGS)
