"""Rounds with random decks, stakes and answers, and the checks on each of them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from tapisvert.cards import Card, text
from tapisvert.engine import GameScript, Transcript, replay, view
from tapisvert.engine import events as ev
from tapisvert.engine.script import Answer, Claim
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.view import hands
from tapisvert.refusal import Broken, Refused
from tapisvert.testing.case import Case

QUESTIONS_MAX = 100  # in one round; the shipped games have about twenty at most
NAMED_MAX = 5  # findings listed per check
_CARD = re.compile(r"(?<![\w-])(?:[2-9TJQKA][cdhs]|Jk)(?![\w-])")
Bank = Callable[[Claim], int]


class Round(NamedTuple):
    """A round played to its end: deck, stakes, and the transcript after each answer."""

    deck: list[Card]
    stakes: dict[str, int]
    stages: list[Transcript]

    @property
    def end(self) -> Transcript:
        """The final transcript."""
        return self.stages[-1]


def random_stakes(sheet: Sheet, chance: random.Random) -> dict[str, int]:
    """Return random stakes that the layout allows."""
    stakes: dict[str, int] = {}
    mains = [bet for bet, place in sheet.layout.items() if place.main]
    wanted = set(chance.sample(mains, chance.randint(1, len(mains))))
    for bet, place in sheet.layout.items():
        spot, step = sheet.spots[bet], sheet.step_of(bet)
        steps = chance.randint(-(-spot.min_cents // step), spot.max_cents // step)
        if place.equals in stakes:
            stakes[bet] = stakes[str(place.equals)]
        elif bet in wanted or (
            not place.main
            and all(main in stakes for main in place.requires)
            and chance.random() < 0.5
        ):
            stakes[bet] = steps * step
    return stakes


def play_on(
    script: GameScript[Any],
    sheet: Sheet,
    deck: list[Card],
    stakes: dict[str, int],
    bank: Bank,
    answer: Callable[[Transcript, ev.Asked], str],
) -> Round:
    """Play a round to its end, each question answered by `answer`."""
    stages = [replay(script, sheet, deck, stakes, [], bank=bank)]
    while isinstance(question := stages[-1].waiting, ev.Asked):
        if len(stages) > QUESTIONS_MAX:
            raise Broken(f"a round asks more than {QUESTIONS_MAX} questions and does not end")
        said = [*stages[-1].answers, answer(stages[-1], question)]
        stages.append(replay(script, sheet, deck, stakes, said, bank=bank))
    return Round(deck, stakes, stages)


def random_round(script: GameScript[Any], sheet: Sheet, chance: random.Random, bank: Bank) -> Round:
    """Play a round at random."""

    def answer(_: Transcript, question: ev.Asked) -> str:
        legal = [option.id for option in question.options if option.why_not is None]
        if not legal:
            raise Broken(f"no answer to {question.key!r} is legal")
        return chance.choice(legal)

    deck = chance.sample(sheet.deck, len(sheet.deck))
    return play_on(script, sheet, deck, random_stakes(sheet, chance), bank, answer)


def rounds_of(case: Case, what: str, count: int | None = None) -> Iterator[Round]:
    """Yield random rounds of the current edition; `what` is the seed."""
    chance, script = random.Random(f"{what} {case.game.id}"), case.game.editions[-1].script
    wanted = case.rounds if count is None else count
    for number in range(wanted):
        if number % 1_000 == 0:
            case.tell(number / wanted)
        yield random_round(script, case.sheet, chance, case.bank)


def rounds_end(case: Case) -> list[str]:
    """Random rounds end, each bet is settled once, and the lines add up."""
    found: list[str] = []
    try:
        for played in rounds_of(case, "rounds"):
            found += [f"{wrong} (deck {_top(played)})" for wrong in round_faults(case, played)]
            if len(found) >= NAMED_MAX:
                break
    except (Broken, Refused, RuntimeError, ArithmeticError, LookupError) as error:
        found.append(f"a random round breaks the script: {type(error).__name__}: {error}")
    return found


def round_faults(case: Case, played: Round) -> list[str]:
    """Return the findings on a finished round."""
    end, caps = played.end, case.sheet.caps_cents
    found = []
    settled = [event.bet for event in end.events if isinstance(event, ev.Settled)]
    for bet in sorted({*settled, *end.stakes}):
        if settled.count(bet) != 1:
            found.append(f"bet {bet!r} is settled {settled.count(bet)} times")
    returned = sum(line.returned_cents for line in end.lines.values())
    closing = end.events[-1]
    if not isinstance(closing, ev.Ended):
        found.append("the last event is not `ended`")
    elif (closing.staked_cents, closing.returned_cents) != (sum(end.stakes.values()), returned):
        found.append("the sums of `ended` are not those of the lines")
    if returned > caps.get("round", returned):
        found.append("a round returns more than its cap")
    for bet, line in end.lines.items():
        if not 0 <= line.returned_cents <= caps.get(bet, line.returned_cents):
            found.append(f"bet {bet!r} returns less than nothing or more than its cap")
        if line.staked_cents != end.stakes.get(bet):
            found.append(f"the line of {bet!r} has another stake than was put on it")
    for before, after in pairwise(played.stages):
        if after.events[: len(before.events)] != before.events:
            found.append("an answer changes what had happened before it")
    return found


def _top(played: Round) -> str:
    return " ".join(text(card) for card in played.deck[:16]) + " ..."


def rounds_can_be_voided(case: Case) -> list[str]:
    """A voided round returns every stake that is not settled."""
    script = case.game.editions[-1].script
    for played in rounds_of(case, "void", max(20, case.rounds // 20)):
        for stage in played.stages[:-1]:
            end = replay(
                script, case.sheet, played.deck, played.stakes, stage.answers,
                bank=case.bank, void="expired",
            )  # fmt: skip
            for bet, line in end.lines.items():
                kept = stage.lines.get(bet)
                if line.returned_cents != (kept.returned_cents if kept else end.stakes[bet]):
                    return [f"a round broken off does not give back the stake on {bet!r}"]
    return []


def answers_are_refused(case: Case) -> list[str]:
    """An answer that is not offered, or not legal, is refused."""
    script, chance = case.game.editions[-1].script, random.Random(case.game.id)
    found = set()
    for played in rounds_of(case, "refusals", max(20, case.rounds // 50)):
        for stage in played.stages:
            wrong: list[Answer] = ["", " ", "Jk Jk", 0, 2**40, "\0", chr(chance.randint(1, 0x2FFF))]
            if isinstance(question := stage.waiting, ev.Asked):
                wrong += [option.id for option in question.options if option.why_not]
            for answer in wrong:
                try:
                    replay(
                        script, case.sheet, played.deck, played.stakes, [*stage.answers, answer],
                        bank=case.bank,
                    )  # fmt: skip
                except Refused as refusal:
                    if refusal.code.startswith("choice/"):
                        continue
                asked = question.key if isinstance(question, ev.Asked) else "nothing"
                found.add(f"the answer {answer!r} is taken when {asked!r} is asked")
    return sorted(found)[:NAMED_MAX]


# Hidden cards -------------------------------------------------------------------------------------


def hidden_cards_stay_hidden(case: Case) -> list[str]:
    """No event or view shows a face-down card or depends on it while a round waits."""
    script, chance = case.game.editions[-1].script, random.Random(f"hidden {case.game.id}")
    compared = tried = 0
    for played in rounds_of(case, "hidden", max(50, case.rounds // 10)):
        if leaked := shown_too_early(played):
            return leaked
        for stage in played.stages[:-1]:
            tried += 1
            other = unseen_shuffled(played.deck, stage, chance)
            try:
                again = replay(
                    script, case.sheet, other, played.stakes, stage.answers, bank=case.bank
                )
            except Refused:  # the house looked at its card, and the round ended earlier
                continue
            if again.settled:
                continue
            compared += 1
            if again != stage:
                return [f"{_first_difference(stage, again)} depends on a card that is face down"]
    if compared * 2 < tried:
        return ["most rounds end differently when cards that are face down are exchanged"]
    return []


def shown_too_early(played: Round) -> list[str]:
    """Return the events and views that name a card that is face down or undealt."""
    for stage in played.stages:
        allowed: set[str] = set()
        zones: dict[str, list[Card]] = {}
        dealt = 0
        for event in stage.events:
            match event:
                case ev.Dealt(zone=zone, cards=cards):
                    new = played.deck[dealt : dealt + len(cards)]
                    dealt += len(cards)
                    zones.setdefault(zone, []).extend(new)
                    allowed |= {text(c) for c, up in zip(new, cards, strict=True) if up}
                case ev.Revealed(zone=zone):
                    allowed |= {text(card) for card in zones.get(zone, ())}
                case ev.Moved(zone=zone, to=to, cards=moved):
                    gone = [card for card in zones.get(zone, ()) if text(card) in moved]
                    zones[zone] = [card for card in zones.get(zone, ()) if card not in gone]
                    zones.setdefault(to, []).extend(gone)
            if shown := _cards_in(event) - allowed - _stands_for(event):
                kind = msgspec.to_builtins(event)["kind"]
                return [f"a {kind!r} event shows {min(shown)}, which lies face down"]
        if shown := _cards_in(view(stage).hands) - allowed:
            return [f"the view shows {min(shown)}, which lies face down"]
    return []


def _cards_in(value: Any) -> set[str]:
    return set(_CARD.findall(msgspec.json.encode(value).decode()))


def _stands_for(event: ev.AnyEvent) -> set[str]:
    """Return the cards that jokers stand for; they need not be on the table."""
    if isinstance(event, ev.Named):
        return {event.hand.joker or ""}
    if isinstance(event, ev.Asked):
        return {hand.joker or "" for option in event.options for hand in option.hands.values()}
    return set()


def unseen_shuffled(deck: list[Card], stage: Transcript, chance: random.Random) -> list[Card]:
    """Return the deck with the face-down and undealt cards shuffled."""
    seen = {card for zone in hands(stage.events).values() for card in zone}
    places = [place for place, card in enumerate(deck) if text(card) not in seen]
    cards = chance.sample([deck[place] for place in places], len(places))
    other = deck.copy()
    for place, card in zip(places, cards, strict=True):
        other[place] = card
    return other


def _first_difference(one: Transcript, other: Transcript) -> str:
    pairs: Sequence[tuple[ev.AnyEvent, ev.AnyEvent]] = list(
        zip(one.events, other.events, strict=False)
    )
    for mine, theirs in pairs:
        if mine != theirs:
            return f"a {msgspec.to_builtins(mine)['kind']!r} event"
    return "how far a round comes"
