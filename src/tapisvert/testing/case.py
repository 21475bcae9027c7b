"""The argument of a check: a game, the number of rounds to try, and its project folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from tapisvert.engine.script import Claim
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import load_file
from tapisvert.games.game import Game
from tapisvert.lab import proof_store
from tapisvert.lab.mathematics import mathematics_of
from tapisvert.lab.proof_store import StoredProof
from tapisvert.odds.mathematics import Mathematics
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.refusal import Refused

ROUNDS = 100_000
MAIN = "main"  # the first bet of every game, in proofs, charts and simulations
POT_CENTS = 2_000_000  # for a game without its own pot


class NotRun(Exception):
    """A check cannot be run here; the message gives the reason."""


class Project(NamedTuple):
    """Locations of a game's rules page, golden rounds and tests."""

    rules: Path
    golden: Path
    tests: Path


def project_of(game: Game, folder: Path | None) -> Project | None:
    """Find a game's project: the given folder, or the nearest parent folder with a rules page.

    A repository with several games has `docs/rules/ID.md`; with one game, `docs/rules.md`.
    """
    root = folder or next((each for each in game.folder.parents if _has_rules(each, game)), None)
    if root is None:
        return None
    several = root / "docs" / "rules" / f"{game.id}.md"
    if several.exists():
        return Project(several, root / "tests" / "golden" / game.id, root / "tests" / "games")
    return Project(root / "docs" / "rules.md", root / "tests" / "golden", root / "tests")


def _has_rules(folder: Path, game: Game) -> bool:
    pages = (folder / "docs" / "rules" / f"{game.id}.md", folder / "docs" / "rules.md")
    return (folder / "pyproject.toml").exists() and any(page.exists() for page in pages)


@dataclass
class Case:
    """A game under test."""

    game: Game
    rounds: int = ROUNDS
    full: bool = False
    project: Project | None = None
    tell: Progress = field(default=no_progress)

    @cached_property
    def sheet(self) -> Sheet:
        """The shipped sheet; the checks `files` and `sheet` report its errors."""
        try:
            return load_file(self.game.folder / "sheet.toml", self.game.sheet_type)
        except Refused:
            raise NotRun("its sheet does not load") from None

    @cached_property
    def proofs(self) -> list[StoredProof]:
        """The stored proofs of the shipped sheet."""
        return proof_store.find(self.sheet)

    @cached_property
    def mathematics(self) -> Mathematics:
        """The game's mathematics; raises NotRun without NumPy."""
        try:
            return mathematics_of(self.sheet)
        except Refused as refusal:
            raise NotRun(f"its mathematics cannot be loaded ({refusal})") from None
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] == self.game.odds.partition(".")[0]:
                raise  # a missing module of the game: an error of the game
            raise NotRun(f"its mathematics cannot be imported ({error})") from None

    def needs_project(self) -> Project:
        """Return the project; raise NotRun if there is none."""
        if self.project is None:
            raise NotRun("name the folder with docs/rules.md, tests/golden and tests: --project")
        return self.project

    def bank(self, claim: Claim) -> int:
        """Pay a share of the pot at its starting value."""
        return int((self.sheet.demonstration_pot_cents or POT_CENTS) * claim.share)


Check = Callable[[Case], list[str]]


def side_bets(sheet: Sheet) -> list[str]:
    """Return the spots of side bets."""
    return [spot for spot, place in sheet.layout.items() if place.requires and not place.equals]


def main_spots(sheet: Sheet) -> list[str]:
    """Return the first main spot, and the spots that always have the same stake."""
    first = next((spot for spot, place in sheet.layout.items() if place.main), None)
    return [spot for spot, place in sheet.layout.items() if first in (spot, place.equals)]
