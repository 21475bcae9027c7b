"""Events and refusals as sentences."""

from __future__ import annotations

import re

import msgspec

from tapisvert.engine import AnyEvent, HandName
from tapisvert.engine import events as ev
from tapisvert.refusal import Arg, Refused
from tapisvert.words.catalogue import Catalogue


def tell(words: Catalogue, game: str, event: AnyEvent) -> str:
    """Return the sentence for an event."""
    args = msgspec.to_builtins(event)
    match event:
        case ev.Dealt(zone=zone) | ev.Revealed(zone=zone):
            key = f"{args['kind']}.{zone}"
        case ev.Named(zone=zone, hand=hand):
            key = f"named.{zone}"
            args = {"hand": hand_words(words, game, hand)}
        case ev.Moved(to=to):
            key = f"moved.{to}"
        case ev.Asked(key=asked, hand=hand_asked, options=options):
            args = {"hand": hand_asked, **{option.id: option.stake_cents for option in options}}
            reasons = dict.fromkeys(f"event.forbidden.{option.why_not}" for option in options)
            # Only rare restrictions go into the sentence; a button shows the others (`why-not`).
            told = [words.write(each, {}, game) for each in reasons if words.find(each, game)]
            return " ".join([words.write(f"event.asked.{asked}", args, game), *told])
        case ev.Chose(option=option):
            # A set of Pai Gow is described by its cards.
            cards = option.split(" ")
            key = f"chose.{option}" if len(cards) == 1 else "chose.cards"
            args["cards"] = cards
        case ev.Said(key=said):
            key, args = f"said.{said}", args["args"]
        case ev.Settled(outcome=outcome, why=why):
            key = "settled.prize" if outcome == "won" and not event.odds else f"settled.{outcome}"
            args["why"] = words.write(f"why.{why}", args, game)
            sentence = words.write(f"event.{key}", args, game)
            return f"{sentence} {words.write('event.capped')}" if event.capped else sentence
        case _:
            key = args["kind"]
    return words.write(f"event.{key}", args, game)


def hand_words(words: Catalogue, game: str, hand: HandName) -> str:
    """Return the name of a hand at this table, and the card its joker stands for."""
    args = {str(place): rank for place, rank in enumerate(hand.ranks)}
    args |= {"ranks": hand.ranks, "total": str(hand.total)}
    told = words.write(f"hand.{hand.category}", args, game)
    if hand.joker is None:
        return told
    form = "card" if len(hand.joker) == 2 else "rank"
    return words.write(f"joker.{form}", {"hand": told, "joker": hand.joker})


def explain(words: Catalogue, refusal: Refused) -> str:
    """Return the sentence for a refusal, in the words of the table it happened at."""
    args = dict(refusal.details)
    game = str(args.get("game", ""))
    tables = (("bet", "bet"), ("needs", "bet"), ("choice", "option"), ("why", "why-not"))
    for name, table in tables:
        if name in args:
            args[name] = words.find(f"{table}.{args[name]}", game) or _cards(words, args[name])
    return words.write(f"error.{refusal.code}", args, game)


def _cards(words: Catalogue, choice: Arg) -> Arg:
    """Return the card names of a choice that lists cards, as at Pai Gow; else the choice itself."""
    cards = str(choice).split(" ")
    known = all(re.fullmatch("[2-9TJQKA][cdhs]|Jk", card) for card in cards)
    return ", ".join(words.card(card) for card in cards) if known else choice
