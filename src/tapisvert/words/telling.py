"""Events and refusals as sentences."""

from __future__ import annotations

import msgspec

from tapisvert.refusal import Refused
from tapisvert.table import AnyEvent, HandName
from tapisvert.table import events as ev
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
        case ev.Asked(key=asked, options=options):
            args = {option.id: option.stake_cents for option in options}
            reasons = dict.fromkeys(option.why_not for option in options if option.why_not)
            told = [words.write(f"why-not.{reason}", {}, game) for reason in reasons]
            return " ".join([words.write(f"event.asked.{asked}", args, game), *told])
        case ev.Chose(option=option):
            key = f"chose.{option}"
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
    """Return what a hand is called at this table."""
    args = {str(place): rank for place, rank in enumerate(hand.ranks)}
    return words.write(f"hand.{hand.category}", {**args, "total": hand.total}, game)


def explain(words: Catalogue, refusal: Refused) -> str:
    """Return the sentence for a refusal, in the words of the table it happened at."""
    args = dict(refusal.details)
    game = str(args.get("game", ""))
    tables = (("bet", "bet"), ("needs", "bet"), ("choice", "option"), ("why", "why-not"))
    for name, table in tables:
        if name in args:
            args[name] = words.find(f"{table}.{args[name]}", game) or args[name]
    return words.write(f"error.{refusal.code}", args, game)
