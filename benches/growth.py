"""What a command costs when the house has a past: 10^3 to 10^6 stored rounds (`make bench-growth`).

    python benches/growth.py --rounds 1000 10000 100000 1000000

Rounds are real ones, opened and folded through the house on one SQLite file. At each size: the
median of an open, a choice, the newest and the oldest page of a history, the audit per round, the
memory of the process, and how long a restart takes to its first accepted stake.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from houses import HOUSE_WINS, make_house
from tapisvert.refusal import granted
from tapisvert.rounds import House, showing
from tapisvert.rounds.audit import audit
from tapisvert.rounds.house import Reply
from tapisvert.rounds.messages import ChoiceRequest, OpenRequest, SeatRequest

GUEST_ROUNDS = 900  # a guest has 1,000.00, and loses 1.00 a round
SAMPLES = 200


class Figures(NamedTuple):
    """What things cost at one size, in milliseconds unless said."""

    rounds: int
    open_ms: float
    choose_ms: float
    newest_page_ms: float
    oldest_page_ms: float
    audit_ms_per_round: float
    memory_mb: float
    restart_s: float
    file_mb: float


class Filler:
    """Plays rounds, one guest after another."""

    def __init__(self, house: House) -> None:
        self.house, self.played, self.token = house, 0, ""
        self.first_token = ""

    def round(self) -> tuple[float, float]:
        """Open and fold one round; return how long each took, in seconds."""
        if self.played % GUEST_ROUNDS == 0:
            self.token = granted(self.house.guest().result()).token or ""
            self.first_token = self.first_token or self.token
        self.played += 1
        seat = granted(self.house.seat(self.token, SeatRequest("casino-stud")).result())
        asked = OpenRequest(seat.round_id, seat.commitment, {"ante": 100}, "seed")
        fold = ChoiceRequest(0, "fold")
        number, token, house = self.played, self.token, self.house
        return (
            _timed(lambda: house.open(token, f"o{number}", asked)),
            _timed(lambda: house.choose(token, f"c{number}", seat.round_id, fold, 0)),
        )


def _timed(send: Callable[[], Reply]) -> float:
    started = time.perf_counter()
    granted(send().result())
    return time.perf_counter() - started


def measure(filler: Filler, path: Path) -> tuple[Figures, House]:
    """Measure everything at the size reached; the house is opened anew on the way."""
    samples = [filler.round() for _ in range(SAMPLES)]
    house = filler.house
    newest, oldest = (_page_ms(house, token) for token in (filler.token, filler.first_token))
    started = time.perf_counter()
    found = house.store.read(lambda tx: audit(tx, house.dealer)).result()
    audited = time.perf_counter() - started
    assert found.findings == ()
    house.store.close()
    started = time.perf_counter()
    filler.house = make_house(path, HOUSE_WINS)
    filler.round()
    restarted = time.perf_counter() - started
    figures = Figures(
        rounds=found.rounds,
        open_ms=1000 * statistics.median(opened for opened, _ in samples),
        choose_ms=1000 * statistics.median(chosen for _, chosen in samples),
        newest_page_ms=newest,
        oldest_page_ms=oldest,
        audit_ms_per_round=1000 * audited / found.rounds,
        memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        restart_s=restarted,
        file_mb=path.stat().st_size / 2**20,
    )
    return figures, filler.house


def _page_ms(house: House, token: str) -> float:
    started = time.perf_counter()
    for _ in range(20):
        house.query(token, lambda desk: showing.rounds(desk, None, None)).result()
    return (time.perf_counter() - started) * 1000 / 20


def main(sizes: list[int]) -> list[Figures]:
    """Grow a house through the sizes, measuring at each."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tapis.db"
        filler = Filler(make_house(path, HOUSE_WINS))
        for size in sizes:
            while filler.played < size - SAMPLES:
                filler.round()
                if filler.played % 1000 == 0:
                    print(f"\r{filler.played:,} rounds", end="", file=sys.stderr, flush=True)
            figures, _ = measure(filler, path)
            found.append(figures)
            print("\r" + line(figures), flush=True)
        filler.house.store.close()
    return found


def line(figures: Figures) -> str:
    """Return one row of the table."""
    return (
        "| "
        + " | ".join(
            f"{value:,}" if isinstance(value, int) else f"{value:.2f}" for value in figures
        )
        + " |"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, nargs="+", default=[10**3, 10**4, 10**5, 10**6])
    print("| " + " | ".join(Figures._fields) + " |")
    main(parser.parse_args().rounds)
