"""Runs in memory: continuing one gives what a replay from the deal gives, or it is not found."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from houses import KEY
from tapisvert.dealing import shuffle
from tapisvert.engine import Answer, Transcript
from tapisvert.engine.events import Asked
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.stakes import check_stakes
from tapisvert.games.registry import SHIPPED, current
from tapisvert.refusal import Refused
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.open_runs import OpenRuns
from tapisvert.rounds.round import Round
from tapisvert.sealing import NONCE_BYTES, Sealer
from tapisvert.sheets import load
from tapisvert.testing.random_rounds import random_stakes
from tiers import few_or_many


class CountingDecks(Decks):
    """Counts the runs that begin with the deal."""

    def __init__(self) -> None:
        super().__init__(Sealer(KEY), shuffle)
        self.begun = 0

    def _begin(self, *asked: Any) -> Any:
        self.begun += 1
        return super()._begin(*asked)


def seat_of(decks: Decks, sheet: Sheet, chance: Random) -> Round:
    """Return an opened seat with a random seed."""
    round_id = chance.randbytes(16).hex()
    sealed = decks.seal(chance.randbytes(32), round_id, chance.randbytes(NONCE_BYTES))
    return Round(
        id=round_id,
        player_id="p",
        game=sheet.game,
        edition=current(sheet.game).number,
        sheet_hash=sheet.hash,
        state="open",
        commitment="",
        sealed_seed=sealed,
        client_seed="client",
    )


def dealt(decks: Decks, sheet: Sheet, chance: Random) -> tuple[Round, Transcript]:
    """Deal a round; return it as it would be stored, and its transcript."""
    seat, placed = seat_of(decks, sheet, chance), check_stakes(sheet, random_stakes(sheet, chance))
    played = decks.deal(seat, sheet, placed, lambda claim: 12_300)
    return replace(seat, stakes=dict(placed), answers=list(played.answers)), played


def legal(played: Transcript) -> list[str]:
    """Return the legal answers to the question that waits."""
    assert isinstance(played.waiting, Asked)
    return [option.id for option in played.waiting.options if option.why_not is None]


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.parametrize("rounds", few_or_many(30, 1000))
def test_every_answer_gives_what_a_replay_gives(game: str, rounds: int) -> None:
    sheet, chance, decks = load(game), Random(game), CountingDecks()
    for _ in range(rounds):
        stored, played = dealt(decks, sheet, chance)
        while not played.settled:
            played = decks.answer(stored, sheet, chance.choice(legal(played)))
            stored = replace(stored, answers=list(played.answers))
            assert played == decks.replay(stored, sheet)
    assert decks.begun == rounds, "an answer was replayed from the deal"


def opened(decks: Decks) -> tuple[Round, Transcript]:
    """Deal a round of Casino Stud, which always asks."""
    return dealt(decks, load("casino-stud"), Random(1))


@pytest.mark.parametrize(
    "change",
    [
        {"id": "another"},
        {"game": "ultimate"},
        {"edition": 0},
        {"sheet_hash": "another"},
        {"sealed_seed": b"another"},
        {"client_seed": "another"},
        {"stakes": {"ante": 2_500}},
        {"answers": ["play"]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_run_is_found_only_by_all_that_its_events_depend_on(change: dict[str, Any]) -> None:
    decks = CountingDecks()
    stored, _ = opened(decks)
    assert decks._open_runs.take(replace(stored, **change)) is None
    assert decks._open_runs.take(stored) is not None


def test_a_run_is_taken_out_so_that_a_command_decided_again_is_replayed() -> None:
    decks, sheet = CountingDecks(), load("casino-stud")
    stored, _ = opened(decks)
    first = decks.answer(stored, sheet, "play")
    assert decks.begun == 1
    assert decks.answer(stored, sheet, "play") == first  # its group was rolled back
    assert decks.begun == 2


def test_after_a_refused_answer_the_round_is_replayed() -> None:
    decks, sheet = CountingDecks(), load("casino-stud")
    stored, _ = opened(decks)
    refused: list[Answer] = ["check", 7]
    for answer in refused:
        with pytest.raises(Refused) as found:
            decks.answer(stored, sheet, answer)
        assert (found.value.code, found.value.details["game"]) == (
            "choice/not_offered",
            "casino-stud",
        )
    assert decks.answer(stored, sheet, "fold").settled


def test_a_round_dealt_again_is_among_the_newest() -> None:
    decks = CountingDecks()
    decks._open_runs = OpenRuns(most=2)
    first, _ = opened(decks)
    other, _ = dealt(decks, load("casino-stud"), Random(2))
    opened(decks)  # the first again: its group was rolled back
    third, _ = dealt(decks, load("casino-stud"), Random(3))
    found = [decks._open_runs.take(stored) is not None for stored in (first, other, third)]
    assert found == [True, False, True]


def test_the_oldest_run_is_dropped_and_a_round_that_is_over_is_not_kept() -> None:
    decks, sheet = CountingDecks(), load("casino-stud")
    decks._open_runs = OpenRuns(most=2)
    chance = Random(2)
    rounds = [dealt(decks, sheet, chance)[0] for _ in range(3)]
    assert [decks._open_runs.take(stored) is not None for stored in rounds] == [False, True, True]
    stored, _ = dealt(decks, sheet, chance)
    decks.answer(stored, sheet, "fold")
    assert decks._open_runs._runs == {}
