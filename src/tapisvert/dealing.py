"""Fair dealing: commit to a seed, shuffle from it, reveal it, let anyone check.

Pure functions of bytes and text; the contract is docs/fair-dealing.md, with test vectors. The house
shows SHA-256(server_seed) before the player names a client seed and stakes, so neither side can
choose the deck. `rounds/seed_source.py` draws the seed; `sealing` encrypts it at rest.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import NamedTuple

from tapisvert.cards import Card
from tapisvert.hmac_sha256 import HmacSha256

SEED_BYTES = 32  # 256 bits exceed log2(53!) = 231.3, so every order can be dealt
LABEL = "tapisvert/deal/1"
CLIENT_SEED_BYTES_MAX = 128
_eight_words = struct.Struct(">8I").unpack


class Deal(NamedTuple):
    """The public inputs of one shuffle."""

    game: str
    sheet_hash: str
    round_id: str
    client_seed: str


def commitment(server_seed: bytes) -> str:
    """Return the SHA-256 of the seed in hexadecimal, shown before the bet."""
    return hashlib.sha256(server_seed).hexdigest()


def shuffle(server_seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
    """Return the deck in dealing order: descending Fisher-Yates over the seed's words."""
    if len(server_seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(server_seed)}")
    deck = list(cards)
    words = _words(server_seed, message(deal))
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1, words)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def below(bound: int, words: Iterator[int]) -> int:
    """Return a number from 0 to bound - 1, each equally likely.

    Words past the last whole multiple of `bound` are rejected.

    >>> below(10, iter([2**32 - 1, 27]))   # 4294967295 >= 4294967290 is rejected
    7
    """
    limit = 2**32 // bound * bound
    for word in words:
        if word < limit:
            return word % bound
    raise AssertionError("the words of a seed never end")


def message(deal: Deal) -> bytes:
    r"""Return the shuffle's message: each field in UTF-8 after its length (uint16, big-endian).

    >>> message(Deal("g", "", "r", "é"))
    b'\x00\x10tapisvert/deal/1\x00\x01g\x00\x00\x00\x01r\x00\x02\xc3\xa9'
    """
    fields = [field.encode() for field in (LABEL, *deal)]
    return b"".join(len(field).to_bytes(2, "big") + field for field in fields)


def _words(server_seed: bytes, text: bytes) -> Iterator[int]:
    """Return the big-endian words of HMAC-SHA256(seed, message || block number), block by block."""
    begun = HmacSha256(server_seed, text)
    blocks = (begun.digest(block.to_bytes(4, "big")) for block in count())
    return chain.from_iterable(map(_eight_words, blocks))
