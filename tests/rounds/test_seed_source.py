"""The dealer: draws are fresh, and cached decks equal the dealt ones."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from functools import partial

import pytest
from msgspec.structs import replace

from houses import KEY, counting_entropy
from rounds.guest_seat import Seated, refusal_of
from rounds.house_with_operator import recorded
from tapisvert.cards import STANDARD, Card
from tapisvert.dealing import Deal, shuffle
from tapisvert.refusal import Refused, unwrap
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.player_service import system_clock
from tapisvert.rounds.round import Round
from tapisvert.sealing import Entropy, Sealer
from tapisvert.sheets import load

DEAL = Deal("casino-stud", "ab" * 32, "round-1", "lucky")
DOWN = "dealing/unavailable"


def seated(sealed: bytes) -> Round:
    """Return the round of a deal, with its sealed seed."""
    return Round(
        id=DEAL.round_id,
        player_id="player",
        game=DEAL.game,
        edition=1,
        sheet_hash=DEAL.sheet_hash,
        state="open",
        commitment="",
        sealed_seed=sealed,
        client_seed=DEAL.client_seed,
    )


def giving(*draws: bytes) -> Entropy:
    """Return a source that yields these in turn."""
    left = iter(draws)
    return lambda size: next(left)[:size]


def test_R10_the_draw_that_repeats_the_last_one_is_refused_itself_and_ends_all_play() -> None:
    one, other = bytes(range(32)), bytes(range(32, 64))
    dealer = Dealer(Sealer(KEY), giving(one, other, one, one, other))
    assert [dealer.seed(), dealer.seed(), dealer.seed()] == [one, other, one]
    assert dealer.working
    refused = refusal_of(dealer.seed)
    assert (refused.code, refused.details) == (DOWN, {})
    assert not dealer.working
    # Nothing is drawn any more, though the source would give something else now.
    assert refusal_of(dealer.seed).code == refusal_of(dealer.id).code == DOWN
    assert refusal_of(dealer.must_work).code == DOWN


def test_seeds_ids_and_tokens_have_their_sizes() -> None:
    asked: list[int] = []
    count = itertools.count(1)

    def source(size: int) -> bytes:
        asked.append(size)
        return next(count).to_bytes(size, "big")

    dealer = Dealer(Sealer(KEY), source)
    assert dealer.seed() == (1).to_bytes(32, "big")
    assert dealer.id() == f"{2:032x}"
    assert dealer.token() == f"{3:032x}{4:032x}"
    assert dealer.unseal(dealer.seal(bytes(32), "round-1"), "round-1") == bytes(32)
    assert asked == [32, 16, 16, 16, 12]


def test_a_command_is_given_a_seed_an_id_and_a_nonce_of_its_own() -> None:
    dealer = Dealer(Sealer(KEY), counting_entropy())
    first, second = unwrap(dealer.drawn()), unwrap(dealer.drawn())
    assert first == ((1).to_bytes(32, "big"), f"{2:032x}", (3).to_bytes(12, "big"))
    assert second == ((4).to_bytes(32, "big"), f"{5:032x}", (6).to_bytes(12, "big"))


@pytest.mark.parametrize("missing", [32, 16, 12], ids=["seed", "id", "nonce"])
def test_R10_a_command_whose_bytes_cannot_all_be_drawn_gets_none_and_ends_all_play(
    missing: int,
) -> None:
    def source(size: int) -> bytes:
        return bytes(size) if size == missing else os.urandom(size)

    dealer = Dealer(Sealer(KEY), source)
    for _ in range(2):
        refused = refusal_of(lambda: unwrap(dealer.drawn()))
        assert (refused.code, refused.details) == (DOWN, {})
    assert not dealer.working


def test_R10_a_seal_without_a_nonce_is_refused_and_ends_all_play() -> None:
    dealer = Dealer(Sealer(KEY), bytes)
    assert refusal_of(lambda: dealer.seal(bytes(32), DEAL.round_id)).code == DOWN
    assert not dealer.working


def test_a_deck_is_laid_out_once_and_is_the_shuffle_of_its_own_seed() -> None:
    laid_out: list[Deal] = []

    def noted(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        laid_out.append(deal)
        return shuffle(seed, deal, cards)

    dealer, sheet = Dealer(Sealer(KEY), counting_entropy(), noted), load(DEAL.game)
    seed = dealer.seed()
    sealed = dealer.seal(seed, DEAL.round_id)
    dealt = seated(sealed)
    decks = [dealer.decks.of(dealt, sheet) for _ in range(3)]
    assert decks == [tuple(shuffle(seed, DEAL, STANDARD))] * 3
    assert laid_out == [DEAL]
    other = replace(dealt, client_seed="other")
    assert dealer.decks.of(other, sheet) != decks[0]


def test_a_dealer_deals_by_the_published_shuffle_unless_a_test_says_otherwise() -> None:
    dealer = Dealer(Sealer(KEY))
    seed = dealer.seed()
    sealed = dealer.seal(seed, DEAL.round_id)
    laid_out = dealer.decks.of(seated(sealed), load(DEAL.game))
    assert laid_out == tuple(shuffle(seed, DEAL, STANDARD))


def test_the_clock_of_the_house_counts_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time_ns", lambda: 1_700_000_000_123_999_999)
    assert system_clock() == 1_700_000_000_123


def test_R10_only_the_first_of_several_failures_is_to_be_told() -> None:
    dealer = Dealer(Sealer(KEY))
    assert [dealer.first_to_record() for _ in range(3)] == [True, False, False]


def test_R10_a_failed_source_is_journalled_once_as_it_was_and_is(house: PlayerService) -> None:
    def fails(size: int) -> bytes:
        raise OSError("no device")

    house.dealer = Dealer(Sealer(KEY), fails)
    for _ in range(2):
        found = house.store.write(lambda tx: house.drawing(tx, house.dealer.token)).result()
        assert isinstance(found, Refused)
        assert found.code == "dealing/unavailable"
    was, now = {"dealing": "ok"}, {"dealing": "failed"}
    (event,) = recorded(house, "dealing_failed")
    assert (event["by"], event["before"], event["after"]) == ("house", was, now)


def test_a_game_that_is_not_offered_is_named_cut_to_a_length(house: PlayerService) -> None:
    guest = Seated(house)
    for command in (lambda: house.game("x" * 99), partial(guest.seat, "x" * 99)):
        refused = refusal_of(command)
        assert (refused.code, refused.details) == ("request/unknown_game", {"game": "x" * 64})
