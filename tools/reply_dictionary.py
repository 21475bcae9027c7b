"""Makes a dictionary for stored replies (src/tapisvert/rounds/stored_reply.py) from golden rounds.

    python tools/reply_dictionary.py [--write]

The samples are the replies to every open and every choice of the golden rounds, with ids, times
and balances derived from the name of the round. Each game and kind of command has the same weight.
The worth of a gram, a run of 12 bytes, is the share of the replies that contain it. The dictionary
takes the 160 bytes of greatest worth in any reply. Their grams then have worth 0, and the next 160
bytes are taken, until it is full. The best segment comes last, where a distance takes the fewest
bits. Nothing is random: the same golden rounds give the same file.

A released dictionary never changes: with `--write` the new one gets the next number, and its reader
is added by hand, as the next version. Without `--write` its figures are printed.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from tapisvert.engine import Transcript
from tapisvert.engine.view import view
from tapisvert.games.registry import SHIPPED
from tapisvert.rounds.schemas import RoundReply, RoundView, Seat, Wallet, iso
from tapisvert.testing.golden import Golden, play, read, sheet_of

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
FOLDER = ROOT / "src" / "tapisvert" / "rounds"
SIZE, SEGMENT, GRAM = 8192, 160, 12  # bytes; chosen by measuring: docs/adr/0031
_WORTH = 10**9  # of a gram in every reply of a game and kind
_FIRST_MS = 1_767_225_600_000  # 2026-01-01
_FIVE_YEARS_MS = 5 * 365 * 86_400_000
_CURRENCIES = ("FUN", "CAD", "EUR")


class Sample(NamedTuple):
    """A reply, with the game and kind of its command."""

    game: str
    kind: str  # open or choose
    reply: bytes


def samples(games: Sequence[str] = SHIPPED) -> Iterator[Sample]:
    """Yield the reply to every command of every golden round, in the order of their names."""
    for game in games:
        for path in sorted((GOLDEN / game).glob("*.json")):
            yield from _replies(f"{game}/{path.stem}", read(path))


def _replies(name: str, golden: Golden) -> Iterator[Sample]:
    sheet = sheet_of(golden, GOLDEN)
    played = [play(golden, sheet, answered) for answered in range(len(golden.choices) + 1)]
    seen = [0, *(len(each.events) for each in played)]
    for answered, (first, _) in enumerate(pairwise(seen)):
        reply = _reply(name, golden, played[answered], first, sheet.void_after_s)
        yield Sample(golden.game, "choose" if answered else "open", msgspec.json.encode(reply))


def _reply(name: str, golden: Golden, played: Transcript, first: int, delay_s: int) -> RoundReply:
    """Return the house's reply to our page, which asks only for new events."""
    made_up = int(_hex(name, "number")[:12], 16)
    opened_ms, balance_cents = _FIRST_MS + made_up % _FIVE_YEARS_MS, made_up % 1_000_000
    seen, over = view(played, balance_cents), played.settled
    shown = RoundView(
        id=_hex(name, "id")[:32],
        game=golden.game,
        edition=golden.edition,
        sheet_hash=golden.sheet_hash,
        commitment=_hex(name, "commitment"),
        client_seed=_hex(name, "client seed")[:16],
        state="settled" if over else "open",
        opened_at=iso(opened_ms),
        ended_at=iso(opened_ms + made_up % 100_000) if over else None,
        void_after_s=delay_s,
        stakes=golden.stakes,
        ask=seen.ask,
        lines=seen.lines,
        staked_cents=seen.staked_cents,
        returned_cents=seen.returned_cents,
        hands=seen.hands,
        events=played.events[first:],
    )
    held_cents = 0 if over else seen.staked_cents
    wallet = Wallet(_CURRENCIES[made_up % len(_CURRENCIES)], balance_cents, held_cents)
    following = Seat(
        _hex(name, "next id")[:32],
        golden.game,
        _hex(name, "next commitment"),
        golden.edition,
        golden.sheet_hash,
    )
    return RoundReply(shown, wallet, following if over else None)


def _hex(*names: str) -> str:
    """Return reproducible pseudo-random hex digits."""
    return hashlib.sha256("/".join(names).encode()).hexdigest()


def grouped(found: Sequence[Sample]) -> Mapping[tuple[str, str], list[bytes]]:
    """Return the replies by game and kind."""
    groups: dict[tuple[str, str], list[bytes]] = {}
    for game, kind, reply in found:
        groups.setdefault((game, kind), []).append(reply)
    return groups


def dictionary(
    groups: Sequence[Sequence[bytes]], size: int = SIZE, segment: int = SEGMENT, gram: int = GRAM
) -> bytes:
    """Return the bytes that replies share, the best last; groups have equal weight."""
    index: dict[bytes, int] = {}
    grams: list[int] = []  # number of the gram that begins at each byte of the text
    worth: list[int] = []
    for replies in groups:
        for reply in replies:
            here = [
                index.setdefault(reply[at : at + gram], len(index))
                for at in range(len(reply) - gram + 1)
            ]
            worth += [0] * (len(index) - len(worth))
            for each in set(here):
                worth[each] += _WORTH // len(replies)
            grams += here + [-1] * (len(reply) + segment - len(here))
    between = bytes(segment)  # separator as long as a segment: no segment spans two replies
    whole = b"".join(reply + between for replies in groups for reply in replies)
    return _filled(whole, np.array(grams), np.array([*worth, 0]), size, segment - gram + 1, gram)


def _filled(
    whole: bytes, grams: np.ndarray, worth: np.ndarray, size: int, span: int, gram: int
) -> bytes:
    """Take the segment of greatest worth repeatedly; changes `worth`. Gram -1 has worth 0."""
    taken: list[bytes] = []
    left = size
    while left >= gram:
        sums = np.concatenate(([0], np.cumsum(worth[grams])))
        scores = sums[span:] - sums[:-span]
        at = int(np.argmax(scores))
        if not scores[at]:
            break
        wanted = at + np.flatnonzero(worth[grams[at : at + span]])
        first, last = int(wanted[0]), min(int(wanted[-1]) + gram, int(wanted[0]) + left)
        worth[grams[first : last - gram + 1]] = 0
        taken.append(whole[first:last])
        left -= last - first
    return b"".join(reversed(taken))


def figures(made: bytes, groups: Mapping[tuple[str, str], list[bytes]]) -> Iterator[str]:
    """Yield the compression of the samples, one line per game and kind."""
    primed = zlib.compressobj(3, zlib.DEFLATED, -14, 7, zlib.Z_DEFAULT_STRATEGY, made)
    for (game, kind), replies in groups.items():
        sizes = 0
        for reply in replies:
            packing = primed.copy()
            sizes += len(packing.compress(reply) + packing.flush())
        plain, packed = sum(map(len, replies)) // len(replies), sizes // len(replies)
        yield f"{game:<16} {kind:<7} {len(replies):4} replies {plain:6} -> {packed:4} bytes"


def main(arguments: Sequence[str]) -> int:
    """Make a dictionary; with `--write`, store it under the next number."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write it as the next version")
    asked = parser.parse_args(arguments)
    groups = grouped(list(samples()))
    made = dictionary(list(groups.values()))
    print("\n".join(figures(made, groups)))
    print(f"{len(made)} bytes, SHA-256 {hashlib.sha256(made).hexdigest()}")
    if asked.write:
        number = 1 + len(list(FOLDER.glob("reply_*.dict")))
        path = FOLDER / f"reply_{number}.dict"
        path.write_bytes(made)
        print(f"{path.relative_to(ROOT)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
