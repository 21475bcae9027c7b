"""Random rounds of every game, to compare the browser's output with the server's."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from tapisvert.engine import AnyEvent, Claim, Transcript, replay
from tapisvert.engine import events as ev
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import current
from tapisvert.sheets import load

POT_CENTS = 1_234_567


def random_rounds(game: str, count: int) -> Iterator[Sequence[AnyEvent]]:
    """Yield the events of random rounds: finished, waiting, voided, and capped."""
    chance, shipped = random.Random(game), load(game)
    caps = {f"caps_cents.{each}": 1_000 for each in shipped.caps_cents}
    capped = with_changes(shipped, caps) if caps else shipped
    for place in range(count):
        sheet = capped if place % 3 == 0 else shipped
        yield _random_round(sheet, chance, (None, None, "expired", "operator")[place % 4]).events


def _random_round(sheet: Sheet, chance: random.Random, void: str | None) -> Transcript:
    deck, stakes = chance.sample(sheet.deck, len(sheet.deck)), random_stakes(sheet, chance)
    answers: list[str | int] = []
    while True:
        so_far = replay(current(sheet.game).script, sheet, deck, stakes, answers, bank=_bank)
        if not isinstance(so_far.waiting, ev.Asked):
            return so_far
        if chance.random() < 0.1:
            return replay(
                current(sheet.game).script, sheet, deck, stakes, answers, bank=_bank, void=void
            )
        legal = [option.id for option in so_far.waiting.options if option.why_not is None]
        answers.append(chance.choice(legal))


def random_stakes(sheet: Sheet, chance: random.Random) -> dict[str, int]:
    """Return random stakes: some of the hands, some of the side bets."""
    stakes: dict[str, int] = {}
    mains = [bet for bet, place in sheet.layout.items() if place.main]
    staked = chance.sample(mains, chance.randint(1, len(mains)))
    for bet, place in sheet.layout.items():
        least, most = sheet.spots[bet].min_cents, sheet.spots[bet].max_cents
        if place.equals:
            stakes[bet] = stakes[place.equals]
        elif bet in staked or (place.requires and stakes.keys() >= {*place.requires}):
            stakes[bet] = min(least + sheet.step_cents * chance.randint(0, 60), most)
            if not place.main and chance.random() < 0.3:
                del stakes[bet]
    return stakes


def _bank(claim: Claim) -> int:
    return int(POT_CENTS * claim.share)
