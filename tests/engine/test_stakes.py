"""Stakes before the deal against the spots of a layout, on sheets like those of the five games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import pytest

from tapisvert.engine.sheet import PayTable, Place, Sheet, Spot
from tapisvert.engine.stakes import check_stakes
from tapisvert.refusal import Refused


class _Layout(Sheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Spots and nothing else."""

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return none."""
        return {}


class LikeUltimate(_Layout, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """RULES 5: a blind equal to the ante, and a side bet."""

    game_id = "like-ultimate"
    layout: ClassVar[Mapping[str, Place]] = {
        "ante": Place(main=True),
        "blind": Place(equals="ante"),
        "trips": Place(requires=("ante",)),
    }


class LikeBlackjack(_Layout, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """RULES 4: one or two hands, and a side bet of a fixed price that needs both."""

    game_id = "like-blackjack"
    layout: ClassVar[Mapping[str, Place]] = {
        "hand-1": Place(main=True),
        "hand-2": Place(main=True),
        "royal": Place(requires=("hand-1", "hand-2")),
    }


ULTIMATE = LikeUltimate(
    game="like-ultimate",
    step_cents=100,
    void_after_s=60,
    spots={
        "ante": Spot(min_cents=100, max_cents=10_000),
        "blind": Spot(min_cents=100, max_cents=10_000),
        "trips": Spot(min_cents=100, max_cents=10_000),
    },
)
BLACKJACK = LikeBlackjack(
    game="like-blackjack",
    step_cents=50,
    void_after_s=60,
    spots={
        "hand-1": Spot(min_cents=100, max_cents=10_000),
        "hand-2": Spot(min_cents=100, max_cents=10_000),
        "royal": Spot(min_cents=100, max_cents=100),
    },
)

TAKEN: list[tuple[Sheet, dict[str, object]]] = [
    (ULTIMATE, {"ante": 100, "blind": 100}),
    (ULTIMATE, {"ante": 10_000, "blind": 10_000, "trips": 100}),
    (BLACKJACK, {"hand-1": 150}),
    (BLACKJACK, {"hand-2": 10_000}),
    (BLACKJACK, {"hand-1": 100, "hand-2": 250}),
    (BLACKJACK, {"hand-1": 100, "hand-2": 250, "royal": 100}),
]

# sheet, stakes, code, the bet the refusal names
REFUSED: list[tuple[Sheet, dict[str, object], str, str]] = [
    (ULTIMATE, {}, "stake/missing", "ante"),
    (ULTIMATE, {"ante": 100}, "stake/missing", "blind"),
    (ULTIMATE, {"blind": 100}, "stake/missing", "ante"),
    (ULTIMATE, {"trips": 100}, "stake/needs_main", "trips"),
    (ULTIMATE, {"trips": 100, "blind": 100}, "stake/needs_main", "trips"),
    (ULTIMATE, {"ante": 200, "blind": 100}, "stake/under_limit", "blind"),
    (ULTIMATE, {"ante": 200, "blind": 300}, "stake/over_limit", "blind"),
    (ULTIMATE, {"ante": 200, "blind": 200, "play": 200}, "stake/unknown", "play"),
    (ULTIMATE, {"ante": 200, "blind": 0}, "stake/under_limit", "blind"),
    (ULTIMATE, {"ante": 200, "blind": 200.0}, "stake/not_a_number", "blind"),
    (ULTIMATE, {"ante": 150, "blind": 150}, "stake/off_step", "ante"),
    (BLACKJACK, {}, "stake/missing", "hand-1"),
    (BLACKJACK, {"royal": 100}, "stake/needs_main", "royal"),
    (BLACKJACK, {"hand-1": 100, "royal": 100}, "stake/needs_main", "royal"),
    (BLACKJACK, {"hand-2": 100, "royal": 100}, "stake/needs_main", "royal"),
    (BLACKJACK, {"hand-1": 100, "hand-2": 100, "royal": 50}, "stake/under_limit", "royal"),
    (BLACKJACK, {"hand-1": 100, "hand-2": 100, "royal": 200}, "stake/over_limit", "royal"),
    (BLACKJACK, {"hand-1": 125}, "stake/off_step", "hand-1"),
    (BLACKJACK, {"hand-1": 50}, "stake/under_limit", "hand-1"),
    (BLACKJACK, {"hand-1": 100, "hand-2": 10_050}, "stake/over_limit", "hand-2"),
    (BLACKJACK, {"hand-1": True}, "stake/not_a_number", "hand-1"),
    (BLACKJACK, {"hand-1": 10**40}, "stake/over_limit", "hand-1"),
]


@pytest.mark.parametrize(("sheet", "stakes"), TAKEN, ids=str)
def test_good_stakes_are_taken_in_the_order_of_the_layout(
    sheet: Sheet, stakes: dict[str, object]
) -> None:
    backwards = dict(reversed(stakes.items()))
    assert list(check_stakes(sheet, backwards).items()) == list(stakes.items())


@pytest.mark.parametrize(
    ("sheet", "stakes", "code", "bet"), REFUSED, ids=[f"{row[0].game} {row[1]}" for row in REFUSED]
)
def test_stakes_the_layout_does_not_allow_are_refused_by_code_and_bet(
    sheet: Sheet, stakes: dict[str, object], code: str, bet: str
) -> None:
    for placed in (stakes, dict(reversed(stakes.items()))):
        with pytest.raises(Refused) as caught:
            check_stakes(sheet, placed)
        assert (caught.value.code, caught.value.details["bet"]) == (code, bet)


def test_a_refusal_says_the_limit_and_the_bet_that_is_needed() -> None:
    def details(sheet: Sheet, stakes: dict[str, object]) -> dict[str, str | int]:
        with pytest.raises(Refused) as caught:
            check_stakes(sheet, stakes)
        return caught.value.details

    assert details(BLACKJACK, {"hand-1": 50})["min_cents"] == 100
    assert details(BLACKJACK, {"hand-1": 10_050})["max_cents"] == 10_000
    assert details(BLACKJACK, {"hand-1": 125})["step_cents"] == 50
    assert details(BLACKJACK, {"hand-1": 100, "royal": 100})["needs"] == "hand-2"
    # Where two stakes must be equal, the other one is the limit.
    assert details(ULTIMATE, {"ante": 200, "blind": 100})["min_cents"] == 200
    assert details(ULTIMATE, {"ante": 200, "blind": 300})["max_cents"] == 200


@pytest.mark.parametrize(
    ("key", "spot"),
    [
        ("spots.royal.min_cents", Spot(min_cents=200, max_cents=100)),
        ("spots.royal.max_cents", Spot(min_cents=60, max_cents=90)),  # no multiple of 50 between
    ],
    ids=str,
)
def test_a_spot_that_contradicts_itself_is_a_wrong_figure(key: str, spot: Spot) -> None:
    with pytest.raises(ValueError, match=rf"^{key}: "):
        LikeBlackjack(
            game="like-blackjack",
            step_cents=50,
            void_after_s=60,
            spots={**BLACKJACK.spots, "royal": spot},
        )
