"""Seeds: where they come from, and how they rest.

A seed is 32 bytes from the operating system. At rest it is always sealed with AES-GCM under the
house's key, the round id as associated data; there is no unsealed mode. The key is a file of its
own, readable by its owner only.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tapisvert.refusal import Refused

KEY_BYTES = 32
_NONCE_BYTES = 12

Entropy = Callable[[int], bytes]


def draw(size: int, entropy: Entropy = os.urandom) -> bytes:
    """Draw random bytes; a source that fails, or gives one byte over and over, blocks play."""
    try:
        drawn = entropy(size)
    except (OSError, NotImplementedError):
        raise Refused("dealing/unavailable") from None
    if len(drawn) != size or len(set(drawn)) == 1:
        raise Refused("dealing/unavailable")
    return drawn


class Sealer:
    """Seals and opens seeds under one key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"the key has {len(key)} bytes, not {KEY_BYTES}")
        self._cipher = AESGCM(key)
        self._marking = hashlib.sha256(b"marks" + key).digest()
        self._signing = Ed25519PrivateKey.from_private_bytes(
            hashlib.sha256(b"signatures" + key).digest()
        )
        self.cover_key = hashlib.sha256(b"covers" + key).digest()  # of store/cover.py

    def seal(self, seed: bytes, round_id: str, entropy: Entropy = os.urandom) -> bytes:
        """Return the sealed seed, bound to its round."""
        nonce = draw(_NONCE_BYTES, entropy)
        return nonce + self._cipher.encrypt(nonce, seed, round_id.encode())

    def open(self, sealed: bytes, round_id: str) -> bytes:
        """Return the seed; a wrong key, a wrong round or a damaged seal is refused."""
        try:
            nonce, box = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
            return self._cipher.decrypt(nonce, box, round_id.encode())
        except (InvalidTag, ValueError):  # ValueError: cut too short to hold a seal at all
            raise Refused("seal/broken", round_id=round_id) from None

    def mark(self, content: bytes) -> bytes:
        """Return what shows that the house wrote this content: nobody without the key can."""
        return hmac.digest(self._marking, content, "sha256")

    def sign(self, content: bytes) -> bytes:
        """Sign what the house answers for; anyone can check it with the public key."""
        return self._signing.sign(content)

    @property
    def public_key(self) -> bytes:
        """Return the key that signatures are checked with; it is no secret."""
        return self._signing.public_key().public_bytes_raw()


def signed(public_key: bytes, content: bytes, signature: bytes | None) -> bool:
    """Tell whether the owner of a key has signed this content."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature or b"", content)
    except (InvalidSignature, ValueError):
        return False
    return True


def make_key(path: Path) -> Sealer:
    """Create the key file of a new house, mode 0600, safe on disk before anything is sealed.

    It appears under its name all at once, so that of two servers starting together one makes it
    and the other reads it.
    """
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(os.urandom(KEY_BYTES))
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
        finally:
            os.unlink(draft)
        _sync_folder(path.parent)
    except OSError as error:
        raise Refused("seal/key_unreadable", file=str(path), reason=str(error.strerror)) from None
    return read_key(path)


def read_key(path: Path) -> Sealer:
    """Read the key file of an existing house; a missing or exposed one is refused."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            key = file.read(KEY_BYTES + 1)
    except FileNotFoundError:
        raise Refused("seal/key_missing", file=str(path)) from None
    except OSError as error:
        raise Refused("seal/key_unreadable", file=str(path), reason=str(error.strerror)) from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Refused("seal/key_exposed", file=str(path))
    if len(key) != KEY_BYTES:
        raise Refused("seal/key_unreadable", file=str(path), reason="it does not hold 32 bytes")
    return Sealer(key)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
