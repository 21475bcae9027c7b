"""The cost of a command with 10^3 to 10^6 stored rounds (`make bench-growth`).

    python benches/growth.py [--rounds 1000 10000 100000 1000000] [--folder FOLDER]

Rounds are opened and folded through the player service on one SQLite file, which is copied at each
size. Each copy is then measured: a start up to the first accepted stake (wall time); the median of
an open and of a choice, the newest and the oldest page of a history, and the audit per round
(processor time, which other load hardly changes). The memory is that of the process that played
all rounds so far. With `--folder` the copies are saved and used again.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import msgspec

import page

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
    """Measurements at one size; milliseconds are processor time."""

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
    """One guest with a pending deal."""

    def __init__(self, house: PlayerService) -> None:
        self.token = unwrap(house.guest().result()).token or ""
        self.seat = unwrap(house.seat(self.token, SeatRequest("casino-stud")).result())
        self.played = 0

    def open(self, house: PlayerService) -> Reply:
        """Open the pending round."""
        asked = OpenRequest(self.seat.round_id, self.seat.commitment, {"ante": 100}, "seed")
        return house.open(self.token, f"o{self.played}", asked)

    def fold(self, house: PlayerService) -> Reply:
        """Fold the round; its reply contains the next seat."""
        fold = ChoiceRequest(0, "fold")
        return house.choose(self.token, f"c{self.played}", self.seat.round_id, fold, 0)

    def ended(self, reply: bytes) -> None:
        """Store the next seat from a reply."""
        self.seat = msgspec.json.decode(reply, type=_Ended).seat
        self.played += 1


class _Ended(msgspec.Struct):
    seat: Seat


class Filler:
    """Plays rounds: with many guests at once to fill, with one guest to measure."""

    def __init__(self, house: PlayerService, chairs: int = CHAIRS) -> None:
        self.house, self.played = house, 0
        self.chairs = [Chair(house) for _ in range(chairs)]
        self.first_token = self.chairs[0].token

    def grow(self) -> None:
        """Play one round for every guest; concurrent commands share a commit."""
        opened = [chair.open(self.house) for chair in self.chairs]
        folded = [chair.fold(self.house) for chair in self.chairs]  # run in this order
        for n, chair in enumerate(self.chairs):
            unwrap(opened[n].result())
            chair.ended(unwrap(folded[n].result()))
            if chair.played == GUEST_ROUNDS:
                self.chairs[n] = Chair(self.house)
        self.played += CHAIRS

    def round(self) -> tuple[float, float]:
        """Open and fold one round; return the seconds of each."""
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
    """Play up to each size; store a copy of the file and the memory of the process."""
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
    """Measure the copy of one size."""
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
    """Return the resident memory of this process in MB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def _page_ms(house: PlayerService, token: str) -> float:
    started = time.process_time()
    for _ in range(20):
        house.query(token, lambda desk: player_history.rounds(desk, None, None)).result()
    return (time.process_time() - started) * 1000 / 20


def main(sizes: list[int], folder: Path) -> str:
    """Make the copies that are missing, then measure; return the table."""
    if not all((folder / f"{size}.memory").exists() for size in sizes):
        fill(folder, sizes)
    rows = []
    for size in sizes:
        rows.append(cells(measure(folder, size)))
        print(f"\r{dict(zip(Figures._fields, rows[-1], strict=True))}", flush=True)
    return page.table(Figures._fields, rows, rule="--:")


def cells(figures: Figures) -> list[str]:
    """Return one row of the table."""
    return [f"{each:,}" if isinstance(each, int) else f"{each:,.2f}" for each in figures]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, nargs="+", default=[10**3, 10**4, 10**5, 10**6])
    parser.add_argument("--folder", type=Path, help="save the copies here and use them again")
    parser.add_argument("--write", type=Path, help="the page whose chapter is replaced")
    asked = parser.parse_args()
    if asked.write:
        page.require(asked.write, ["growth"])
    with tempfile.TemporaryDirectory() as passing:
        found = main(asked.rounds, asked.folder or Path(passing))
    if asked.write:
        page.write(asked.write, "growth", found)
