"""Encryption of seeds at rest: AES-GCM under the house key, with the round id as associated data.

There is no unencrypted mode. Pure: the caller gives the nonce (rounds/seed_source.py draws it) and
the key (key_file.py reads it).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tapisvert.hmac_sha256 import HmacSha256
from tapisvert.refusal import Refused

KEY_BYTES = 32
NONCE_BYTES = 12

Entropy = Callable[[int], bytes]


class Sealer:
    """Encrypts seeds, and marks and signs content, under one key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"the key has {len(key)} bytes, not {KEY_BYTES}")
        self._cipher = AESGCM(key)
        self._marks = HmacSha256(hashlib.sha256(b"marks" + key).digest())
        self._signing = Ed25519PrivateKey.from_private_bytes(
            hashlib.sha256(b"signatures" + key).digest()
        )
        self.integrity_key = hashlib.sha256(b"covers" + key).digest()  # for store/tails.py

    def seal(self, seed: bytes, round_id: str, nonce: bytes) -> bytes:
        """Return the encrypted seed, bound to its round. Never reuse a nonce."""
        return nonce + self._cipher.encrypt(nonce, seed, round_id.encode())

    def open(self, sealed: bytes, round_id: str) -> bytes:
        """Return the seed; refuse a wrong key, a wrong round or damaged data."""
        try:
            nonce, box = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
            return self._cipher.decrypt(nonce, box, round_id.encode())
        except (InvalidTag, ValueError):  # ValueError: too short for a nonce and a tag
            raise Refused("seal/broken", round_id=round_id) from None

    def mark(self, content: bytes) -> bytes:
        """Return the HMAC-SHA256 of the content under the house key."""
        return self._marks.digest(content)

    def sign(self, content: bytes) -> bytes:
        """Return the Ed25519 signature of the content; the public key verifies it."""
        return self._signing.sign(content)

    @property
    def public_key(self) -> bytes:
        """Return the Ed25519 public key that verifies signatures."""
        return self._signing.public_key().public_bytes_raw()


def signed(public_key: bytes, content: bytes, signature: bytes | None) -> bool:
    """Tell whether the signature of the content verifies under this public key."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature or b"", content)
    except (InvalidSignature, ValueError):
        return False
    return True
