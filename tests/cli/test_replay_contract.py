"""What `tapis replay` accepts and refuses, by code (DESIGN section 6, docs/replay.md).

`test_replay_stream.py` tests the stream of lines, `test_replay_games.py` what a player may see.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from games.stud import ACE_KING, TWO_PAIR, ask_stud, read_answer, refusal_of, request, stud_deck
from tapisvert.cli.replay import answer_line

DECK = stud_deck(TWO_PAIR, ACE_KING)
ROYAL_DECK = stud_deck("As Ks Qs Js Ts", "7h Ac Kc 9d 4s")
DOCUMENT = Path(__file__).parents[2] / "docs" / "replay.md"


# One line for every code the page lists.
ONE_OF_EACH: dict[str, object] = {
    "request/malformed": b"{",
    "request/unknown_game": request(game="whist"),
    "deck/invalid": request(deck=DECK[:51]),
    "stake/unknown": request(stakes={"ante": 1000, "tip": 100}),
    "stake/not_a_number": request(stakes={"ante": "1000"}),
    "stake/off_step": request(stakes={"ante": 1050}),
    "stake/under_limit": request(stakes={"ante": 50}),
    "stake/over_limit": request(stakes={"ante": 10_100}),
    "stake/needs_main": request(stakes={"bonus": 100}),
    "stake/missing": request(stakes={}),
    "choice/not_offered": request(choices=["raise"]),
    "choice/not_legal": request(deck=ROYAL_DECK, choices=["fold"]),
    "choice/too_many": request(choices=["play", "play"]),
    "sheet/unknown_key": request(sheet={"play.pays.straight-flash": "50:1"}),
    "sheet/invalid": request(sheet={"step_cents": 101}),
}


def test_every_error_code_of_the_page_occurs_and_is_documented_and_no_other() -> None:
    for code, line in ONE_OF_EACH.items():
        told = refusal_of(line)
        assert told.code == code
        assert told.message.endswith(".")
        assert "{" not in told.message
        assert code != "choice/not_legal" or "royal flush" in told.message
    documented = re.findall(r"^\| `([a-z]+/[a-z_]+)` \|", DOCUMENT.read_text(), re.MULTILINE)
    assert documented == list(ONE_OF_EACH)


WRONG_DECKS: dict[str, object] = {
    "51 cards": DECK[:51],
    "53 cards": [*DECK, "2c"],
    "no cards": [],
    "a card twice": [DECK[1], *DECK[1:]],
    "a card twice, far below what is dealt": [*DECK[:51], DECK[50]],
    "a joker too many": [*DECK, "Jk"],
    "a joker in the place of a card": [*DECK[:51], "Jk"],
    "lower case": [card.lower() for card in DECK],
    "upper case": [card.upper() for card in DECK],
    "10 for T": [card.replace("T", "10") for card in DECK],
    "spaces": [f"{card} " for card in DECK],
    "suit signs": [card.replace("s", "♠") for card in DECK],
    "numbers": list(range(52)),
    "null among them": [*DECK[:51], None],
    "a list among them": [*DECK[:51], [DECK[51]]],
    "an object among them": [*DECK[:51], {"card": DECK[51]}],
    "a text": " ".join(DECK),
    "an object": dict.fromkeys(DECK),
    "null": None,
    "a number": 52,
}


@pytest.mark.parametrize("deck", WRONG_DECKS.values(), ids=WRONG_DECKS)
@pytest.mark.parametrize("choices", [[], ["fold"]], ids=["waiting", "folded"])
def test_a_deck_that_is_not_every_card_exactly_once_is_refused(
    deck: object, choices: list[str]
) -> None:
    assert refusal_of(request(deck=deck, choices=choices)).code == "deck/invalid"


WRONG_AMOUNTS: dict[str, tuple[str, str]] = {
    "with a point": ("1000.0", "stake/not_a_number"),
    "with an exponent": ("1e3", "stake/not_a_number"),
    "a text": ('"1000"', "stake/not_a_number"),
    "true": ("true", "stake/not_a_number"),
    "false": ("false", "stake/not_a_number"),
    "null": ("null", "stake/not_a_number"),
    "a list": ("[1000]", "stake/not_a_number"),
    "an object": ('{"cents":1000}', "stake/not_a_number"),
    "zero": ("0", "stake/under_limit"),
    "minus zero": ("-0", "stake/under_limit"),
    "negative": ("-1000", "stake/under_limit"),
    "a cent below the minimum": ("99", "stake/under_limit"),
    "a cent above the maximum": ("10001", "stake/over_limit"),
    "a step above the maximum": ("10100", "stake/over_limit"),
    "huge": (str(10**40), "stake/over_limit"),
    "hugely negative": (str(-(10**40)), "stake/under_limit"),
    "2^63": (str(2**63), "stake/over_limit"),
    "2^64": (str(2**64), "stake/over_limit"),
    "off the step": ("1001", "stake/off_step"),
    "half a step off": ("150", "stake/off_step"),
}


@pytest.mark.parametrize(("written", "code"), WRONG_AMOUNTS.values(), ids=WRONG_AMOUNTS)
@pytest.mark.parametrize("bet", ["ante", "bonus"])
def test_a_stake_is_a_json_integer_within_the_limits_of_its_bet(
    bet: str, written: str, code: str
) -> None:
    stakes = {"ante": 1000, "bonus": 1000, bet: msgspec.Raw(written.encode())}
    assert refusal_of(request(stakes=stakes)).code == code


@pytest.mark.parametrize(
    ("stakes", "code"),
    [
        ({}, "stake/missing"),
        ({"bonus": 1000}, "stake/needs_main"),
        ({"ante": 1000, "play": 2000}, "stake/unknown"),
        ({"ante": 1000, "Bonus": 1000}, "stake/unknown"),
        ({"ante ": 1000}, "stake/unknown"),
        ({"": 1000}, "stake/unknown"),
        ({"ante": 1000, "main": 1000}, "stake/unknown"),
    ],
    ids=str,
)
def test_stakes_name_bets_placed_before_the_deal_and_need_an_ante(
    stakes: dict[str, int], code: str
) -> None:
    assert refusal_of(request(stakes=stakes)).code == code


def test_stakes_may_be_written_in_any_order_and_lines_keep_the_order_staked() -> None:
    stakes = {"bonus": 500, "ante": 1000}
    answer = read_answer(answer_line(msgspec.json.encode(request(stakes=stakes))))
    assert answer == ask_stud(TWO_PAIR, ACE_KING, "play", ante=1000, bonus=500)


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        (["Play"], "choice/not_offered"),
        (["PLAY"], "choice/not_offered"),
        ([" play"], "choice/not_offered"),
        (["play "], "choice/not_offered"),
        (["play\n"], "choice/not_offered"),
        ([""], "choice/not_offered"),
        (["check"], "choice/not_offered"),
        (["ante"], "choice/not_offered"),
        (["plаy"], "choice/not_offered"),  # its a is Cyrillic
        (["play", "play"], "choice/too_many"),
        (["fold", "play"], "choice/too_many"),
        (["fold", ""], "choice/too_many"),
        (["play", "nonsense"], "choice/too_many"),
    ],
    ids=str,
)
def test_choices_are_matched_exactly_and_one_too_many_refuses_the_line(
    choices: list[str], code: str
) -> None:
    assert refusal_of(request(choices=choices)).code == code


MALFORMED: dict[str, object] = {
    **{f"{key} missing": request(**{key: ...}) for key in ("game", "deck", "stakes", "choices")},
    "an unknown key": request(seed=1),
    "a known key in upper case": request(Sheet={}),
    "an empty key": request(**{"": 1}),
    "game a number": request(game=1),
    "game null": request(game=None),
    "stakes a list": request(stakes=[1000]),
    "stakes null": request(stakes=None),
    "choices null": request(choices=None),
    "choices a text": request(choices="play"),
    "choices an object": request(choices={"0": "play"}),
    "choices of numbers": request(choices=[0]),
    "choices with null": request(choices=[None]),
    "sheet a list": request(sheet=[]),
    "sheet null": request(sheet=None),
    "sheet a text": request(sheet="step_cents"),
    "cut short": msgspec.json.encode(request())[:-1],
    "two objects": msgspec.json.encode(request()) * 2,
    "a list": b"[]",
    "a text": b'"replay"',
    "a number": b"1",
    "null": b"null",
    "not JSON": b"play a round",
    "NaN": b'{"game": NaN}',
    "Infinity": b'{"stakes": {"ante": Infinity}}',
    "single quotes": b"{'game': 'casino-stud'}",
    "a trailing comma": b'{"game": "casino-stud",}',
    "a comment": b'{"game": "casino-stud"} // stud',
    "a byte order mark": b"\xef\xbb\xbf" + msgspec.json.encode(request()),
    "UTF-16": json.dumps(request()).encode("utf-16"),
    "invalid UTF-8 in a text": b'{"game": "\xff"}',
    "invalid UTF-8 in a key": b'{"\xc3": 1}',
    "half a surrogate pair": b'{"game": "\\ud800"}',
    "a NUL": b"\0",
    "nested a thousand deep": b"[" * 1000,
    "nested a hundred thousand deep": b'{"game":' * 100_000,
    "a nested choice": request(choices=[["play"]]),
}


@pytest.mark.parametrize("line", MALFORMED.values(), ids=MALFORMED)
def test_what_is_not_the_object_asked_for_is_malformed(line: object) -> None:
    assert refusal_of(line).code == "request/malformed"


@pytest.mark.parametrize("game", ["", "Casino-Stud", "casino_stud", "../casino-stud", "x" * 10_000])
def test_an_unknown_game_is_refused_in_a_short_sentence(game: str) -> None:
    told = refusal_of(request(game=game))
    assert told.code == "request/unknown_game"
    assert len(told.message) < 200


@pytest.mark.parametrize(
    "key",
    [
        "",
        "game",
        "deck",
        "spots",
        "spots.ante",
        "play.pays",
        "play.pays.",
        "play.pays.flush.0",
        "house.qualifies_with.0",
        "step",
        "STEP_CENTS",
        ".step_cents",
        "step_cents.",
        "spots.ante.main",  # which bet needs which is a rule, and no figure to change
        "spots.bonus.requires",
    ],
)
def test_sheet_takes_the_keys_of_the_data_file_and_no_other(key: str) -> None:
    assert refusal_of(request(sheet={key: 100})).code == "sheet/unknown_key"
