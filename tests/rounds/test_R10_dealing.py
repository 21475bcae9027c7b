"""R10: a failing entropy source blocks play and is recorded; open rounds can end.

An interrupted draw leaves no round or the same cards, never other cards.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from houses import KEY, PLAYER_WINS, make_house
from rounds.guest_seat import Seated, conserved, other_sheet, read, refusal_of, rows_of
from stores import both_at_length, store_at
from tapisvert.cards import Card, text
from tapisvert.dealing import Deal, commitment, shuffle
from tapisvert.engine.sheet import Sheet
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Entropy, Sealer
from tapisvert.sheets import load

pytestmark = both_at_length

DOWN = "dealing/unavailable"


def no_device(size: int) -> bytes:
    raise OSError("no entropy device")


def not_here(size: int) -> bytes:
    raise NotImplementedError("no source on this machine")


def cut_short(size: int) -> bytes:
    return os.urandom(size - 1)


def stuck(size: int) -> bytes:
    return b"\x2a" * size


FAILURES = pytest.mark.parametrize("failure", [no_device, not_here, cut_short, stuck])


class Source:
    """An entropy source that can be made to fail."""

    def __init__(self) -> None:
        self.drawing: Entropy = os.urandom

    def __call__(self, size: int) -> bytes:
        return self.drawing(size)


class Table:
    """A guest at a house whose entropy source can fail."""

    def __init__(self, path: Path, sheet_of: Callable[[str], Sheet] = load) -> None:
        self.path, self.source = path, Source()
        self.house: PlayerService = make_house(
            path, PLAYER_WINS, entropy=self.source, sheet_of=sheet_of
        )
        self.guest = Seated(self.house)

    def reopen(self, sheet_of: Callable[[str], Sheet] = load) -> None:
        """Restart the house on the same database, with a working source."""
        self.house.store.close()
        self.source = Source()
        self.house = self.guest.house = make_house(
            self.path, PLAYER_WINS, entropy=self.source, sheet_of=sheet_of
        )

    def events(self) -> list[str]:
        return [kind for (kind,) in rows_of(self.house, "SELECT kind FROM significant_events")]

    def rounds(self) -> list[tuple[str, str]]:
        rows = rows_of(self.house, "SELECT id, state FROM rounds ORDER BY seq")
        return [(id_, state) for id_, state in rows]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "tapis.db")


@FAILURES
def test_R10_a_failing_source_refuses_the_seat_and_is_put_on_record_once(
    table: Table, failure: Entropy
) -> None:
    table.source.drawing = failure
    for _ in range(3):
        assert refusal_of(table.guest.seat).code == DOWN
    assert (table.events(), table.rounds()) == (["dealing_failed"], [])
    assert rows_of(table.house, "SELECT at_ms FROM significant_events") == [(table.house.clock(),)]


@FAILURES
def test_R10_play_stays_blocked_for_everyone_even_if_the_source_recovers(
    table: Table, failure: Entropy
) -> None:
    other = Seated(table.house)
    seated = other.asking()
    table.source.drawing = failure
    refusal_of(table.guest.seat)
    table.source.drawing = os.urandom
    for command in (
        table.guest.seat,
        other.seat,
        lambda: other.open(seated, "k"),
        lambda: Seated(table.house),
    ):
        assert refusal_of(command).code == DOWN
    assert (other.purse(), table.events()) == ((100_000, 0), ["dealing_failed"])
    table.reopen()
    other.house = table.house
    assert read(other.open(seated, "k")).round.id == seated.round_id  # the refusal was not stored
    assert table.guest.seat()
    assert table.events() == ["dealing_failed"]


def test_R10_an_open_round_is_finished_without_a_next_seat_and_a_new_house_deals_again(
    table: Table,
) -> None:
    round_id = read(table.guest.open()).round.id
    table.source.drawing = no_device
    ended = table.guest.choose(round_id, "play", key="k")
    assert (read(ended).round.state, read(ended).seat) == ("settled", None)
    assert (table.guest.purse(), table.events()) == ((100_300, 0), ["dealing_failed"])
    assert table.guest.choose(round_id, "play", key="k") == ended
    assert refusal_of(table.guest.seat).code == DOWN
    table.reopen()
    assert read(table.guest.open()).round.state == "open"
    assert table.events() == ["dealing_failed"]


def test_R10_a_round_open_when_another_players_seat_fails_can_still_be_finished(
    table: Table,
) -> None:
    other = Seated(table.house)
    round_id = read(other.open()).round.id
    shown = other.shown(round_id)
    table.source.drawing = no_device
    refusal_of(table.guest.seat)
    assert other.shown(round_id) == shown
    ended = read(other.choose(round_id, "fold"))
    assert (ended.round.state, ended.seat) == ("settled", None)
    assert (other.purse(), table.events()) == ((99_900, 0), ["dealing_failed"])
    assert conserved(table.house)


@FAILURES
def test_R10_a_failing_source_gives_no_guest_a_token(table: Table, failure: Entropy) -> None:
    table.source.drawing = failure
    assert refusal_of(lambda: Seated(table.house)).code == DOWN
    table.source.drawing = os.urandom
    assert refusal_of(lambda: Seated(table.house)).code == DOWN
    assert rows_of(table.house, "SELECT COUNT(*) FROM players") == [(1,)]


def test_R10_a_failure_found_by_a_new_guest_is_put_on_record_too(table: Table) -> None:
    table.source.drawing = no_device
    refusal_of(lambda: Seated(table.house))
    refusal_of(table.guest.seat)
    assert table.events() == ["dealing_failed"]


def test_R10_a_failure_at_the_seals_own_draw_blocks_play_as_well(table: Table) -> None:
    # Seed and id are drawn; the nonce of the seal, 12 bytes, is not to be had.
    table.source.drawing = lambda size: no_device(size) if size == 12 else os.urandom(size)
    assert refusal_of(table.guest.seat).code == DOWN
    assert (table.events(), table.rounds()) == (["dealing_failed"], [])


def test_R10_a_source_that_repeats_itself_is_no_source(table: Table) -> None:
    once = os.urandom(32)
    table.source.drawing = lambda size: once[:size]
    assert refusal_of(lambda: Seated(table.house)).code == DOWN  # a token is drawn in two halves


def test_R10_a_source_whose_draws_repeat_command_after_command_ends_play_and_no_round(
    table: Table,
) -> None:
    """A command draws a seed, an id and a nonce: neighbouring draws always differ in size."""
    round_id = read(table.guest.open()).round.id
    other = Seated(table.house)
    table.source.drawing = lambda size: bytes(range(size))
    assert other.seat()  # its draws are the first of their kind
    ended = read(table.guest.choose(round_id, "play"))
    assert (ended.round.state, ended.seat) == ("settled", None)
    assert refusal_of(table.guest.seat).code == DOWN
    assert (table.events(), table.guest.purse()) == (["dealing_failed"], (100_300, 0))
    assert conserved(table.house)


def test_R10_a_pending_seat_is_not_retired_when_no_other_can_be_drawn(table: Table) -> None:
    before = table.guest.seat()
    table.reopen(other_sheet)
    table.source.drawing = no_device
    assert refusal_of(table.guest.seat).code == DOWN
    assert table.rounds() == [(before.round_id, "seated")]
    table.reopen(other_sheet)
    after = table.guest.seat()
    assert after.retired is not None  # it is shown when it is retired, not silently dropped
    assert after.retired.commitment == before.commitment


# Interrupted between draw and commit -------------------------------------------------------------


@pytest.mark.parametrize(
    "where", ["seats.commitment", "stored_sheets.store_sheets", "repository.add_seats"]
)
def test_R10_an_interruption_after_the_draw_leaves_no_round(
    table: Table, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    drawn: list[bytes] = []

    def noting(size: int) -> bytes:
        drawn.append(os.urandom(size))
        return drawn[-1]

    def interrupted(*_: object) -> str:
        raise RuntimeError("the lights went out")

    table.source.drawing = noting
    with monkeypatch.context() as broken:
        broken.setattr(f"tapisvert.rounds.{where}", interrupted)
        with pytest.raises(RuntimeError):
            table.guest.seat()
    lost = drawn[0]
    assert (len(lost), table.rounds()) == (32, [])
    seat = table.guest.seat()
    assert seat.commitment != commitment(lost)
    assert table.guest.seat() == seat


@pytest.mark.parametrize(
    "where",
    [
        *("decks.Run", "open_runs.OpenRuns.put", "playing.settle", "playing.store"),
        *("decide.reply_of", "groups.save", "repository.change_rounds"),
        "command_records.add_commands",
    ],
)
def test_R10_an_interruption_after_the_deal_leaves_the_same_cards_to_be_dealt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    decks: list[list[Card]] = []

    def noting(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        decks.append(shuffle(seed, deal, cards))
        return decks[-1]

    def house() -> PlayerService:
        return PlayerService(store_at(tmp_path / "tapis.db"), Dealer(Sealer(KEY), shuffle=noting))

    def interrupted(*_: object, **__: object) -> None:
        raise RuntimeError("the lights went out")

    guest = Seated(house())
    asked = guest.asking()
    with monkeypatch.context() as broken:
        broken.setattr(f"tapisvert.rounds.{where}", interrupted)
        with pytest.raises(RuntimeError):
            guest.open(asked, "k")
    assert len(decks) == 1  # the deck was computed, but never shown
    assert rows_of(guest.house, "SELECT id, state FROM rounds") == [(asked.round_id, "seated")]
    assert guest.purse() == (100_000, 0)
    guest.house.store.close()
    guest.house = house()
    dealt = read(guest.open(asked, "k")).round.hands["player"]
    assert decks == [decks[0]] * 2
    assert dealt == tuple(text(card) for card in decks[0][:5])
    guest.house.store.close()
