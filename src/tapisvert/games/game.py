"""The interface of a game: one typed object, `GAME`, in the `__init__.py` of its folder.

The house uses a game only through this object. Nothing here imports NumPy: `odds` names the package
of the mathematics, which is imported on demand and never by a server.
"""

from __future__ import annotations

import tomllib
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
    """Return the main bet, then the others except side bets: they share one value."""
    main = next(spot for spot, place in sheet.layout.items() if place.main)
    side = {spot for spot, place in sheet.layout.items() if place.requires and not place.equals}
    return [main, *(bet for bet in bets if bet != main and bet not in side)]


def no_flags(cards: Hands) -> Mapping[str, bool]:
    """Return no flags: none means anything with these cards."""
    return {}


def no_features(ask: AskView, hands: Hands) -> tuple[int, ...]:
    """Return no features: questions then differ only by the values of their options."""
    return ()


def no_cell(ask: AskView, hands: Hands) -> str:
    """Return no key: the game has no chart by hands."""
    return ""


class Themes(NamedTuple):
    """The themes of a game's decisions, and the theme of a question; practice goes by them.

    Their names are the game's words `theme.<id>`, for a game with more than one.
    """

    ids: tuple[str, ...]
    of: Callable[[AskView, Hands], str]  # from what the player sees


ONE_THEME = Themes(("all",), lambda ask, hands: "all")


@dataclass(frozen=True, slots=True)
class Edition:
    """One version of a game: its script and the type of its sheets.

    A change to a script that alters any golden transcript takes a new number. The old script stays
    in the folder while stored rounds refer to it (docs/design.md, tests/golden).
    """

    number: int
    script: GameScript[Any]
    sheet_type: type[Sheet]


class Bet(NamedTuple):
    """A bet to prove, and the figures of the sheet its proof depends on."""

    fields: tuple[str, ...]  # dotted keys
    edition: int = 1  # incremented when the mathematics gives another figure for the same fields


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionShape:
    """The form of a position for `tapis advise` and the coach (docs/advise.md)."""

    cards: Mapping[str, Collection[int]]
    """The keys that hold a list of cards, and the allowed number of cards."""

    optional: tuple[str, ...] = ()
    """Those of them that may be absent when empty."""

    single: tuple[str, ...] = ()
    """The keys that hold a single card, without a list."""

    flags: tuple[str, ...] = ()
    """The keys that hold true or false; false if absent."""

    usual: Callable[[Hands], Mapping[str, bool]] = no_flags
    """The flags that mean something with these cards, and what they are if nobody says."""

    of_question: Callable[[AskView, Hands, Stakes], dict[str, Any]]
    """Build the position of a question from what the player sees."""

    bets: Callable[[Sheet, Question, Iterable[str]], list[str]] = without_side_bets
    """The bets that the values of a question's options cover; the first is the unit of value."""

    features: Callable[[AskView, Hands], tuple[int, ...]] = no_features
    """Features of a question: practice prefers questions with similar features."""

    example: Mapping[str, Any]
    """A position that loads everything the coach needs; the coach warms up with it."""

    warm_s: float
    """Seconds the warm-up takes with an empty disk cache, on two cores at 2.5 GHz."""

    slow_keys: tuple[str, ...] = ()
    """Beginnings of figures that players' own rules cannot change, because a value would then take
    the coach seconds.
    """

    def fields(self) -> dict[str, Collection[int]]:
        """Return every key that holds cards, and the allowed number; the optional ones last."""
        counts = dict(self.cards) | dict.fromkeys(self.single, (1,))
        return dict(sorted(counts.items(), key=lambda field: field[0] in self.optional))


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: everything the house needs to know about it."""

    id: str
    """The id in addresses, commands and stored rounds, such as `casino-stud`. Never changes."""

    folder: Path
    """The folder of `sheet.toml`, `words/`, `proofs.json`, `chart.json` and the scripts for the
    browser.
    """

    clauses: str
    """The prefix of the clause ids in its rules, such as `stud` in `stud.7`."""

    editions: tuple[Edition, ...]
    """Every edition that stored rounds may refer to, the current one last."""

    bets: Mapping[str, Bet]
    """The bets to prove: `main` first, then each side bet by the name of its spot."""

    odds: str
    """The package of its mathematics, which holds `MATHEMATICS` (odds/mathematics.py)."""

    strategies: tuple[str, ...]
    """The names of its simulated players; the best play first, if it can be simulated."""

    blind: tuple[str, ...] = ()
    """Those of them that answer every question alike, whatever the cards."""

    position: PositionShape
    """The form of its positions."""

    themes: Themes = ONE_THEME
    """What its decisions are about; a game that names none is practised as a whole."""

    hand_order: tuple[str, ...]
    """The categories of a player's hand, lowest first."""

    fan: tuple[str, ...]
    """Five cards that stand for the game in the lobby."""

    cards_dealt: int | None
    """The number of cards every round deals from the top of the deck; None if choices decide it."""

    draw_chart: Draw
    """Lay out the chart of its best play, for par sheet and terminal."""

    chart_cell: Callable[[AskView, Hands], str] = no_cell
    """Return the key of the chart's cell for a question (`Grid.keys`), empty if the chart does not
    cover it. The strategy card lights up this cell.
    """

    @property
    def sheet_type(self) -> type[Sheet]:
        """Return the sheet type of new rounds."""
        return self.editions[-1].sheet_type

    def variants(self) -> Mapping[str, Mapping[str, Any]]:
        """Return rules of other casinos, by name: the figures that differ from its own sheet.

        They are in `variants.toml`; a game without the file has none.
        """
        path = self.folder / "variants.toml"
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    def words(self, language: str) -> Path:
        """Return the path of the game's words in a language."""
        return self.folder / "words" / f"{language}.toml"
