"""What a game must provide: one typed object, `GAME`, in the `__init__.py` of its folder.

The house knows a game by this object alone. Nothing here imports NumPy: `odds` names the package of
the mathematics, which is imported when a figure is asked for and never by a server.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tapisvert.engine import GameScript
from tapisvert.engine.events import Asked
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.view import AskView
from tapisvert.games.chart_page import Draw

Hands = Mapping[str, tuple[str, ...]]  # the cards a player sees, by zone
Stakes = Mapping[str, int]
Question = Asked | AskView


def without_side_bets(sheet: Sheet, ask: Question, bets: Iterable[str]) -> list[str]:
    """Return the main bet, then all others that are no side bets: one hand, one value."""
    main = next(spot for spot, place in sheet.layout.items() if place.main)
    side = {spot for spot, place in sheet.layout.items() if place.requires and not place.equals}
    return [main, *(bet for bet in bets if bet != main and bet not in side)]


def no_features(ask: AskView, hands: Hands) -> tuple[int, ...]:
    """Return no features: questions of one kind differ by the values of their options alone."""
    return ()


@dataclass(frozen=True, slots=True)
class Edition:
    """One version of a game: its script and the shape of the sheets it plays by.

    A change to a script that alters any golden transcript takes a new number and leaves the old
    script in the folder while stored rounds refer to it (docs/design.md, tests/golden).
    """

    number: int
    script: GameScript[Any]
    sheet_type: type[Sheet]


class Bet(NamedTuple):
    """A bet to prove, and the figures of the sheet that its proof depends on."""

    fields: tuple[str, ...]  # dotted keys
    edition: int = 1  # raised when the mathematics gives another figure for the same fields


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionShape:
    """How a position of the game is written for `tapis advise` and the coach (docs/advise.md)."""

    cards: Mapping[str, Collection[int]]
    """The keys that hold a list of cards, and how many cards each may hold."""

    optional: tuple[str, ...] = ()
    """Those of them that may be left out when they hold none."""

    single: tuple[str, ...] = ()
    """The keys that hold one card, written without a list."""

    flags: tuple[str, ...] = ()
    """The keys that hold true or false; false if left out."""

    of_question: Callable[[AskView, Hands, Stakes], dict[str, Any]]
    """Write the position down that a player is asked about, from what the player sees."""

    bets: Callable[[Sheet, Question, Iterable[str]], list[str]] = without_side_bets
    """Of the bets of a round, those that the values of a question's options speak of, the one they
    are in units of first."""

    features: Callable[[AskView, Hands], tuple[int, ...]] = no_features
    """Numbers of a question: practice prefers questions whose numbers differ little."""

    example: Mapping[str, Any]
    """A position that loads everything the coach needs: the coach warms up with it."""

    warm_s: float
    """Seconds this takes with nothing on disk, on two cores at 2.5 GHz."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: everything the house knows of it."""

    id: str
    """The id in addresses, commands and stored rounds, such as `casino-stud`. Never changes."""

    folder: Path
    """Where its files are: `sheet.toml`, `words/`, `proofs.json`, `chart.json` and its scripts
    for the browser."""

    clauses: str
    """The prefix of the clause ids in its rules, such as `stud` of `stud.7`."""

    editions: tuple[Edition, ...]
    """Every edition that stored rounds may refer to, the current one last."""

    bets: Mapping[str, Bet]
    """The bets to prove: `main` first, then each side bet by the name of its spot."""

    odds: str
    """The package of its mathematics, which holds `MATHEMATICS` (odds/mathematics.py)."""

    strategies: tuple[str, ...]
    """The names of its simulated players, the best play first where it can be simulated."""

    position: PositionShape
    """How a position is written."""

    hand_order: tuple[str, ...]
    """The kinds of hands a player can be told to have, from the least to the best."""

    fan: tuple[str, ...]
    """Five cards that stand for the game in the lobby."""

    cards_dealt: int | None
    """How many cards every round deals from the top of the deck; None if choices decide it."""

    draw_chart: Draw
    """Lay the chart of its best play out, on the par sheet and in a terminal."""

    @property
    def sheet_type(self) -> type[Sheet]:
        """Return the shape of the sheets that new rounds are played by."""
        return self.editions[-1].sheet_type

    def words(self, language: str) -> Path:
        """Return the file of the game's words in a language."""
        return self.folder / "words" / f"{language}.toml"
