"""Make vectors.json, the published test vectors of fair dealing.

Standard library only, and nothing of tapisvert: the algorithm of docs/fair-dealing.md is written
here a second time, another way (HMAC spelled out from RFC 2104, the shuffle as drawing cards out of
a shrinking pile), so that an error would have to occur in both.

    python make_vectors.py            check vectors.json against this script
    python make_vectors.py --write    write it
    python make_vectors.py --search casino-stud
                                      look for shuffles that pass a word over (minutes per find)
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import TypedDict

FILE = Path(__file__).with_name("vectors.json")
ABOUT = "Test vectors of docs/fair-dealing.md, made by tests/dealing/make_vectors.py."
GAMES = {"pai-gow": 53, "casino-stud": 52, "high-card-flush": 52, "blackjack": 52, "ultimate": 52}
CLIENT_SEEDS = (
    "",
    "lucky",
    "0",
    " a space at both ends ",
    "tab\there, line\nthere",
    "nul\x00inside",
    'quote " and backslash \\',
    "été à Montréal",
    "e\u0301te\u0301",  # the same letters as "été", decomposed: other bytes, another deck
    "牌は公平",
    "كازينو",
    "♠♥♦♣",
    "🂡🃏",
    "x" * 128,
    "é" * 64,  # 128 bytes of UTF-8
    "🃏" * 32,
)
SEARCHED = "tapisvert vector: rejection"
# Found by --search, 52 and 53 cards. Only one shuffle in seven million passes a word over: a
# verifier that forgets to reject agrees with every other vector, and with none of these.
REJECTING = {
    "casino-stud": (11_344_174, 15_867_927),
    "pai-gow": (1_090_424, 14_174_576, 20_211_780, 21_837_103),
}


class Vector(TypedDict):
    """One deal; also a valid round.json as far as its deal goes."""

    server_seed: str
    game: str
    sheet_hash: str
    round_id: str
    client_seed: str
    cards: int
    commitment: str
    deck: list[str]


def blocks(key: bytes, message: bytes) -> Iterator[bytes]:
    """Yield HMAC-SHA256(key, message || block number), as RFC 2104 spells it."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message)
    outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))
    for number in count():
        inside, outside = inner.copy(), outer.copy()
        inside.update(
            bytes([number >> 24 & 255, number >> 16 & 255, number >> 8 & 255, number & 255])
        )
        outside.update(inside.digest())
        yield outside.digest()


def words(key: bytes, message: bytes) -> Iterator[int]:
    """Yield the blocks' bytes as big-endian 32-bit words."""
    for block in blocks(key, message):
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")


def pack(*fields: str) -> bytes:
    """Return the message: every field prefixed with its length in two bytes."""
    packed = b""
    for field in ("tapisvert/deal/1", *fields):
        written = field.encode("utf-8")
        high, low = divmod(len(written), 256)
        packed += bytes([high, low]) + written
    return packed


def draw(stream: Iterator[int], cards: int) -> tuple[list[str], int]:
    """Return the deck in dealing order, and the number of rejected words."""
    pile = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] + ["Jk"] * (cards - 52)
    dealt: list[str] = []
    passed_over = 0
    while len(pile) > 1:
        word = next(stream)
        while word >= 2**32 - 2**32 % len(pile):
            passed_over += 1
            word = next(stream)
        # The drawn card goes to the bottom of what is dealt; the pile's last card fills its place.
        chosen = word % len(pile)
        pile[chosen], pile[-1] = pile[-1], pile[chosen]
        dealt.append(pile.pop())
    return pile + dealt[::-1], passed_over


def vector(server_seed: bytes, game: str, sheet: str, round_id: str, client_seed: str) -> Vector:
    """Return one vector, worked out in full."""
    sheet_hash = hashlib.sha256(sheet.encode()).hexdigest()
    message = pack(game, sheet_hash, round_id, client_seed)
    return {
        "server_seed": server_seed.hex(),
        "game": game,
        "sheet_hash": sheet_hash,
        "round_id": round_id,
        "client_seed": client_seed,
        "cards": GAMES[game],
        "commitment": hashlib.sha256(server_seed).hexdigest(),
        "deck": draw(words(server_seed, message), GAMES[game])[0],
    }


def searched(game: str, number: int) -> Vector:
    """Return the vector that --search tries under this number."""
    seed = hashlib.sha256(f"{SEARCHED} {number}".encode()).digest()
    return vector(seed, game, game, "rejection", "")


def vectors() -> Iterator[Vector]:
    """Yield every published vector, in the file's order."""
    for game in GAMES:
        for number, client_seed in enumerate(CLIENT_SEEDS):
            seed = hashlib.sha256(f"tapisvert vector: {game} {number}".encode()).digest()
            yield vector(seed, game, f"{game} sheet", f"{game}-{number:04}", client_seed)
    for game in ("casino-stud", "pai-gow"):
        for seed in (b"\0" * 32, b"\xff" * 32, bytes(range(32)), b"\0" * 31 + b"\1"):
            yield vector(seed, game, "plain", "plain", "")
        # The same letters cut elsewhere: only the length prefixes tell these apart.
        for round_id, client_seed in (("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc")):
            yield vector(bytes(range(32)), game, "cut", round_id, client_seed)
    for game, numbers in REJECTING.items():
        yield from (searched(game, number) for number in numbers)


def contents() -> str:
    """Return the text of vectors.json, one vector per line."""
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in vectors())
    return f'{{"about": {json.dumps(ABOUT)},\n"vectors": [\n{lines}\n]}}\n'


def search(game: str) -> Iterator[int]:
    """Yield the numbers whose shuffle rejects a word."""
    sheet_hash = hashlib.sha256(game.encode()).hexdigest()
    message = pack(game, sheet_hash, "rejection", "")
    for number in count():
        seed = hashlib.sha256(f"{SEARCHED} {number}".encode()).digest()
        # A word passed over starts with 26 ones; seven blocks hold the 51 or 52 words needed.
        suspect = any(b"\xff\xff\xff" in block for block in islice(blocks(seed, message), 7))
        if suspect and draw(words(seed, message), GAMES[game])[1]:
            yield number


def main() -> int:
    """Check, write or search, as the command line says."""
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(contents(), encoding="utf-8")
    elif sys.argv[1:2] == ["--search"]:
        for number in search(sys.argv[2]):
            print(sys.argv[2], number, flush=True)
    elif FILE.read_text(encoding="utf-8") != contents():
        print(f"{FILE.name} is not what this script makes")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
