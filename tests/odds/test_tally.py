"""Tallies: counted as a plain loop counts, and equal however the rounds are cut."""

from __future__ import annotations

from itertools import groupby, pairwise
from pathlib import Path as File

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapisvert.odds.suit_index import packed, positions_of, suit_index
from tapisvert.odds.suits import Finder, patterns
from tapisvert.odds.table_cache import cached_tables
from tapisvert.odds.tally import Path, Tally, summaries, tally_of, total
from tiers import few_or_many

ENDS = np.array([[-4, 4], [-2, 2], [0, 2], [2, 2], [3, 2], [2, 4]])
Codes = list[int]
codes = st.lists(st.integers(0, len(ENDS) - 1), min_size=1, max_size=40)


def tally(rounds: Codes, first: int = 0) -> Tally:
    """Tally rounds of one bet in halves of a stake."""
    return tally_of(2, first, [("main", np.array(rounds, dtype=np.uint16), ENDS)])


def plain(rounds: Codes) -> Path:
    """Describe the path of these rounds from its definition."""
    nets = [int(ENDS[code, 0]) for code in rounds]
    sums = [0, *np.cumsum(nets).tolist()]
    falls = [high - low for n, high in enumerate(sums) for low in sums[n:]]
    signs = [(net > 0) - (net < 0) for net in nets if net]  # pushes left out
    runs = [sign * len(list(each)) for sign, each in groupby(signs)]
    return Path(
        net=sums[-1],
        high=max(sums),
        low=min(sums),
        drawdown=max(falls),
        first=runs[0] if runs else 0,
        last=runs[-1] if runs else 0,
        won=max((run for run in runs if run > 0), default=0),
        lost=max((-run for run in runs if run < 0), default=0),
    )


@given(codes)
def test_a_tally_counts_what_a_plain_loop_counts(rounds: Codes) -> None:
    (found,) = tally(rounds).bets
    assert found.path == plain(rounds)
    assert sum(count for _, _, count in found.ends) == len(rounds)
    for net, staked, count in found.ends:
        assert count == sum(ENDS[code].tolist() == [net, staked] for code in rounds)


@given(codes, st.lists(st.integers(1, 39), max_size=5))
def test_the_parts_of_any_cut_add_up_to_the_whole(rounds: Codes, cuts: list[int]) -> None:
    edges = sorted({0, len(rounds), *(cut for cut in cuts if cut < len(rounds))})
    parts = [tally(rounds[begin:end], begin) for begin, end in pairwise(edges)]
    assert total(parts) == tally(rounds)
    if len(parts) > 2:  # grouped otherwise
        assert parts[0] + total(parts[1:]) == tally(rounds)


def test_only_consecutive_rounds_add_up() -> None:
    with pytest.raises(ValueError, match="consecutive"):
        tally([1, 2], 0) + tally([3], 5)


def test_a_tally_survives_json() -> None:
    written = msgspec.json.encode(tally([0, 3, 3, 2, 5]))
    assert msgspec.json.decode(written, type=Tally) == tally([0, 3, 3, 2, 5])


def test_a_summary_is_per_first_stake() -> None:
    (found,) = summaries(tally([0, 0, 3, 2, 4]))
    assert (found.rounds, found.edge, found.staked) == (5, -0.3, 1.4)
    assert found.nets == {-2.0: 2, 0.0: 1, 1.0: 1, 1.5: 1}
    assert found.error == pytest.approx(np.std([-2, -2, 1, 0, 1.5]) / 5**0.5)
    assert (found.longest_won, found.longest_lost, found.drawdown) == (2, 2, 4.0)


@pytest.mark.parametrize("cards", [2, 3, 5])
def test_sets_share_a_position_where_they_share_a_suit_pattern(cards: int) -> None:
    """Against the search in the list of patterns, which numbers them otherwise."""
    stream = np.random.default_rng(3)
    hands = np.array([stream.permutation(52)[:cards] for _ in range(3_000)], dtype=np.uint8)
    by = suit_index(cards)
    found = positions_of(by.bits[hands].sum(axis=1, dtype=np.uint64), cards)
    row, _ = Finder(patterns(cards)).find(hands)
    assert len(set(zip(found.tolist(), row.tolist(), strict=True))) == len(set(row.tolist()))
    assert len(set(found.tolist())) == len(set(row.tolist()))
    assert 0 <= found.min() <= found.max() < by.positions


@pytest.mark.parametrize("cards", few_or_many(5, 7))
def test_every_suit_pattern_has_a_position_of_its_own(cards: int) -> None:
    suits = patterns(cards).suits
    found = positions_of(packed(suits), cards)
    assert len(np.unique(found)) == len(suits)
    assert 0 <= found.min() <= found.max() < suit_index(cards).positions


def test_tables_are_built_once_for_the_same_figures(tmp_path: File) -> None:
    built = []

    def build() -> dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        built.append(1)
        return {"one": np.arange(5), "two": np.ones(3, dtype=np.int64)}

    for figures in ([1, "optimal"], [1, "optimal"], [2, "optimal"]):
        found = cached_tables("game", figures, build, tmp_path)
        assert found["one"].tolist() == [0, 1, 2, 3, 4]
        assert not found["one"].flags.writeable
    assert len(built) == 2
    for damaged in tmp_path.rglob("one.npy"):
        damaged.write_bytes(b"\x93NUMPY")
    assert cached_tables("game", [1, "optimal"], build, tmp_path)["one"].tolist() == [0, 1, 2, 3, 4]
    assert len(built) == 3


def test_tables_that_another_process_stored_first_are_left_alone(tmp_path: File) -> None:
    """They may be in the middle of being read."""
    stored: dict[File, int] = {}

    def build() -> dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        cached_tables("game", [1], lambda: {"one": np.arange(5)}, tmp_path)  # the other process
        stored.update((file, file.stat().st_ino) for file in tmp_path.glob("game-*/*"))
        return {"one": np.arange(5)}

    assert cached_tables("game", [1], build, tmp_path)["one"].tolist() == [0, 1, 2, 3, 4]
    ((file, number),) = stored.items()
    assert file.stat().st_ino == number
    assert list(tmp_path.iterdir()) == [file.parent]


def test_tables_stay_in_memory_where_the_folder_cannot_be_written(tmp_path: File) -> None:
    (tmp_path / "file").write_text("not a folder")
    found = cached_tables("game", [1], lambda: {"one": np.arange(2)}, tmp_path / "file" / "odds")
    assert found["one"].tolist() == [0, 1]
    assert not found["one"].flags.writeable
