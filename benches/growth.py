"""What a command costs when the house has a past: 10^3 to 10^6 stored rounds (`make bench-growth`).

    python benches/growth.py --rounds 1000 10000 100000 1000000 [--folder FOLDER]

Rounds are real ones, opened and folded through the house on one SQLite file, of which a copy is
kept at each size. The copies are then measured one after the other: how long a start takes to its
first accepted stake, the median of an open, a choice, the newest and the oldest page of a history,
and the audit per round. These are processor time, which a busy machine hardly changes; a start is
by the clock. The memory is that of the process that played all rounds so far. With a
folder the copies stay and are used again, so that the measuring can wait for a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from houses import HOUSE_WINS, make_house
from tapisvert.history import player_history
from tapisvert.operations.audit import audit
from tapisvert.refusal import unwrap
from tapisvert.rounds import PlayerService
from tapisvert.rounds.player_service import Reply
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, Seat, SeatRequest

CHAIRS = 64
GUEST_ROUNDS = 900  # a guest has 1,000.00, and loses 1.00 a round
SAMPLES = 200


class Figures(NamedTuple):
    """What things cost at one size, in milliseconds of the processor unless said."""

    rounds: int
    open_ms: float
    choose_ms: float
    newest_page_ms: float
    oldest_page_ms: float
    audit_ms_per_round: float
    memory_mb: float
    restart_s: float
    file_mb: float


class Chair:
    """One guest, and the round pending for them."""

    def __init__(self, house: PlayerService) -> None:
        self.token = unwrap(house.guest().result()).token or ""
        self.seat = unwrap(house.seat(self.token, SeatRequest("casino-stud")).result())
        self.played = 0

    def open(self, house: PlayerService) -> Reply:
        """Stake and deal."""
        asked = OpenRequest(self.seat.round_id, self.seat.commitment, {"ante": 100}, "seed")
        return house.open(self.token, f"o{self.played}", asked)

    def fold(self, house: PlayerService) -> Reply:
        """End the round; its reply carries the next seat."""
        fold = ChoiceRequest(0, "fold")
        return house.choose(self.token, f"c{self.played}", self.seat.round_id, fold, 0)

    def ended(self, reply: bytes) -> None:
        """Take the next seat."""
        self.seat = msgspec.json.decode(reply, type=_Ended).seat
        self.played += 1


class _Ended(msgspec.Struct):
    seat: Seat


class Filler:
    """Plays rounds: many guests at once to grow, one alone to measure."""

    def __init__(self, house: PlayerService, chairs: int = CHAIRS) -> None:
        self.house, self.played = house, 0
        self.chairs = [Chair(house) for _ in range(chairs)]
        self.first_token = self.chairs[0].token

    def grow(self) -> None:
        """Play a round at every chair; commands that wait together share a commit."""
        opened = [chair.open(self.house) for chair in self.chairs]
        folded = [chair.fold(self.house) for chair in self.chairs]  # in the order they were given
        for n, chair in enumerate(self.chairs):
            unwrap(opened[n].result())
            chair.ended(unwrap(folded[n].result()))
            if chair.played == GUEST_ROUNDS:
                self.chairs[n] = Chair(self.house)
        self.played += CHAIRS

    def round(self) -> tuple[float, float]:
        """Open and fold one round alone; return how long each took, in seconds."""
        chair, house = self.chairs[0], self.house
        if chair.played == GUEST_ROUNDS:
            chair = self.chairs[0] = Chair(house)
        started = time.process_time()
        unwrap(chair.open(house).result())
        opened = time.process_time()
        reply = unwrap(chair.fold(house).result())
        folded = time.process_time()
        chair.ended(reply)
        self.played += 1
        return opened - started, folded - opened


def fill(folder: Path, sizes: list[int]) -> None:
    """Play to each size in turn and keep a copy of the file there, and what the process holds."""
    path = folder / "growing.db"
    filler = Filler(make_house(path, HOUSE_WINS))
    (folder / "first-token").write_text(filler.first_token)
    told = time.monotonic()
    for size in sizes:
        while filler.played < size - CHAIRS:
            filler.grow()
            if time.monotonic() - told > 1:
                told = time.monotonic()
                print(f"\r{filler.played:,} rounds", end="", file=sys.stderr, flush=True)
        while filler.played < size:
            filler.round()
        (folder / f"{size}.memory").write_text(str(_memory_mb()))
        filler.house.store.close()
        shutil.copy(path, folder / f"{size}.db")
        filler.house = make_house(path, HOUSE_WINS)
    filler.house.store.close()


def measure(folder: Path, size: int) -> Figures:
    """Measure everything at a size, from a start to an audit."""
    path = folder / f"{size}.db"
    started = time.perf_counter()
    house = make_house(path, HOUSE_WINS)
    newcomer = Filler(house, chairs=1)
    newcomer.round()
    restarted = time.perf_counter() - started
    samples = [newcomer.round() for _ in range(SAMPLES)]
    first = (folder / "first-token").read_text()
    newest, oldest = (_page_ms(house, token) for token in (newcomer.first_token, first))
    started = time.process_time()
    found = house.store.read(lambda tx: audit(tx, house.dealer)).result()
    audited = time.process_time() - started
    assert found.findings == ()
    house.store.close()
    return Figures(
        rounds=found.rounds,
        open_ms=1000 * statistics.median(opened for opened, _ in samples),
        choose_ms=1000 * statistics.median(chosen for _, chosen in samples),
        newest_page_ms=newest,
        oldest_page_ms=oldest,
        audit_ms_per_round=1000 * audited / found.rounds,
        memory_mb=float((folder / f"{size}.memory").read_text()),
        restart_s=restarted,
        file_mb=path.stat().st_size / 2**20,
    )


def _memory_mb() -> float:
    """Return what this process holds now, in MB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def _page_ms(house: PlayerService, token: str) -> float:
    started = time.process_time()
    for _ in range(20):
        house.query(token, lambda desk: player_history.rounds(desk, None, None)).result()
    return (time.process_time() - started) * 1000 / 20


def main(sizes: list[int], folder: Path) -> str:
    """Fill what is not there yet, then measure; return the page."""
    if not all((folder / f"{size}.memory").exists() for size in sizes):
        fill(folder, sizes)
    rows = [f"| {' | '.join(Figures._fields)} |", "|--:" * len(Figures._fields) + "|"]
    print(f"\r{rows[0]}")
    for size in sizes:
        rows.append(line(measure(folder, size)))
        print(rows[-1], flush=True)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return PAGE.format(machine=machine, table="\n".join(rows))


def line(figures: Figures) -> str:
    """Return one row of the table."""
    cells = (f"{each:,}" if isinstance(each, int) else f"{each:,.2f}" for each in figures)
    return f"| {' | '.join(cells)} |"


PAGE = """# What a past costs

Written by `make bench-growth`: Casino Stud opened and folded through the house on one SQLite file,
64 guests at once, then measured at each size by one guest alone. Machine: {machine}.

{table}

- `open_ms`, `choose_ms`: processor time of a command, the median of 200.
- `newest_page_ms`, `oldest_page_ms`: a page of a newcomer's history, and of the first guest's.
- `audit_ms_per_round`: the whole audit, every round replayed, divided by the rounds.
- `memory_mb`: what the process held that had played all rounds so far, two commands each.
- `restart_s`: from opening the file to the first accepted stake, by the clock (budget: 2 s). The
  first row pays for what Python loads once.
- `file_mb`: the database.

A command costs what the depth of its indexes costs: a little more with every factor of ten, not
ten times. The audit reads in pages and does not grow per round, nor does memory.
"""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, nargs="+", default=[10**3, 10**4, 10**5, 10**6])
    parser.add_argument("--folder", type=Path, help="where the files are kept for another time")
    parser.add_argument("--write", type=Path, help="write the page here")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        found = main(asked.rounds, asked.folder or Path(passing))
    if asked.write:
        asked.write.write_text(found, encoding="utf-8")
