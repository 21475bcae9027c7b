"""Decide a command twice: a pure function gives the same outcome and changes nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from houses import KEY
from rounds.house_with_pot import GAME, HANDS, named_deck
from tapisvert.cards import Card
from tapisvert.dealing import Deal, shuffle
from tapisvert.refusal import Refused
from tapisvert.rounds.decide import (
    Command,
    NeedsPot,
    Outcome,
    decide,
)
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.state import CommandState, HouseTables
from tapisvert.sealing import Sealer


def deck(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
    """Shuffle; at Blackjack the client seed may select the hand instead."""
    named = deal.game == GAME and deal.client_seed in HANDS
    return named_deck(seed, deal, cards) if named else shuffle(seed, deal, cards)


def decided_twice(state: CommandState, command: Command) -> Outcome | NeedsPot:
    """Decide a command twice; check that the outcomes and the state are equal."""
    before = _seen(state)
    first, again = decide(state, command), decide(state, command)
    assert told(first) == told(again)
    assert _seen(state) == before
    return first


def _seen(state: CommandState) -> str:
    """Return all of a state except its sheets, which all commands share."""
    tables = state.tables
    return repr((dataclasses.replace(state, tables=_NONE), tables.pots, tables.rates))


def told(found: Outcome | NeedsPot) -> object:
    """Return a comparable form of an outcome: two refusals are never equal as objects."""
    answer = found.answer if isinstance(found, Outcome) else None
    return repr(found), answer.details if isinstance(answer, Refused) else answer


_NONE = HouseTables((), {}, {}, {}, {}, Decks(Sealer(KEY), deck))
