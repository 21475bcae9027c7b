"""The dealing contract: commitment, message, permutation, and the guarantees about the shuffle.

The shuffle's statistics are in test_R5_shuffle, the published vectors in test_vectors, the
lint that keeps other randomness out in test_R1_entropy.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from math import factorial, log2, prod
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapisvert import dealing
from tapisvert.cards import STANDARD, WITH_JOKER, Card
from tapisvert.dealing import (
    CLIENT_SEED_BYTES_MAX,
    SEED_BYTES,
    Deal,
    below,
    commitment,
    message,
)

SEED = bytes(range(32))
DEAL = Deal("casino-stud", "ab" * 32, "round-1", "lucky")
DECKS = pytest.mark.parametrize("cards", [STANDARD, WITH_JOKER], ids=["52", "53"])

# Without deadlines, for a busy machine, and always the same examples.
steady = settings(
    deadline=None,
    derandomize=True,
    max_examples=300,
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no fault
)
seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)
fields = st.text(max_size=40)
deals = st.builds(Deal, fields, fields, fields, fields)


def test_the_commitment_is_the_seeds_sha256_in_hexadecimal() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    # An outside figure: SHA-256 of 32 zero bytes.
    assert commitment(bytes(32)) == (
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )


@steady
@given(deals)
def test_a_message_reads_back_to_its_fields(deal: Deal) -> None:
    # A message that can be read back belongs to one deal only.
    assert _read_back(message(deal)) == [dealing.LABEL, *deal]


@steady
@given(deals, deals)
def test_different_deals_have_different_messages(one: Deal, other: Deal) -> None:
    assert (message(one) == message(other)) == (one == other)


@steady
@given(st.text(max_size=60), st.data())
def test_the_same_letters_cut_elsewhere_are_another_message(
    letters: str, data: st.DataObject
) -> None:
    cuts = st.tuples(*[st.integers(0, len(letters))] * 3).map(sorted)
    one, other = (_cut(letters, data.draw(cuts)) for _ in range(2))
    assert (message(one) == message(other)) == (one == other)


def test_the_longest_client_seed_fits_its_length_prefix() -> None:
    deal = DEAL._replace(client_seed="é" * (CLIENT_SEED_BYTES_MAX // 2))
    assert _read_back(message(deal))[-1] == deal.client_seed
    assert CLIENT_SEED_BYTES_MAX < 2**16


@DECKS
@steady
@given(server_seed=seeds, deal=deals)
def test_R7_a_deck_is_every_card_once(
    cards: Sequence[Card], server_seed: bytes, deal: Deal
) -> None:
    assert sorted(dealing.shuffle(server_seed, deal, cards)) == list(cards)


@DECKS
def test_any_bit_of_the_seed_changes_the_deck(cards: Sequence[Card]) -> None:
    changed = [SEED] + [
        (int.from_bytes(SEED, "big") ^ 1 << bit).to_bytes(SEED_BYTES, "big")
        for bit in range(8 * SEED_BYTES)
    ]
    assert len({tuple(dealing.shuffle(seed, DEAL, cards)) for seed in changed}) == 257


@DECKS
@steady
@given(deal=deals, field=st.sampled_from(Deal._fields), other=fields)
def test_any_field_of_the_deal_changes_the_deck(
    cards: Sequence[Card], deal: Deal, field: str, other: str
) -> None:
    changed = deal._replace(**{field: other})
    same = dealing.shuffle(SEED, changed, cards) == dealing.shuffle(SEED, deal, cards)
    assert same == (changed == deal)


def test_R6_a_deck_depends_on_nothing_but_seed_deal_and_cards() -> None:
    assert list(inspect.signature(dealing.shuffle).parameters) == ["server_seed", "deal", "cards"]
    assert Deal._fields == ("game", "sheet_hash", "round_id", "client_seed")
    before = dealing.shuffle(SEED, DEAL, STANDARD)
    for number in range(50):  # no memory of other deals either
        dealing.shuffle(commitment(bytes([number])).encode()[:32], DEAL, WITH_JOKER)
    assert dealing.shuffle(SEED, DEAL, STANDARD) == before


def test_a_seed_of_another_length_is_a_mistake_in_our_code() -> None:
    with pytest.raises(ValueError, match=r"^a seed has 32 bytes, not 31$"):
        dealing.shuffle(SEED[:-1], DEAL, STANDARD)


@pytest.mark.parametrize("bound", range(1, 54))
def test_R3_every_residue_has_the_same_number_of_accepted_words(bound: int) -> None:
    limit = 2**32 // bound * bound
    # Accepted words are 0 ... limit - 1 cut into limit / bound whole blocks, each with every
    # residue once. All words from the limit on (fewer than `bound`: every one is tried) are
    # passed over, and the blocks at both ends and across the range give their residues.
    assert limit % bound == 0
    assert 2**32 - limit < bound
    for word in range(limit, 2**32):
        assert below(bound, iter([word, 0])) == 0
        with pytest.raises(AssertionError):
            below(bound, iter([word]))
    for block in (0, limit // 2 // bound, limit // bound - 1):
        words = range(block * bound, (block + 1) * bound)
        assert [below(bound, iter([word])) for word in words] == list(range(bound))


@pytest.mark.parametrize("bound", range(1, 54))
def test_R3_the_same_source_with_short_words_is_even_over_all_of_them(bound: int) -> None:
    small = _below_with_words_of(12)
    accepted = Counter(small(bound, iter([word])) for word in range(4096 // bound * bound))
    assert accepted == dict.fromkeys(range(bound), 4096 // bound)
    for word in range(4096 // bound * bound, 4096):
        with pytest.raises(AssertionError):
            small(bound, iter([word]))


def test_R3_control_without_rejection_some_residues_come_more_often() -> None:
    uneven = [n for n in range(1, 54) if len(set(Counter(w % n for w in range(4096)).values())) > 1]
    assert uneven == [n for n in range(1, 54) if n not in (1, 2, 4, 8, 16, 32)]


@pytest.mark.parametrize("size", range(1, 9))
def test_R3_fisher_yates_reaches_every_order_exactly_once(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each word is below its bound, so `below` returns it: these are all the equally likely draws.
    choices = [range(bound) for bound in range(size, 1, -1)]
    reached: Counter[tuple[Card, ...]] = Counter()
    for words in product(*choices):
        _feed(monkeypatch, words)
        reached[tuple(dealing.shuffle(SEED, DEAL, range(size)))] += 1
    assert reached == dict.fromkeys(permutations(range(size)), 1)


def test_R3_a_shuffle_asks_for_exactly_the_draws_of_a_whole_deck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def noted(bound: int, words: Iterator[int]) -> int:
        asked.append(bound)
        return below(bound, words)

    monkeypatch.setattr(dealing, "below", noted)
    for cards in (STANDARD, WITH_JOKER):
        asked.clear()
        dealing.shuffle(SEED, DEAL, cards)
        assert asked == list(range(len(cards), 1, -1))
        assert prod(asked) == factorial(len(cards))


def test_R3_words_that_are_passed_over_shift_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    words = list(range(51))
    _feed(monkeypatch, words)
    plain = dealing.shuffle(SEED, DEAL, STANDARD)
    _feed(monkeypatch, [2**32 - 1, 2**32 - 48, *words])  # 2^32 mod 52 = 48: both past the limit
    assert dealing.shuffle(SEED, DEAL, STANDARD) == plain


def test_R3_a_shuffle_that_runs_out_of_words_deals_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # A block is eight words, and a deck needs 51: two blocks must not make half a shuffle.
    monkeypatch.setattr(dealing, "count", lambda: range(2))
    with pytest.raises(AssertionError, match=r"^the words of a seed never end$"):
        dealing.shuffle(SEED, DEAL, STANDARD)
    assert sorted(dealing.shuffle(SEED, DEAL, STANDARD[:9])) == sorted(STANDARD[:9])


def test_R4_the_seed_is_longer_than_any_order_of_the_cards() -> None:
    # Necessary for every order to be possible; with 24 bits to spare, each order has about
    # twenty million seeds, and the chance that one has none is nil.
    assert f"{log2(factorial(52)):.2f} {log2(factorial(53)):.2f}" == "225.58 231.31"
    assert SEED_BYTES == 32
    assert _reaches_every_order(8 * SEED_BYTES, 52)
    assert _reaches_every_order(8 * SEED_BYTES, 53)


@pytest.mark.parametrize("bits", [32, 64, 128, 225])
def test_R4_control_a_shorter_seed_fails_the_same_check(bits: int) -> None:
    assert not _reaches_every_order(bits, 52)
    assert not _reaches_every_order(bits, 53)


def _reaches_every_order(seed_bits: int, cards: int) -> bool:
    return 1 << seed_bits > factorial(cards)


def _read_back(packed: bytes) -> list[str]:
    """Return the fields of a message."""
    read: list[str] = []
    while packed:
        length = int.from_bytes(packed[:2], "big")
        assert len(packed) >= 2 + length
        read.append(packed[2 : 2 + length].decode())
        packed = packed[2 + length :]
    return read


def _cut(letters: str, cuts: Sequence[int]) -> Deal:
    first, second, third = cuts
    return Deal(letters[:first], letters[first:second], letters[second:third], letters[third:])


def _feed(monkeypatch: pytest.MonkeyPatch, words: Sequence[int]) -> None:
    monkeypatch.setattr(dealing, "_words", lambda server_seed, text: iter(words))


def _below_with_words_of(bits: int) -> Callable[[int, Iterator[int]], int]:
    """Return `below` compiled again from its own source, 2**32 replaced by 2**bits."""

    class Shorten(ast.NodeTransformer):
        changed = 0

        def visit_Constant(self, node: ast.Constant) -> ast.Constant:
            if node.value != 32:
                return node
            self.changed += 1
            return ast.copy_location(ast.Constant(bits), node)

    shorten = Shorten()
    tree = shorten.visit(ast.parse(dedent(inspect.getsource(below))))
    assert shorten.changed == 1  # else this proof is not about the source it thinks it is
    names: dict[str, Callable[[int, Iterator[int]], int]] = {}
    exec(compile(tree, "below with short words", "exec"), vars(dealing).copy(), names)
    return names["below"]
