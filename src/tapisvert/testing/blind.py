"""Checks that a strategy declared blind gives the same answer whatever the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapisvert.cards import write_hand
from tapisvert.engine import events as ev
from tapisvert.engine import replay
from tapisvert.refusal import Broken, Refused
from tapisvert.testing.case import Case
from tapisvert.testing.settlement import SEED, player_stakes

if TYPE_CHECKING:
    from tapisvert.odds.simulation import SimulatedPlayer

_ROUNDS_MAX = 500

Question = tuple[str, tuple[str, ...]]


def not_blind(case: Case, strategy: str, player: SimulatedPlayer) -> list[str]:
    """Return a finding if a player answers one question, with the same options, in two ways."""
    from tapisvert.odds.simulation import deal

    sheet, script = case.sheet, case.game.editions[-1].script
    stakes = player_stakes(sheet, player.bets)
    decks = deal(SEED, 0, min(case.rounds, _ROUNDS_MAX), player.cards, player.deck)
    *_, lines = player.play(decks)
    answers: dict[Question, str] = {}
    for cards, line in zip(decks.tolist(), lines.tolist(), strict=True):
        deck = [*cards, *(card for card in sheet.deck if card not in cards)]
        try:
            played = replay(script, sheet, deck, stakes, player.said(cards, line), bank=case.bank)
        except (Broken, Refused) as error:
            return [f"the simulated player of {strategy!r} plays what the script refuses: {error}"]
        asked: ev.Asked | None = None
        for event in played.events:
            if isinstance(event, ev.Asked):
                asked = event
            elif isinstance(event, ev.Chose) and asked is not None:
                offered = tuple(each.id for each in asked.options if each.why_not is None)
                question = asked.key, offered
                before = answers.setdefault(question, event.option)
                if before != event.option:
                    return [
                        f"GAME.blind names {strategy!r}, which answers {asked.key!r} by"
                        f" {before!r} and, with {write_hand(cards)}, by {event.option!r}"
                    ]
    return []
