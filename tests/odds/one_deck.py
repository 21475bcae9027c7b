"""Figures of Blackjack with one deck under the rules of published ones."""

from __future__ import annotations

from collections.abc import Callable

from tapisvert.games.blackjack.odds.hands import (
    ACES,
    LONE,
    NO_CARDS,
    VALUES,
    Counts,
    best_total,
    hand_numbers,
    hands,
    high_key,
    low_key,
    places,
    points,
    with_card,
)
from tapisvert.games.blackjack.odds.outcomes import ways_to_deal
from tapisvert.games.blackjack.odds.play import (
    HIT,
    NEVER,
    NOWHERE,
    ON_ANY,
    SPLIT,
    STAND,
    Felt,
    beside_hand,
    blank_play,
    play_hands,
)
from tapisvert.games.blackjack.odds.proof import best_play
from tapisvert.games.blackjack.odds.rules import Rules, lay
from tapisvert.games.blackjack.odds.up_card import (
    BLACKJACK,
    NO_HALF_LATER,
    NOTHING_BESIDE,
    Facing,
    Two,
    deals,
    face,
    hand_of,
    house_blackjacks,
)


def single_deck(hits: bool, doubling: int, halves: int) -> float:
    """Return the player's edge under the best play of one deck, in percent."""
    rules = Rules(hits_soft_17=hits, doubling=doubling, doubling_halves=halves)
    return 100 * float(best_play(rules)[0].edge)


def deuces_facing_a_six() -> float:
    """Split deuces against a six, each half played as the hand would be if it were not one."""
    rules = Rules(hits_soft_17=False, doubling=ON_ANY, doubling_halves=NEVER)
    six, deuce = 5, with_card(NO_CARDS, 1)
    felt, _ = lay(rules, six)
    return 2 * _half(deuce, deuce, felt, face(rules, six, felt))


def _half(hand: Counts, beside: Counts, felt: Felt, whole: Facing) -> float:
    """Return the value of a half, with these cards of the other beside it."""
    taken = tuple(map(sum, zip(hand, beside, strict=True)))
    if sum(hand) > 1:
        options, total = whole.lone.options[hand_numbers(LONE)[hand]], best_total(hand)
        if points(hand) == 21 or options[STAND] >= options[HIT]:
            place = places().row[low_key(taken)] + places().column[high_key(taken)]
            return float(felt.values[place, max(total - 16, 0)])
    left = [int(felt.deck[card]) - taken[card] for card in range(VALUES)]
    worth = 0.0
    for card, held in enumerate(left):
        more = with_card(hand, card)
        if held:
            worth += held * (-1.0 if points(more) > 21 else _half(more, beside, felt, whole))
    return worth / sum(left)


def halves_alike() -> float:
    """Return the player's edge in one deck, S17, doubling any, not after a split, if both halves
    are valued as the first one, which knows only the other pair card.
    """
    rules = Rules(hits_soft_17=False, doubling=ON_ANY, doubling_halves=NEVER)

    def best(felt: Felt, options: dict[int, float], two: Two) -> float:
        if two[0] == two[1]:
            every = hands(two[0])
            play = blank_play(every.live)
            aces = two[0] == ACES
            half = play_hands(every, beside_hand(every, 0), felt, NO_HALF_LATER, NEVER, aces, play)
            options[SPLIT] = 2 * half
        return max(options.values())

    return _edge(rules, best)


def unsplit(hits: bool, doubling: int) -> float:
    """Return what the player wins by the best play of one deck that never splits, in percent."""
    return _edge(
        Rules(hits_soft_17=hits, doubling=doubling), lambda _, options, two: max(options.values())
    )


def _edge(rules: Rules, best: Callable[[Felt, dict[int, float], Two], float]) -> float:
    """Return what the player wins in percent, by the value of every two cards."""
    total = deals_seen = 0.0
    every = hands(LONE)
    for up in range(VALUES):
        felt, _ = lay(rules, up)
        lone = blank_play(every.live)
        play_hands(every, NOTHING_BESIDE, felt, NO_HALF_LATER, rules.doubling, False, lone)
        facing = Facing(up, lone, ())
        for two, orders in deals(rules, up):
            theirs, unseen = house_blackjacks(rules, up, two)
            ways = orders * ways_to_deal(rules, up, two)
            natural = two == BLACKJACK
            won = 1.5 if natural else best(felt, _unsplit_options(facing, two), two)
            total += ways * ((unseen - theirs) * won - (0 if natural else theirs))
            deals_seen += ways * unseen
    return 100 * total / deals_seen


def _unsplit_options(facing: Facing, two: Two) -> dict[int, float]:
    found = facing.lone.options[hand_numbers(LONE)[hand_of(two)]]
    return {choice: float(each) for choice, each in enumerate(found) if each > NOWHERE}
