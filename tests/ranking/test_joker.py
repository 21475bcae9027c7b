"""The order of Pai Gow hands, held to the sentences of the rules and to a naive evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations, pairwise
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from ranking.naive import NaiveRank, ways_to_share
from ranking.naive_joker import (
    PAI_GOW_NAMES,
    best_stand_ins,
    first_seen,
    naive_high,
    naive_legal,
    naive_low,
    random_hands_of_53,
    sets,
)
from tapisvert.cards import JOKER, STANDARD, WITH_JOKER, parse_hand, text, write_hand
from tapisvert.ranking import batch, joker_batch
from tapisvert.ranking.joker import (
    CATEGORIES,
    category,
    low_strength,
    outranks,
    stands_for,
    strength,
    telling_ranks,
)

# A hand, its category, the ranks it is told by, and what its joker stands for (of equals, any).
READ = (
    ("As Ah Ad Ac Jk", "five-aces", "", ""),
    ("Ts Js Qs Ks As", "royal-flush", "", ""),
    ("Ts Js Qs Ks Jk", "royal-flush", "", "As"),  # above the run, not below it
    ("As Js Qs Ks Jk", "royal-flush", "", "Ts"),
    ("Th Jk Qh Kh Ah", "royal-flush", "", "Jh"),
    ("9h Th Jh Qh Jk", "straight-flush", "K", "Kh"),
    ("9h Th Qh Kh Jk", "straight-flush", "K", "Jh"),
    ("2h 3h 4h 5h Jk", "straight-flush", "5", "Ah"),  # A-5 is better than 6-high
    ("Ah 3h 4h 5h Jk", "straight-flush", "5", "2h"),
    ("3h 4h 5h 6h Jk", "straight-flush", "7", "7h"),
    ("As Ah Ad Kc Jk", "four-of-a-kind", "AK", "Ac"),
    ("9s 9h 9d 9c Jk", "four-of-a-kind", "9A", "As Ah Ad Ac"),  # never a fifth nine
    ("As Ah 9d 9c Jk", "full-house", "A9", "Ad Ac"),
    ("9s 9h 9d Ac Jk", "full-house", "9A", "As Ah Ad"),
    ("Kh 9h 7h 2h Jk", "flush", "AK972", "Ah"),
    ("Ah Kh 9h 7h Jk", "flush", "AKQ97", "Qh"),
    ("Ah Kh Qh 2h Jk", "flush", "AKQJ2", "Jh"),
    ("Ac Kd Qh Js Jk", "straight", "A", "Ts Th Td Tc"),
    ("2s 3h 4d 5c Jk", "straight", "5", "As Ah Ad Ac"),
    ("Ac 2d 4h 5s Jk", "straight", "5", "3s 3h 3d 3c"),
    ("6c 7d 9h Ts Jk", "straight", "T", "8s 8h 8d 8c"),
    ("7c 8d 9h Ts Jk", "straight", "J", "Js Jh Jd Jc"),
    ("As Ah Kd Qc Jk", "three-of-a-kind", "AKQ", "Ad Ac"),
    ("9s 9h 9d 4c Jk", "full-house", "", ""),  # replaced below: see NOT_A_FULL_HOUSE
    ("Kc Kd As 7h Jk", "two-pair", "AK7", "Ah Ad Ac"),
    ("Kc Kd 7s 7h Jk", "two-pair", "K7A", "As Ah Ad Ac"),
    ("Kc Kd 8s 7h Jk", "pair", "KA87", "As Ah Ad Ac"),
    ("As Kd 8c 7h Jk", "pair", "AK87", "Ah Ad Ac"),
    ("Kd 9c 7h 2s Jk", "high-card", "AK972", "As Ah Ad Ac"),
    ("Kd Qc 2h 3s Ac", "high-card", "AKQ32", ""),
)
