"""Compression of stored replies: packed for the database, unpacked to the same bytes.

A packed reply is a version byte, the CRC-32 of the reply (big-endian), and the reply as raw deflate
with a preset dictionary. A version identifies a dictionary and a window. It is between 1 and 8, and
no JSON text begins with such a byte, so the first byte distinguishes a packed reply from a plain
one. Released versions never change and stay readable. A new dictionary is a new version, made by
`tools/reply_dictionary.py`.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import NamedTuple

from tapisvert.refusal import Refused

_VERSIONS_MAX = 8  # 9 is a tab, which can begin a JSON text
_CHECKED_FROM, _PACKED_FROM = 1, 5  # offsets of the CRC and the deflate stream


class Format(NamedTuple):
    """The parameters of a version: its dictionary, and zlib's `wbits`."""

    dictionary: bytes
    window_bits: int


def _dictionary(version: int) -> bytes:
    return Path(__file__).with_name(f"reply_{version}.dict").read_bytes()


FORMATS = {1: Format(_dictionary(1), window_bits=-14)}
CURRENT = max(FORMATS)
# The writer chooses level and memory; they are no part of a version (docs/adr/0031).
_LEVEL, _MEMORY = 3, 7
# Copied for every reply: the copy has the dictionary loaded already.
_compressor = zlib.compressobj(
    _LEVEL,
    zlib.DEFLATED,
    FORMATS[CURRENT].window_bits,
    _MEMORY,
    zlib.Z_DEFAULT_STRATEGY,
    FORMATS[CURRENT].dictionary,
)


def pack(reply: bytes) -> bytes:
    """Return a reply as it is stored: packed, or plain if packing does not make it smaller.

    >>> pack(b'{}')
    b'{}'
    """
    packing = _compressor.copy()
    head = bytes((CURRENT,)) + zlib.crc32(reply).to_bytes(4, "big")
    packed = head + packing.compress(reply) + packing.flush()
    return packed if len(packed) < len(reply) or _is_packed(reply) else reply


def unpack(stored: bytes) -> bytes:
    """Return the original reply from any version.

    >>> unpack(pack(b'{"round":null,"wallet":{"currency":"FUN"}}'))
    b'{"round":null,"wallet":{"currency":"FUN"}}'
    """
    if not _is_packed(stored):
        return stored
    form = FORMATS.get(stored[0])
    if form is None:
        raise _altered()
    unpacking = zlib.decompressobj(form.window_bits, form.dictionary)
    try:
        reply = unpacking.decompress(stored[_PACKED_FROM:])
    except zlib.error as error:
        raise _altered() from error
    ended = unpacking.eof and not unpacking.unused_data
    if not ended or zlib.crc32(reply) != int.from_bytes(stored[_CHECKED_FROM:_PACKED_FROM], "big"):
        raise _altered()
    return reply


def _is_packed(stored: bytes) -> bool:
    """Tell whether a stored reply is packed."""
    return 1 <= stored[0] <= _VERSIONS_MAX if stored else False


def _altered() -> Refused:
    return Refused("store/altered", file="", what="reply")
