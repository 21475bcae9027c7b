"""F4: one key, one effect, however often and concurrently it is sent.

    python tests/soak/keys.py --keys 10000 --copies 20

Every command of a round is sent by that many threads at the same instant, under one key. Exactly
one effect, byte-equal replies; the same key with another body is refused.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from houses import PLAYER_WINS, make_house
from tapisvert.bank import ledger
from tapisvert.refusal import Refused, unwrap
from tapisvert.rounds import PlayerService
from tapisvert.rounds.player_service import Reply
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, SeatRequest

Send = Callable[[], Reply]


def at_once(pool: ThreadPoolExecutor, copies: int, send: Send) -> bytes:
    """Send a command from this many threads at once; return the reply they all must get."""
    gate = threading.Barrier(copies)

    def one() -> bytes:
        gate.wait()
        return unwrap(send().result())

    replies = {reply.result() for reply in [pool.submit(one) for _ in range(copies)]}
    assert len(replies) == 1, "replies differ"
    return replies.pop()


def play(
    house: PlayerService, pool: ThreadPoolExecutor, token: str, number: int, copies: int
) -> None:
    """Open and finish one round, every command sent many times; two keys."""
    seat = unwrap(house.seat(token, SeatRequest("casino-stud")).result())
    asked = OpenRequest(seat.round_id, seat.commitment, {"ante": 100}, "seed")
    opened, chosen = f"open-{number}", f"choose-{number}"
    at_once(pool, copies, lambda: house.open(token, opened, asked))
    other = msgspec.structs.replace(asked, stakes={"ante": 200})
    refused = _refusal(house.open(token, opened, other))
    assert refused == "idempotency/reused", refused
    fold = ChoiceRequest(0, "fold")
    at_once(pool, copies, lambda: house.choose(token, chosen, seat.round_id, fold, 0))
    again = house.choose(token, chosen, seat.round_id, ChoiceRequest(0, "play"), 0)
    assert _refusal(again) == "idempotency/reused"


def _refusal(future: Reply) -> str:
    try:
        answer = future.result()
    except Refused as refusal:
        return refusal.code
    return answer.code if isinstance(answer, Refused) else "done"


def main(keys: int, copies: int, progress: Callable[[int], None] = lambda done: None) -> int:
    """Play rounds until this many keys were used; return the number of effects in the ledger."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(copies) as pool:
        house = make_house(Path(folder) / "tapis.db", PLAYER_WINS)
        token = ""
        for number in range(keys // 2):
            if number % 900 == 0:  # a guest has 1,000.00, and folds 1.00 a round
                token = unwrap(house.guest().result()).token or ""
            play(house, pool, token, number, copies)
            if number % 100 == 99:
                progress(2 * (number + 1))
        rows = house.store.read(
            lambda tx: (
                tx.row("SELECT COUNT(*) FROM commands"),
                tx.rows("SELECT reason, COUNT(*) FROM transfers GROUP BY reason"),
                ledger.total_units(tx),
            )
        ).result()
        house.store.close()
    (commands,), sums = rows[0] or (0,), rows[2]
    reasons: dict[str, int] = dict(rows[1])
    assert commands == keys, commands
    assert reasons["stake"] == reasons["loss"] == keys // 2, reasons
    assert set(sums.values()) == {0}, sums
    return int(reasons["stake"] + reasons["loss"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--copies", type=int, default=20)
    wanted = parser.parse_args()
    started = time.monotonic()
    effects = main(
        wanted.keys,
        wanted.copies,
        lambda done: print(f"\rF4: {done:,} keys", end="", file=sys.stderr),
    )
    print(
        f"\rF4: {wanted.keys:,} keys x {wanted.copies} copies at once: {effects:,} effects,"
        f" all replies byte-equal, {time.monotonic() - started:.0f} s"
    )
