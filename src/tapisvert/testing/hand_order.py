"""Checks the order of a game's hands against the settlements of its script."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from tapisvert.cards import Card, parse_hand
from tapisvert.engine import Transcript
from tapisvert.engine import events as ev
from tapisvert.engine.events import HandName
from tapisvert.testing.case import Case, side_bets
from tapisvert.testing.golden import goldens
from tapisvert.testing.random_rounds import Round, play_on, random_stakes, rounds_of

_TRIES = 6  # for each pair of kinds of hands
_EXAMPLES = 8  # for each kind


def hands_are_in_order(case: Case) -> list[str]:
    """Every kind of hand is in GAME.hand_order, and a stronger kind never loses to a weaker one.

    Besides random rounds, it plays decks in which each pair of kinds meets.
    """
    order = case.game.hand_order
    examples: dict[str, list[Round]] = defaultdict(list)
    unknown, wrong = set(), set()
    count = max(200, case.rounds // 5)
    for played in rounds_of(case, "hand order", count):
        for zone, hand in players_hands(played.end):
            if hand.category not in order:
                unknown.add(f"GAME.hand_order has no {hand.category!r}, named at {zone!r}")
            elif len(examples[hand.category]) < _EXAMPLES:
                examples[hand.category].append(played)
        wrong |= set(contradictions(case, played.end))
    for played in laid_rounds(case, examples):
        wrong |= set(contradictions(case, played.end))
    return sorted(unknown) + sorted(wrong)


def players_hands(end: Transcript) -> Iterator[tuple[str, HandName]]:
    """Yield the zones and names of the hands that are not the house's."""
    for event in end.events:
        if isinstance(event, ev.Named) and not event.zone.startswith("house"):
            yield event.zone, event.hand


def contradictions(case: Case, end: Transcript) -> Iterator[str]:
    """Yield each case where every hand of the player is of a stronger kind and the main bet loses.

    Hands are compared between zones of the same name of player and house; hands with a total are
    compared by their total.
    """
    order = case.game.hand_order
    named = {event.zone: event.hand for event in end.events if isinstance(event, ev.Named)}
    pairs = [
        (hand, named[other])
        for zone, hand in named.items()
        if zone.startswith("player") and (other := zone.replace("player", "house", 1)) in named
    ]
    if not pairs or any(hand.total is not None for pair in pairs for hand in pair):
        return
    if any(hand.category not in order for pair in pairs for hand in pair):
        return
    places = [tuple(order.index(hand.category) for hand in pair) for pair in pairs]
    if all(mine > theirs for mine, theirs in places):
        sides = side_bets(case.sheet)
        for bet, line in end.lines.items():
            if line.outcome == "lost" and bet not in sides:
                mine, theirs = pairs[0]
                yield (
                    f"GAME.hand_order has {mine.category!r} above {theirs.category!r}, "
                    f"but {bet!r} loses to it ({line.why})"
                )
                return


def laid_rounds(case: Case, examples: dict[str, list[Round]]) -> Iterator[Round]:
    """Yield rounds in which the hand of one example meets that of another, held by the house."""
    chance = random.Random(f"laid {case.game.id}")
    known = {kind: rounds for kind, rounds in examples.items() if rounds}
    for kind, played in _golden_examples(case):
        known.setdefault(kind, []).append(played)
    for one, other in combinations(known, 2):
        for mine, theirs in ((one, other), (other, one)):
            for _ in range(_TRIES):
                deck = _laid(case, chance.choice(known[mine]), chance.choice(known[theirs]), chance)
                if deck is not None:
                    yield _play(case, deck, chance)


def _golden_examples(case: Case) -> Iterator[tuple[str, Round]]:
    """Yield examples from golden rounds, which have the rare hands."""
    for golden in goldens(case):
        deck = parse_hand(golden.deck)
        events = tuple(event for step in golden.steps for event in step.events)
        end = Transcript(events, None, golden.stakes, {}, ())
        for _, hand in players_hands(end):
            if hand.category in case.game.hand_order:
                yield hand.category, Round(deck, golden.stakes, [end])


def _zones(played: Round) -> dict[str, list[int]]:
    """Return the positions in the deck dealt to each zone."""
    zones: dict[str, list[int]] = defaultdict(list)
    dealt = 0
    for event in played.end.events:
        if isinstance(event, ev.Dealt):
            zones[event.zone] += range(dealt, dealt + len(event.cards))
            dealt += len(event.cards)
    return zones


def _laid(case: Case, mine: Round, theirs: Round, chance: random.Random) -> list[Card] | None:
    """Return a deck that deals the player one round's hand, and the house another's.

    Common cards, such as a board, are those of the player's round. None if a card occurs twice.
    """
    places, others = _zones(mine), _zones(theirs)
    if len(places["player"]) != len(others["player"]) or len(places["house"]) == 0:
        return None
    cards = [theirs.deck[place] for place in others["player"][: len(places["house"])]]
    kept = {place: mine.deck[place] for zone in places for place in places[zone] if zone != "house"}
    kept |= dict(zip(places["house"], cards, strict=False))
    if len(set(kept.values())) != len(kept):
        return None
    rest = [card for card in case.sheet.deck if card not in set(kept.values())]
    chance.shuffle(rest)
    return [kept[place] if place in kept else rest.pop() for place in range(len(case.sheet.deck))]


def _play(case: Case, deck: list[Card], chance: random.Random) -> Round:
    """Play a deck at random without folding, so that the hands are compared."""

    def answer(_: Any, question: ev.Asked) -> str:
        legal = [option for option in question.options if option.why_not is None]
        staking = [option for option in legal if option.bet]
        return chance.choice(staking or legal).id

    stakes = random_stakes(case.sheet, chance)
    script = case.game.editions[-1].script
    return play_on(script, case.sheet, deck, stakes, case.bank, answer)
