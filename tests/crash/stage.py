"""The house of a crash scene, with fixed time, randomness and cards.

Every run of a command draws the same ids and seeds and sees the same clock. So two runs write the
same rows, and databases can be compared byte by byte.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from houses import KEY as HOUSE_KEY
from houses import Clock, deck_of
from rounds.guest_seat import Seated
from rounds.house_with_operator import TABLES, Funded, opened, played
from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.refusal import Refused
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Entropy, Sealer
from tapisvert.sheets import load
from tapisvert.store import Row, SqliteStore, Tx
from tapisvert.store.sqlite_file import connect

KEY = "interrupted"  # the idempotency key of every command that has one
DATABASE = "tapis.db"
PATIENCE_S = 300  # the point where a process dies is no matter of time, however busy the machine
TOWN, PREPARING = -1, 0  # attempts count from 1; before them the stage is set
START_MS = 1_700_000_000_000
ATTEMPT_MS = 7_000  # a client that asks again does so later
_DRAWS = 10_000  # what each attempt draws is far from what any other does

Give = Callable[[PlayerService], object]
Content = dict[str, list[Row]]
Changes = Mapping[str, object]  # of a sheet's figures


class Repeat(Enum):
    """The expected outcome of a repeat when the first reply may be lost."""

    SAME = "the same reply to the byte, and nothing moves"  # every command with a key
    NOTHING = "nothing moves"  # such as a sweep with nothing left to sweep
    ANOTHER = "it happens once more"  # only if the first result is unused and harmless


@dataclass(frozen=True)
class Scene:
    """A command, and the preparation of the house for it."""

    name: str
    command: str  # the public method it runs: the enumeration must have them all
    prepare: Callable[[PlayerService], Give]
    repeat: Repeat = Repeat.SAME
    cards: Mapping[str, str] = field(default_factory=dict)  # what a game's decks begin with
    changes: Mapping[str, Changes] = field(default_factory=dict)  # of a game's sheet
    new_changes: Mapping[str, Changes] = field(default_factory=dict)  # since it was prepared
    later_ms: int = 0  # how long after its preparation the command comes
    busy: int = 0  # transactions that only keep the writer busy while the command is queued

    @property
    def part(self) -> str:
        """Return the game or the office it belongs to."""
        return self.name.partition(": ")[0]


def open_stage(database: Path, scene: Scene, attempt: int) -> PlayerService:
    now = START_MS + ATTEMPT_MS * attempt + (scene.later_ms if attempt > PREPARING else 0)
    return _open(database, scene, _draws_of(attempt), Clock(now), new=attempt > PREPARING)


def draw_again(house: PlayerService, attempt: int = 1) -> None:
    """Let a running house draw the same bytes again, after an attempt that stored nothing."""
    house.dealer._entropy = _draws_of(attempt)
    house.dealer._last_drawn.clear()  # or the dealer would notice that its source repeats itself


def set_town(database: Path) -> None:
    """Create the database every scene starts from: other players' money, rounds and seals."""
    patient = {"ultimate": {"void_after_s": 366 * 86_400}}  # no sweep of a scene is about these
    house = open_stage(database, Scene("town", "", lambda house: _nothing, changes=patient), TOWN)
    for guest in (Seated(house), Funded(house)):
        played(guest, "casino-stud")
        opened(guest, "ultimate")
    Housekeeping(house).seal()
    close_stage(house, database)


def close_stage(house: PlayerService, database: Path) -> None:
    """Close a house with all data in one file, which can then be copied.

    If a store's connections close at the same instant, none is the last one, which checkpoints the
    log.
    """
    house.store.close()
    with closing(connect(database)) as last:
        last.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _nothing(house: PlayerService) -> None:
    """Do nothing."""


def _open(
    database: Path, scene: Scene, entropy: Entropy, clock: Clock, *, new: bool
) -> PlayerService:
    def laid_out(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
        usual = TABLES[deal.game].cards
        of_town = int(deal.round_id, 16) < _DRAWS
        return deck_of(usual if of_town else scene.cards.get(deal.game, usual), cards)

    def sheet_of(game: str) -> Sheet:
        changes = {
            **scene.changes.get(game, {}),
            **(scene.new_changes if new else {}).get(game, {}),
        }
        return changed_sheet(game, msgspec.json.encode(changes))

    dealer = Dealer(Sealer(HOUSE_KEY), entropy, laid_out)
    return PlayerService(SqliteStore(database), dealer, sheet_of=sheet_of, clock=clock)


@cache
def changed_sheet(game: str, changes: bytes) -> Sheet:
    """Return a game's sheet with changes, given as JSON."""
    return with_changes(load(game), msgspec.json.decode(changes))


def _draws_of(attempt: int) -> Entropy:
    """Return a deterministic source of ids and seeds."""
    count = itertools.count(_DRAWS * (attempt - TOWN) + 1)
    return lambda size: next(count).to_bytes(size, "big")


def content_of(tx: Tx) -> Content:
    """Return every row of every table, including the id sequences."""
    names = [name for (name,) in tx.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: tx.rows(f"SELECT * FROM {name}") for name in sorted(names)}


def outcome(give: Give, house: PlayerService) -> bytes:
    """Run a command; return its outcome, or its refusal, as comparable bytes."""
    try:
        told: Any = give(house)
    except Refused as refusal:
        told = refusal
    if isinstance(told, list):
        return b"\n".join(_written(each) for each in told)
    return _written(told)


def _written(told: Any) -> bytes:
    if isinstance(told, bytes):
        return told  # as it would be sent
    if isinstance(told, Refused):
        return msgspec.json.encode({"refused": told.code, **told.details})
    return msgspec.json.encode(told)
