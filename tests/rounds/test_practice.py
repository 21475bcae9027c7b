"""Practice: a player's past questions and answers, and questions from discarded decks."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from houses import KEY, ROYAL, counting_entropy, deck_of, make_house
from rounds.guest_seat import Seated, read, refusal_of
from rounds.house_with_operator import TABLES, finished, open_tables, opened, played
from tapisvert.cards import STANDARD
from tapisvert.dealing import Deal
from tapisvert.engine.sheet_file import with_changes
from tapisvert.engine.stakes import check_stakes
from tapisvert.games.registry import SHIPPED, current
from tapisvert.history import practice
from tapisvert.history.practice import Answered, PracticePosition
from tapisvert.refusal import Refused
from tapisvert.rounds import Dealer
from tapisvert.sealing import Sealer
from tapisvert.sheets import load

DEAL = Deal("casino-stud", "ab" * 32, "practice", "")


def answered(guest: Seated, round_id: str) -> list[Answered]:
    return guest.ask(lambda desk: practice.answered(desk, round_id))


def dealt(guest: Seated, game: str, chance: Random) -> list[PracticePosition]:
    return guest.ask(lambda desk: list(practice.dealt(desk, game, chance.choice)))


@pytest.mark.parametrize("game", TABLES)
def test_every_question_of_a_round_comes_with_what_was_said(tmp_path: Path, game: str) -> None:
    guest = Seated(open_tables(tmp_path / "tapis.db"))
    round_id = opened(guest, game)
    first = read(guest.shown(round_id)).round
    finished(guest, game, round_id)
    found = answered(guest, round_id)
    assert tuple(choice for _, choice, _ in found) == TABLES[game].choices
    waiting = found[0].waiting
    assert first.ask is not None
    assert waiting.ask.key == first.ask.key
    assert waiting.hands == first.hands  # what lay open then, and no more
    assert dict(waiting.stakes) == TABLES[game].stakes


def test_what_the_bank_said_is_no_answer_of_the_players(tmp_path: Path) -> None:
    """A straight flush of both hands and the up card claims its share before any question."""
    guest = Seated(make_house(tmp_path / "tapis.db", "As 2s 3s 4s 5s Tc"))
    stakes = {"hand-1": 1000, "hand-2": 1000, "royal": 100}
    round_id = read(guest.open(guest.asking(stakes, "blackjack"))).round.id
    for step in range(2):
        guest.choose(round_id, "stand", step)
    found = answered(guest, round_id)
    assert [choice for _, choice, _ in found] == ["stand", "stand"]
    assert [waiting.ask.hand for waiting, _, _ in found] == ["hand-1", "hand-2"]


def test_only_the_players_own_finished_rounds_of_the_game_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = open_tables(tmp_path / "tapis.db")
    guest, other = Seated(house), Seated(house)
    ids = [played(guest, "casino-stud") for _ in range(3)]
    played(guest, "pai-gow")
    played(other, "casino-stud")
    opened(guest, "casino-stud")
    assert guest.ask(lambda desk: practice.finished(desk, "casino-stud")) == ids[::-1]
    monkeypatch.setattr(practice, "newest", lambda tx, who, most, of: [(f"{most} of {of}",)])
    found = guest.ask(lambda desk: practice.finished(desk, "pai-gow"))
    assert found == ["100 of pai-gow"]  # docs/http.md
    wrong = refusal_of(lambda: guest.ask(lambda desk: practice.finished(desk, "roulette")))
    assert wrong.code == "request/unknown_game"


@pytest.mark.parametrize("game", SHIPPED)
def test_a_dealt_question_leaves_a_choice(tmp_path: Path, game: str) -> None:
    house = make_house(tmp_path / "tapis.db", entropy=counting_entropy())
    guest, chance = Seated(house), Random(game)
    found = [position for _ in range(20) for position in dealt(guest, game, chance)]
    assert len(found) >= 15
    for waiting, events, _ in found:
        assert events[-1].__class__.__name__ == "Asked"
        assert sum(option.legal for option in waiting.ask.options) > 1


def test_where_there_is_nothing_to_choose_nothing_is_asked(tmp_path: Path) -> None:
    guest = Seated(make_house(tmp_path / "tapis.db", ROYAL))  # a royal flush cannot be folded
    assert dealt(guest, "casino-stud", Random(1)) == []


def test_answers_that_end_the_round_lead_to_no_question() -> None:
    sheet, by = load("casino-stud"), current("casino-stud")
    laid = practice.Laid(deck_of(ROYAL), {"ante": 1000}, ())
    assert practice.position(sheet, by, laid).laid == laid
    ended = laid._replace(answers=("play",))
    refused = refusal_of(lambda: practice.position(sheet, by, ended))
    assert (refused.code, refused.details) == ("choice/too_many", {"choice": ""})


@pytest.mark.parametrize("game", SHIPPED)
def test_the_smallest_stakes_are_stakes_a_table_takes(game: str) -> None:
    sheet = load(game)
    main = next(spot for spot, place in sheet.layout.items() if place.main)
    for least in (100, 250):
        changed = with_changes(sheet, {f"spots.{main}.min_cents": least})
        stakes = practice.smallest_stakes(changed)
        assert set(stakes.values()) == {-(-least // 100) * 100}
        assert check_stakes(changed, stakes) == stakes


def test_a_practice_deck_is_a_whole_deck_and_another_every_time() -> None:
    dealer = Dealer(Sealer(KEY))
    decks = [tuple(dealer.practice_deck(DEAL, STANDARD)) for _ in range(20)]
    assert len(set(decks)) == 20
    assert all(sorted(deck) == list(STANDARD) for deck in decks)


def test_R10_a_dealer_out_of_play_does_not_deal_for_practice_either() -> None:
    dealer = Dealer(Sealer(KEY), bytes)  # zeroes
    with pytest.raises(Refused, match="dealing/unavailable"):
        dealer.practice_deck(DEAL, STANDARD)
    assert dealer.working  # a query does not stop the dealer
    assert refusal_of(dealer.seed).code == "dealing/unavailable"
    dealer._entropy = lambda size: bytes(range(size))
    with pytest.raises(Refused, match="dealing/unavailable"):
        dealer.practice_deck(DEAL, STANDARD)
