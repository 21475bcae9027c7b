"""The house way of Pai Gow, rule by rule; it never fouls a hand."""

from __future__ import annotations

from itertools import combinations

import pytest

from games.declared_way import random_hands
from tapisvert.cards import parse_hand, write_hand
from tapisvert.games.pai_gow.house_way import high_of, house_way
from tapisvert.games.pai_gow.sheet import HouseWay
from tapisvert.ranking.joker import low_strength, outranks, strength

# Rule, seven cards, the two that go low.
CASES = """
1  five aces, a pair of aces low          | As Ah Ad Ac Jk 9c 4d | A A
1  five aces and kings, the kings low     | As Ah Ad Ac Jk Kc Kd | K K
2  four and three: a pair of the three    | 9s 9h 9d 9c 4s 4h 4d | 4 4
2  four and a pair: the pair              | 9s 9h 9d 9c 4s 4h Kd | 4 4
2  four aces with the joker, and a pair   | As Ah Ad Jk 4s 4h Kd | 4 4
3  four sixes stay, two highest low       | 6s 6h 6d 6c Ks Qh 2d | K Q
3  four twos stay                         | 2s 2h 2d 2c Ts 9h 4d | T 9
3  four sevens stay with an ace to go low | 7s 7h 7d 7c As Qh 2d | A Q
3  four tens stay with the joker low      | Ts Th Td Tc Jk Qh 2d | A Q
3  four tens without an ace are split     | Ts Th Td Tc Ks Qh 2d | T T
3  four jacks are split, ace or not       | Js Jh Jd Jc As Qh 2d | J J
3  four aces are split                    | As Ah Ad Ac Ks Qh 2d | A A
4  two threes: a pair of the higher       | 9s 9h 9d 4c 4s 4h Kd | 9 9
4  three and two pairs: the higher pair   | 9s 9h 9d Kc Ks 4h 4d | K K
4  three with a higher and a lower pair   | Ts Th Td 8c 8s 4h 4d | 8 8
5  a full house: the pair                 | 9s 9h 9d 4c 4s Kh Qd | 4 4
5  a pair of twos with ace-queen goes low | 9s 9h 9d 2c 2s Ah Qd | 2 2
5  a pair of twos with ace-king stays     | 9s 9h 9d 2c 2s Ah Kd | A K
5  a pair of threes with ace-king goes    | 9s 9h 9d 3c 3s Ah Kd | 3 3
6  three pairs: the highest               | 9s 9h 4d 4c Ks Kh 2d | K K
6  three pairs with aces                  | As Jk 4d 4c Ks Kh 2d | A A
7  three alone stay, two highest low      | 9s 9h 9d 4c 2s Kh Qd | K Q
7  three aces are split                   | As Ah Ad 4c 2s Kh 9d | A K
7  aces with the joker are split          | As Ah Jk 4c 2s Kh 9d | A K
7  a pair low when a straight stays       | 9s 9h 9d 8c 7s 6h 5d | 9 9
7  a pair low when a flush stays          | Ks Kh Kd 9s 7s 4s 2s | K K
7  of aces too, when a straight stays     | As Ah Ad Kc Qs Jh Td | A A
8  aces and another pair are split        | As Ah 2d 2c Ks 9h 7d | 2 2
8  sixes and less stay together           | 6s 6h 2d 2c Ks 9h 7d | K 9
8  sixes and less stay, ace or not        | 6s 6h 2d 2c As 9h 7d | A 9
8  jacks and sixes are split              | Js Jh 6d 6c As 9h 7d | 6 6
8  jacks and fives stay with an ace       | Js Jh 5d 5c As 9h 7d | A 9
8  jacks and fives without are split      | Js Jh 5d 5c Ks 9h 7d | 5 5
8  sevens and twos stay with the joker    | 7s 7h 2d 2c Jk 9h 8d | A 9
8  sevens and twos without are split      | 7s 7h 2d 2c Ks 9h 4d | 2 2
8  tens and nines stay with an ace        | Ts Th 9d 9c As Kh 4d | A K
8  two pairs override a straight          | 9s 9h 8d 8c 7s 6h 5d | 8 8
8  and a flush                            | 9s 9h 2s 2c As Ks 4s | A K
9  a pair low beside a straight           | 9s 9h 8d 7c 6s 5h Kd | K 9
9  the pair goes low if that leaves one   | 9s 9h 7d 6c 5s 4h 3d | 9 9
9  the exception: kings high, ace-queen   | Ks Kh Ad Qc Js Td 2h | A Q
9  an ace that would not do better low    | 9s 9h Ad 8c 7s 6h 5d | A 9
10 no pair: the highest low beside it     | As 9h 8d 7c 6s 5h Kd | A K
10 a straight or a flush, the better low  | As Ks 9s 7s 4s Qh Jd | Q J
11 one pair: it stays, two highest low    | 9s 9h Kd Qc 7s 4h 2d | K Q
11 joker and ace are a pair               | As Jk Kd 9c 7s 4h 2d | K 9
11 no pair: second and third go low       | As Kh Jd 9c 7s 4h 2d | K J
11 the joker alone is the highest card    | Jk Kh Jd 9c 7s 4h 2d | K J
"""


def ranks_of(low: list[str]) -> str:
    return " ".join("A" if card == "Jk" else card[0] for card in low)


@pytest.mark.parametrize("case", CASES.strip().splitlines(), ids=lambda case: case.split("|")[0])
def test_a_rule_of_the_house_way(case: str) -> None:
    _, cards, low = (part.strip() for part in case.split("|"))
    chosen = write_hand(house_way(parse_hand(cards))).split()
    assert sorted(ranks_of(chosen).split()) == sorted(low.split())


@pytest.mark.parametrize(
    ("cards", "low"),
    [
        ("9s 9h 7s 6s 5s 4h 3s", "9h 9s"),  # both nines: nothing to choose
        ("As Jk Ks 9s 7s 4d 4h", "4d 4h"),
        # Of an ace and the joker, the one goes low that leaves a flush high (rule 12).
        ("Ah Jk As Ks 9s 7s 4s", "Ah Jk"),
        ("Ac Ad Jk Kh Qh Jh 9h", "Ac Ad"),
        # Three nines, a pair low: the pair whose absence leaves the flush.
        ("9s 9h 9d Ks 7s 4s 2s", "9h 9d"),
    ],
)
def test_12_of_several_cards_those_go_low_that_leave_the_best_high_hand(
    cards: str, low: str
) -> None:
    assert sorted(write_hand(house_way(parse_hand(cards))).split()) == sorted(low.split())


# Each figure of the sheet on its own: cards that it decides, by the shipped value and by another.
FIGURES = """
fours_stay_to          7 | 7s 7h 7d 7c Ks Qh 2d | 7 7 | K Q
fours_stay_with_ace_to J | Js Jh Jd Jc As Qh 2d | J J | A Q
two_pairs_stay_to      9 | 9s 9h 2d 2c Ks 8h 7d | 2 2 | K 8
two_pairs_split_from   T | Ts Th 9d 9c As Kh 4d | A K | 9 9
two_pairs_split_with   5 | Js Jh 5d 5c As 9h 7d | A 9 | 5 5
pair_stays_from        9 | 9s 9h As Kd 8s 5s 3s | K 9 | A K
"""


@pytest.mark.parametrize("case", FIGURES.strip().splitlines(), ids=lambda case: case.split()[0])
def test_a_figure_of_the_sheet_moves_its_rule_and_no_other(case: str) -> None:
    figure, cards, usual, other = (part.strip() for part in case.split("|"))
    name, value = figure.split()
    for way, low in ((HouseWay(), usual), (HouseWay(**{name: value}), other)):
        chosen = write_hand(house_way(parse_hand(cards), way)).split()
        assert sorted(ranks_of(chosen).split()) == sorted(low.split())


@pytest.mark.parametrize("seed", range(4))
def test_the_set_is_never_fouled_and_keeps_the_order_dealt(seed: int) -> None:
    for cards in random_hands(2_000, seed):
        low = house_way(cards)
        assert low in list(combinations(cards, 2))
        assert outranks(strength(high_of(cards, low)), low_strength(low)), write_hand(cards)
