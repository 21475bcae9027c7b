"""Seeds: where they come from, and how they rest.

A seed is 32 bytes from the operating system. At rest it is always sealed with AES-GCM under the
house's key, the round id as associated data; there is no unsealed mode. The key is a file of its
own, readable by its owner only.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tapisvert.dealing import SEED_BYTES
from tapisvert.refusal import Refused

KEY_BYTES = 32
_NONCE_BYTES = 12

Entropy = Callable[[int], bytes]


def fresh_seed(entropy: Entropy = os.urandom) -> bytes:
    """Return a new server seed; a source that fails or repeats a byte pattern blocks play."""
    try:
        seed = entropy(SEED_BYTES)
    except (OSError, NotImplementedError):
        raise Refused("dealing/unavailable") from None
    if len(seed) != SEED_BYTES or len(set(seed)) == 1:
        raise Refused("dealing/unavailable")
    return seed


class Sealer:
    """Seals and opens seeds under one key."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, seed: bytes, round_id: str) -> bytes:
        """Return the sealed seed, bound to its round."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, seed, round_id.encode())

    def open(self, sealed: bytes, round_id: str) -> bytes:
        """Return the seed; a wrong key, a wrong round or a damaged seal is refused."""
        try:
            nonce, box = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
            return self._cipher.decrypt(nonce, box, round_id.encode())
        except InvalidTag:
            raise Refused("seal/broken", round_id=round_id) from None


def make_key(path: Path) -> Sealer:
    """Create the key file of a new house, mode 0600."""
    key = os.urandom(KEY_BYTES)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return read_key(path)
    except OSError as error:
        raise Refused("seal/key_unreadable", file=str(path), reason=str(error.strerror)) from None
    with os.fdopen(handle, "wb") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    return Sealer(key)


def read_key(path: Path) -> Sealer:
    """Read the key file of an existing house; a missing or exposed one is refused."""
    try:
        mode = path.stat().st_mode
        key = path.read_bytes()
    except FileNotFoundError:
        raise Refused("seal/key_missing", file=str(path)) from None
    except OSError as error:
        raise Refused("seal/key_unreadable", file=str(path), reason=str(error.strerror)) from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Refused("seal/key_exposed", file=str(path))
    if len(key) != KEY_BYTES:
        raise Refused("seal/key_unreadable", file=str(path), reason=f"{len(key)} bytes, not 32")
    return Sealer(key)
