"""G3: double clicks, two tabs, play and fold at once: one decision is applied, once.

The control removes the command records and the writer's queue, and must pay twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from houses import KEY, PLAYER_WINS, deck_of, make_house
from races.at_once import CROWD, UnprotectedStore, at_once, outcomes, state_unchecked, ungrouped
from rounds.guest_seat import Seated, conserved, read, rows_of
from stores import both, sqlite_only
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer

pytestmark = both

WON = [
    ("stake", "ante", 100),
    ("stake", "play", 200),
    ("return", "ante", 100),
    ("win", "ante", 100),
    ("return", "play", 200),
    ("win", "play", 200),
]
FOLDED = [("stake", "ante", 100), ("loss", "ante", 100)]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PlayerService]:
    opened = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    yield opened
    opened.store.close()


def test_G3_a_double_click_has_one_effect_and_every_click_the_same_reply(
    house: PlayerService,
) -> None:
    guest = Seated(house)
    round_id = read(guest.open()).round.id
    found = at_once([partial(guest.choose, round_id, "play", key="click")] * CROWD)
    assert outcomes(found) == {"accepted": CROWD}
    assert len({reply for reply in found if isinstance(reply, bytes)}) == 1
    assert (guest.moved(), guest.purse()) == (WON, (100_300, 0))
    assert conserved(house)


@sqlite_only
def test_G3_control_without_the_record_a_double_click_is_paid_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state_unchecked(monkeypatch)
    guest, _, found = two_clicks(tmp_path, monkeypatch)
    assert found == {"accepted": 2}
    assert sorted(guest.moved()) == sorted([WON[0], *WON[1:] * 2])
    assert guest.purse() == (99_900 + 2 * 400, 0)
    held = "SELECT units / 100000 FROM accounts WHERE id LIKE 'round:%'"
    assert rows_of(guest.house, held) == [(0 - 100,)]  # less than nothing
    guest.house.store.close()


@sqlite_only
def test_G3_without_the_record_the_rounds_state_lets_one_of_two_clicks_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both choose to play; the second finds the round in another state and moves nothing."""
    guest, round_id, found = two_clicks(tmp_path, monkeypatch)
    assert found == {"accepted": 1, "Broken": 1}
    assert (guest.moved(), guest.purse()) == (WON, (100_300, 0))
    assert read(guest.shown(round_id)).round.state == "settled"
    guest.house.store.close()


def two_clicks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Seated, str, Counter[str]]:
    """Let two copies of a choice read in step, on a store without locks or command records."""
    ungrouped(monkeypatch)
    store = UnprotectedStore(folder / "tapis.db", schema_too=True, forgetful=True)
    dealer = Dealer(Sealer(KEY), shuffle=lambda seed, deal, cards: deck_of(PLAYER_WINS))
    guest = Seated(PlayerService(store, dealer))
    round_id = read(guest.open()).round.id
    store.in_step(2)
    found = at_once([partial(guest.choose, round_id, "play", key="click")] * 2)
    store.step = None
    return guest, round_id, outcomes(found)


@sqlite_only
def test_G3_without_the_record_alone_the_step_still_lets_one_effect_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a race: the second protection alone."""
    ungrouped(monkeypatch)
    store = UnprotectedStore(tmp_path / "tapis.db", forgetful=True)
    dealer = Dealer(Sealer(KEY), shuffle=lambda seed, deal, cards: deck_of(PLAYER_WINS))
    guest = Seated(PlayerService(store, dealer))
    round_id = read(guest.open()).round.id
    guest.choose(round_id, "play", key="click")
    found = at_once([partial(guest.choose, round_id, "play", key="click")] * 8)
    assert outcomes(found) == {"round/stale_step": 8}
    assert guest.moved() == WON
    store.close()


def test_G3_of_many_tabs_one_decides_and_the_others_are_told_the_step_is_past(
    house: PlayerService,
) -> None:
    guest = Seated(house)
    round_id = read(guest.open()).round.id
    found = at_once(partial(guest.choose, round_id, "play", key=f"tab {n}") for n in range(CROWD))
    assert outcomes(found) == {"accepted": 1, "round/stale_step": CROWD - 1}
    assert (guest.moved(), guest.purse()) == (WON, (100_300, 0))


def test_G3_play_and_fold_at_once_apply_one_of_them(house: PlayerService) -> None:
    guest, seen = Seated(house), set()
    for attempt in range(20):
        round_id = read(guest.open()).round.id
        before, balance = len(guest.moved()), guest.purse()[0]
        found = at_once(
            partial(guest.choose, round_id, choice, key=f"{attempt} {choice}")
            for choice in ("play", "fold")
        )
        assert outcomes(found) == {"accepted": 1, "round/stale_step": 1}
        (winner,) = [reply for reply in found if isinstance(reply, bytes)]
        ended = read(winner)
        moved = guest.moved()[before - 1 :]
        assert moved == (WON if ended.round.staked_cents == 300 else FOLDED)
        assert guest.purse()[0] == balance + (400 if ended.round.staked_cents == 300 else 0)
        seen.add(ended.round.staked_cents)
    print(f"stakes of the rounds that were decided: {sorted(seen)}")
    assert conserved(house)


def test_G3_the_same_open_many_times_at_once_is_one_round_and_one_reply(
    house: PlayerService,
) -> None:
    guest = Seated(house)
    asked = guest.asking()
    found = at_once([partial(guest.open, asked, "k")] * CROWD)
    assert outcomes(found) == {"accepted": CROWD}
    assert len(set(map(str, found))) == 1
    assert guest.purse() == (99_900, 100)


def test_G3_many_keys_each_sent_many_times_have_one_effect_each(house: PlayerService) -> None:
    """32 players at once, every command sent four times."""
    guests = [Seated(house) for _ in range(32)]
    asked = [guest.asking() for guest in guests]
    opened = at_once(
        partial(guest.open, each, "open")
        for guest, each in zip(guests, asked, strict=True)
        for _ in range(4)
    )
    assert outcomes(opened) == {"accepted": 128}
    chosen = at_once(
        partial(guest.choose, each.round_id, "play", key="choose")
        for guest, each in zip(guests, asked, strict=True)
        for _ in range(4)
    )
    assert outcomes(chosen) == {"accepted": 128}
    for number, guest in enumerate(guests):
        assert len({str(reply) for reply in chosen[4 * number : 4 * number + 4]}) == 1
        assert (guest.moved(), guest.purse()) == (WON, (100_300, 0))
    assert rows_of(house, "SELECT COUNT(*) FROM commands") == [(64,)]
    assert conserved(house)


def test_G3_more_play_money_asked_for_at_once_is_given_once(house: PlayerService) -> None:
    guest = Seated(house)
    guest.leave(0)
    found = at_once(partial(guest.more, f"k{n}") for n in range(CROWD))
    assert outcomes(found) == {"accepted": 1, "wallet/not_broke": CROWD - 1}
    assert guest.purse() == (100_000, 0)
