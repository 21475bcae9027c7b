"""Checks of the coach's values against the results of the options and against the proof."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from math import fsum, sqrt

from tapisvert.coach.position_from_round import net_of
from tapisvert.engine import Transcript
from tapisvert.testing.case import MAIN, Case, NotRun
from tapisvert.testing.every_position import every_first_position
from tapisvert.testing.positions import case_advice, options_of, question_of
from tapisvert.testing.random_rounds import Round, play_on
from tapisvert.testing.settlement import ERRORS, player_stakes

_DEALS_MAX = 20_000
_SAME = 1e-9  # values are doubles; smaller differences count as equal


class Differences:
    """Differences between values and results; their expected mean is 0."""

    def __init__(self) -> None:
        self.all: dict[str, list[float]] = defaultdict(list)

    def off(self, what: str, expected: float = 0.0) -> float:
        """Return the difference of a mean from its expectation, in standard errors."""
        found = self.all[what]
        mean = fsum(found) / len(found)
        variance = fsum((each - mean) ** 2 for each in found) / max(1, len(found) - 1)
        error = sqrt(variance / len(found))
        if error < _SAME:  # all equal: no sampling error
            return 0.0 if abs(mean - expected) < _SAME else ERRORS + 1.0
        return (mean - expected) / error


def best_play(case: Case) -> Fraction | None:
    """Return the proved edge of the best play of the main bet, per first stake."""
    main = next(iter(case.game.bets))
    edges = [Fraction(proof.edge) for proof in case.proofs if proof.bet == main]
    return max(edges, default=None)


def values_come_to_the_proof(case: Case) -> list[str]:
    """Over random deals, the mean first value is the proved edge, and each value its mean result.

    A round is played with the best options, except one question, answered by a random option. The
    value of that option minus the result of the round is 0 on average.
    """
    edge = best_play(case)
    if edge is None:
        return ["there is no kept proof of the main bet to hold live values against"]
    chance, found = random.Random(f"values {case.game.id}"), Differences()
    deals = min(_DEALS_MAX, max(60, case.rounds // 20))
    for number in range(deals):
        case.tell(number / deals)
        _play_one(case, chance, found)
    wrong = []
    if abs(off := found.off("edge", float(edge))) > ERRORS:
        wrong.append(
            f"the live values of first questions are {off:+.1f} standard errors from the proof"
        )
    for what in sorted(found.all.keys() - {"edge"}):
        if len(found.all[what]) >= 30 and abs(off := found.off(what)) > ERRORS:
            wrong.append(f"the live value of {what} is {-off:+.1f} standard errors too high")
    return wrong


def _play_one(case: Case, chance: random.Random, found: Differences) -> None:
    """Play a deal by the values, one question at random; record the differences."""
    sheet, script = case.sheet, case.game.editions[-1].script
    deck = chance.sample(sheet.deck, len(sheet.deck))
    stakes = player_stakes(sheet, [MAIN])
    tried = chance.randrange(3)  # number of the question answered at random
    values: list[tuple[str, float, float, int]] = []  # name, value chosen, best value, unit

    def answer(stage: Transcript, _: object) -> str:
        question = question_of(case, stage)
        assert question is not None
        options = options_of(question, case_advice(case, question.position))
        best = max(options, key=lambda option: options[option])
        chosen = chance.choice(list(options)) if len(values) == tried else best
        named = f"{chosen!r}" if " " not in chosen else "a set"
        what = f"{named} when {question.asked.key!r} is asked"
        values.append((what, options[chosen], options[best], question.unit_cents))
        return chosen

    played = play_on(script, sheet, deck, stakes, case.bank, answer)
    unit = stakes[next(spot for spot, place in sheet.layout.items() if place.main)]
    if not values:
        net = sum(line.returned_cents - line.staked_cents for line in played.end.lines.values())
        found.all["edge"].append(net / unit)
        return
    found.all["edge"].append(values[0][2])
    if tried < len(values):
        what, chosen_worth, _, unit = values[tried]
        found.all[what].append(_came_of(case, played, tried) / unit - chosen_worth)


def _came_of(case: Case, played: Round, step: int) -> int:
    """Return the net cents of the bets that the value of a question covers."""
    asked = question_of(case, played.stages[step])
    assert asked is not None
    return net_of(case.sheet, asked.asked, played.end.lines.values())


def every_value_comes_to_the_proof(case: Case) -> list[str]:
    """With --full: the mean value of all first positions, by deals, is the proved edge."""
    if not case.full:
        raise NotRun("every position is summed with --full alone")
    edge = best_play(case)
    if edge is None:
        return ["there is no kept proof of the main bet to hold live values against"]
    total = every_first_position(case)
    # Half the effect of an error of 10^-6 in the position with the fewest deals.
    allowed = 0.5e-6 * total.fewest / total.deals
    mean = total.mean
    if abs(mean - float(edge)) > allowed:
        return [
            f"the live values of all {total.positions:,} first positions come to {mean:+.15f},"
            f" the proof says {float(edge):+.15f}"
        ]
    return []
