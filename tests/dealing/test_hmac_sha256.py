"""HMAC-SHA256 by copied hashes, against RFC 4231 and the standard library."""

from __future__ import annotations

import hmac
from random import Random

import pytest

from tapisvert.hmac_sha256 import HmacSha256

# RFC 4231, test cases 1, 2 and 3; the keys of 6 and 7 are longer than a block.
RFC_4231 = [
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (
        b"\xaa" * 20,
        b"\xdd" * 50,
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ),
]


@pytest.mark.parametrize(("key", "message", "expected"), RFC_4231)
def test_the_vectors_of_rfc_4231(key: bytes, message: bytes, expected: str) -> None:
    assert HmacSha256(key).digest(message).hex() == expected


def test_one_key_serves_many_messages_that_begin_alike() -> None:
    chance = Random(4231)
    for size in range(65):
        key, beginning = chance.randbytes(size), chance.randbytes(chance.randrange(200))
        ours = HmacSha256(key, beginning)
        for _ in range(3):
            rest = chance.randbytes(chance.randrange(200))
            assert ours.digest(rest) == hmac.digest(key, beginning + rest, "sha256")


def test_a_key_longer_than_a_block_is_refused() -> None:
    with pytest.raises(ValueError, match="a key has at most 64 bytes, not 65"):
        HmacSha256(bytes(65))
