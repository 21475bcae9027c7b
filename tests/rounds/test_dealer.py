"""The dealer: what is drawn is fresh, and decks that are at hand are the decks that were dealt."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from houses import KEY, counting_entropy
from rounds.seated import refusal_of
from tapisvert.cards import STANDARD, Card
from tapisvert.dealing import Deal, shuffle
from tapisvert.rounds import Dealer
from tapisvert.rounds.house import system_clock
from tapisvert.sealing import Entropy, Sealer

DEAL = Deal("casino-stud", "ab" * 32, "round-1", "lucky")
DOWN = "dealing/unavailable"


def giving(*draws: bytes) -> Entropy:
    """Return a source that gives these, one after the other."""
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


def test_a_deck_is_laid_out_once_and_is_the_shuffle_of_its_own_seed() -> None:
    laid_out: list[Deal] = []

    def noted(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        laid_out.append(deal)
        return shuffle(seed, deal, cards)

    dealer = Dealer(Sealer(KEY), counting_entropy(), noted)
    seed = dealer.seed()
    sealed = dealer.seal(seed, DEAL.round_id)
    decks = [dealer.deck(sealed, DEAL, STANDARD) for _ in range(3)]
    assert decks == [tuple(shuffle(seed, DEAL, STANDARD))] * 3
    assert laid_out == [DEAL]
    other = DEAL._replace(client_seed="other")
    assert dealer.deck(sealed, other, STANDARD) != decks[0]


def test_a_dealer_deals_by_the_published_shuffle_unless_a_test_says_otherwise() -> None:
    dealer = Dealer(Sealer(KEY))
    seed = dealer.seed()
    sealed = dealer.seal(seed, DEAL.round_id)
    assert dealer.deck(sealed, DEAL, STANDARD) == tuple(shuffle(seed, DEAL, STANDARD))


def test_the_clock_of_the_house_counts_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time_ns", lambda: 1_700_000_000_123_999_999)
    assert system_clock() == 1_700_000_000_123
