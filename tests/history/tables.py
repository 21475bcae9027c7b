"""The results of a round's cards, from the game scripts alone.

The seed comes from the proof that the house gave in the end. The deck is shuffled from it here,
with the client seed, and `tapisvert.engine` replays the script. No code of the house's rounds,
ledger or store is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from history.facts import Facts
from simulation.tables import sheet, stacked
from tapisvert.cards import Card, text
from tapisvert.dealing import Deal, shuffle
from tapisvert.engine import Answer, Claim, Transcript, replay, view
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import current
from tapisvert.sheets import load


class Unproven(Exception):
    """The history cannot be checked: it lacks the seed of a played round."""


class Round(NamedTuple):
    """A round in the model."""

    id: str
    game: str
    order: int  # among the seats of its player
    sheet: str
    client_seed: str
    stakes: tuple[tuple[str, int], ...]
    before_cents: int
    state: str = "open"
    answers: tuple[Answer, ...] = ()
    void: str | None = None
    after_cents: int | None = None
    seen: bool = False
    reversal: tuple[str, int, int, int] | None = None  # why; given, taken, owed

    @property
    def over(self) -> bool:
        return self.state != "open"

    @property
    def steps(self) -> int:
        """Count the player's own answers."""
        return sum(isinstance(each, str) for each in self.answers)


@dataclass
class Play:
    """A round up to the present, and its views."""

    transcript: Transcript

    @cached_property
    def events(self) -> list[Any]:
        told: list[Any] = _plain(self.transcript.events)
        return told

    @cached_property
    def shown(self) -> dict[str, Any]:
        """Return lines, totals and hands as shown."""
        seen = view(self.transcript)
        return {
            "lines": _plain(seen.lines),
            "staked_cents": seen.staked_cents,
            "returned_cents": seen.returned_cents,
            "hands": _plain(seen.hands),
        }

    @property
    def held_cents(self) -> int:
        """Return the staked and unsettled amount."""
        lines = self.transcript.lines
        return sum(cents for bet, cents in self.transcript.stakes.items() if bet not in lines)

    def ask(self, balance_cents: int) -> dict[str, Any] | None:
        """Return the open question, with what this balance can pay for."""
        if self.transcript.waiting is None:
            return None
        asked = self.events[-1]
        return {
            **{name: asked[name] for name in ("step", "key", "hand")},
            "options": [
                {
                    **option,
                    "legal": option["why_not"] is None,
                    "affordable": option["stake_cents"] <= balance_cents,
                }
                for option in asked["options"]
            ],
        }


def sheets_of(day: dict[str, Any]) -> Callable[[str], Sheet]:
    """Return the sheets of a day: the shipped ones, or ones with short delays and low caps."""
    if day.get("delay_s") is None:
        return load
    return lambda game: sheet(game, day["delay_s"], day["tight"])


class Tables:
    """The tables of a recorded house: its sheets by day, and every round played."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._sheet_of: dict[str, Callable[[str], Sheet]] = {}
        self._sheets: dict[str, Sheet] = {}
        self._decks: dict[tuple[str, str], list[Card]] = {}
        self._plays: dict[tuple[object, ...], Play] = {}
        self.stacked = False

    def today(self, day: str, game: str) -> Sheet:
        """Return the sheet of a game on a day, which is given as JSON."""
        if day not in self._sheet_of:
            told = msgspec.json.decode(day)
            self._sheet_of[day], self.stacked = sheets_of(told), told["stacked"]
        sheet = self._sheet_of[day](game)
        self._sheets[sheet.hash] = sheet
        return sheet

    def sheet(self, name: str) -> Sheet:
        return self._sheets[name]

    def play(self, each: Round) -> Play:
        """Replay a round up to the present."""
        key = (each.id, each.client_seed, each.stakes, each.answers, each.void)
        if key not in self._plays:
            sheet = self._sheets[each.sheet]
            script, stakes = current(each.game).script, dict(each.stakes)
            deck, bank = self.deck(each), self._bank(sheet)
            played = replay(script, sheet, deck, stakes, each.answers, bank=bank, void=each.void)
            self._plays[key] = Play(played)
        return self._plays[key]

    def deck(self, each: Round) -> list[Card]:
        """Shuffle a round's deck from the revealed seed."""
        key = (each.id, each.client_seed)
        if key not in self._decks:
            if each.id not in self.facts.seed:
                raise Unproven(f"round {each.id} was played and never proven")
            seed = bytes.fromhex(self.facts.seed[each.id])
            deal = Deal(each.game, each.sheet, each.id, each.client_seed)
            shuffled = stacked if self.stacked else shuffle
            self._decks[key] = shuffled(seed, deal, self._sheets[each.sheet].deck)
        return self._decks[key]

    def deck_text(self, each: Round) -> list[str]:
        return [text(card) for card in self.deck(each)]

    def _bank(self, sheet: Sheet) -> Callable[[Claim], int]:
        """Answer a claim with play money: the pot always has its starting value."""
        return lambda claim: int(sheet.demonstration_pot_cents * claim.share)


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
