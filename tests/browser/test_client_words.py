"""The browser writes the same sentences as the server, and reads amounts.

`Words` of js/words.js runs in a page: with the whole catalogue of a language, which a page fetches
on the way to another table, and with the part embedded in the page of one table.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import chain, cycle, pairwise
from typing import Any, Protocol

import msgspec
import pytest
from playwright.sync_api import Browser

from browser.random_rounds import random_rounds
from browser.served import Served
from browser.tables import GAMES, Visit
from golden.golden import FOLDER, read
from tapisvert.cards import RANKS, STANDARD, text
from tapisvert.engine import AnyEvent, HandName
from tapisvert.engine import events as ev
from tapisvert.words import LANGUAGES, catalogue, hand_words, tell

pytestmark = pytest.mark.every_way

STUD = "casino-stud"
NBSP, NARROW = "\u00a0", "\u202f"
NEVER: dict[str, set[type]] = {game: {ev.Moved, ev.Claimed} for game in GAMES}  # at that table
NEVER |= {"pai-gow": {ev.Claimed}, "blackjack": set()}
both = pytest.mark.parametrize("language", LANGUAGES)

# Makes `words` of the whole language, or of what the server put in the page of a table, then runs a
# body with it and its argument. Both ways as JSON text: many times faster than value after value.
WITH_WORDS = r"""async ([text, language, table]) => {
  const base = document.querySelector('script[type=module][src]').src.replace(/js[/]app[.]js$/, '');
  const { Words } = await import(`${base}js/words.js`);
  const asked = await fetch(table ? `/table/${table}` : `/api/v1/words/${language}`);
  const found = await asked.text();
  const given = table ? /<script[^>]* id="boot"[^>]*>(.*?)<[/]script>/s.exec(found)[1] : found;
  const words = new Words(language, table ? JSON.parse(given).words : JSON.parse(given));
  const run = (given) => { %s };
  return JSON.stringify(run(JSON.parse(text)));
}"""


class Ask(Protocol):
    """Runs JavaScript and returns its result."""

    def __call__(self, language: str, body: str, given: object = None, table: str = "") -> Any: ...


@pytest.fixture(scope="module")
def visits(browser: Browser, one_house: Served) -> Iterator[dict[str, Visit]]:
    """Open a page in each language, shared by all tests here: they do not change it."""
    made = {}
    for language in LANGUAGES:
        context = browser.new_context(locale=f"{language}-CA")
        made[language] = Visit(context.new_page(), one_house.url)
        made[language].page.goto(one_house.url)
    yield made
    assert [faults for each in made.values() if (faults := each.faults())] == []
    for each in made.values():
        each.page.context.close()


@pytest.fixture
def ask(visits: dict[str, Visit]) -> Ask:
    """Run JavaScript with `words`, in the page of a language."""

    def run(language: str, body: str, given: object = None, table: str = "") -> Any:
        told = [msgspec.json.encode(given).decode(), language, table]
        return json.loads(visits[language].page.evaluate(WITH_WORDS % body, told))

    return run


# Sentences ----------------------------------------------------------------------------------------


def golden_events(game: str) -> Iterator[AnyEvent]:
    """Yield every event of every recorded round of a game."""
    for path in sorted((FOLDER / game).glob("*.json")):
        for step in read(path).steps:
            yield from step.events


def other_events() -> Iterator[AnyEvent]:
    """Yield events that rounds of Casino Stud never have."""
    yield ev.Claimed(1, "bonus", 123_456_789)
    for number, cents in enumerate((0, 1, 500, 501, 10**11)):
        yield ev.Settled(
            2, "ante", 500, cents, ev.outcome(500, cents), "tie", capped=number % 2 > 0
        )
    yield ev.Said(3, "house-not-qualified", {"needs": "A"})
    twice = tuple(ev.Option(each, "", 0, "fold/royal") for each in ("play", "fold"))
    yield ev.Asked(4, 0, "play-or-fold", None, twice)


TELL = "return given.map((event) => words.tell(event, '%s'));"


@both
@pytest.mark.parametrize("game", GAMES)
def test_every_event_is_told_in_the_browser_as_on_the_server(
    ask: Ask, language: str, game: str
) -> None:
    words = catalogue(language)
    events = list(chain(golden_events(game), *random_rounds(game, 60)))
    events += other_events() if game == STUD else ()
    never = NEVER[game] - ({ev.Claimed} if game == STUD else set())
    assert {type(event) for event in events} == {*ev.AnyEvent.__args__} - never
    for table in ("", game):  # all the words there are, and those of the page of this table
        told = ask(language, TELL % game, events, table)
        assert len(told) > 1_000
        for event, sentence in zip(events, told, strict=True):
            assert sentence == tell(words, game, event), event


def test_the_comparison_would_notice_another_sentence(ask: Ask) -> None:
    event = ev.Staked(0, "ante", 500)
    body = f"words.templates['event.staked'] += '!'; return words.tell(given, '{STUD}');"
    assert ask("en", body, event) == tell(catalogue("en"), STUD, event) + "!"


@both
def test_a_sentence_without_words_or_without_its_figure_is_an_error(
    ask: Ask, language: str
) -> None:
    body = """const told = (key, args) => { try { return words.write(key, args); }
      catch (error) { return String(error); } };
    return [told('act.dael', {}), told('bet.total', {}), told('casino-stud.about', {play: {}}),
      told('casino-stud.about', {play: {times_ante: 0}})];"""
    key, place, dotted, zero = ask(language, body)
    assert key.startswith("Error: no words for act.dael")
    assert place == "Error: no value for cents"
    assert dotted == "Error: no value for play.times_ante"
    assert " 0 " in zero


# Forms --------------------------------------------------------------------------------------------


@both
def test_money_odds_cards_and_hands_are_written_as_the_server_writes_them(
    ask: Ask, language: str
) -> None:
    words, chance = catalogue(language), random.Random(3)
    amounts = [0, 1, 9, 10, 99, 100, 999, 99_999, 100_000, 10**8, 10**12]
    amounts += [chance.randrange(10 ** chance.randint(1, 13)) for _ in range(300)]
    amounts += [-cents for cents in amounts if cents]
    cards = [None, "Jk", *map(text, STANDARD)]
    ranks = ["".join(chance.sample(RANKS, 5)) for _ in range(20)]
    ranks += ["".join(pair) for pair in pairwise(RANKS)]
    hands = [
        (game, HandName(key.removeprefix(f"{game}.hand."), each, total=21, joker=joker))
        for game in GAMES
        for key in words.templates
        if key.startswith(f"{game}.hand.")
        for each, joker in zip(ranks, cycle([None, None, "A", "Kd"]), strict=False)
    ]
    odds = [
        {"bet": "ante", "odds": each} for each in ("1:1", "3:2", "1000:1", "1:20", "1234567:1000")
    ]
    body = f"""return [given[0].map((each) => words.money(each)),
      given[1].map((each) => words.card(each)),
      given[2].map(([game, each]) => words.hand(each, game)),
      given[3].map((each) => words.write('pays.flat', each, '{STUD}'))];"""
    assert ask(language, body, [amounts, cards, hands, odds]) == [
        [words.money(cents) for cents in amounts],
        [words.card(card) for card in cards],
        [hand_words(words, game, hand) for game, hand in hands],
        [words.write("pays.flat", each, STUD) for each in odds],
    ]


FORMS: dict[str, tuple[str, str]] = {  # an expression, in French and in English; _ is unbreakable
    "percent('97.45')": ("97,45_%", "97.45%"),
    "share('1:10')": ("10_%", "10%"),
    "share('2030843:10000000')": ("20,30843_%", "20.30843%"),
    "short(100)": ("1", "1"),
    "short(250)": ("2,50", "2.50"),
    "short(500000)": ("5_000", "5,000"),
    "short(123456)": ("1_234,56", "1,234.56"),
    "signed(150)": ("+1,50_$", "+$1.50"),
    "signed(-150000)": ("−1_500,00_$", "−$1,500.00"),
    "signed(0)": ("0,00_$", "$0.00"),
    "duration(30)": ("1 minute", "1 minute"),
    "duration(120)": ("2 minutes", "2 minutes"),
    "duration(3600)": ("1 heure", "1 hour"),
    "duration(86399)": ("23 heures", "23 hours"),
    "duration(86400)": ("24 heures", "24 hours"),  # as the sheet says it (bj.15)
    "duration(172800)": ("2 jours", "2 days"),
    "duration(2592000)": ("30 jours", "30 days"),
    "duration(-5)": ("1 minute", "1 minute"),
    "odds('3:2')": ("3_:_2", "3:2"),
    "odds('8000:1')": ("8_000_:_1", "8,000:1"),
    "card('Qs')": ("dame de pique", "queen of spades"),
    "write('casino-stud.felt', {house: {qualifies_with: ['A', 'K', 'Q']}})": (
        "La maison se qualifie avec as, roi, dame ou mieux",
        "House qualifies with ace-king-queen or better",
    ),
}


@both
def test_each_form_is_written_the_way_of_its_language(ask: Ask, language: str) -> None:
    place = LANGUAGES.index(language)
    expected = {each: forms[place].replace("_", NBSP) for each, forms in FORMS.items()}
    body = f"return {{{', '.join(f'{each!r}: words.{each}' for each in FORMS)}}};"
    assert ask(language, body) == expected


# Reading an amount --------------------------------------------------------------------------------

READS: dict[str, dict[str, int]] = {
    "fr": {
        "1 000,50": 100_050,
        f"1{NBSP}000,50{NBSP}$": 100_050,
        f"1{NARROW}000,50{NARROW}$": 100_050,
        f"1{NBSP}234{NBSP}567,89{NBSP}$": 123_456_789,
        "12,5": 1_250,
        "12,50$": 1_250,
        "12.5": 1_250,
        "0,05": 5,
    },
    "en": {
        "1,000.50": 100_050,
        "$1,000.50": 100_050,
        "1,234,567.89": 123_456_789,
        "1,000": 100_000,
        "1 000.50": 100_050,
        "12.5": 1_250,
        "$ 12.50": 1_250,
        "0.05": 5,
    },
}
SAME = {"12": 1_200, " 7 ": 700, "1000": 100_000, "0": 0, "12.50": 1_250}
NO_AMOUNTS = ("", " ", "$", "abc", "-5", "−5", "+5", "1.2.3", "1e3", "0x10", "12 dollars",
              "Infinity", "NaN", "1/2", "1.234", "12.", "٣", "1234567890123",
              "1$2", "1,2,3", "10,00,0", "1 2 3,4 5")  # fmt: skip
# Written the other language's way: to be read as meant or not at all, never as something else.
FOREIGN: dict[str, dict[str, int]] = {
    "fr": {"1,000.50": 100_050, "$1,000": 100_000},
    "en": {"12,5": 1_250, "12,50": 1_250, "1,00": 100, "1 000,50": 100_050, "0,05": 5},
}


def amounts(ask: Ask, language: str, written: list[str]) -> dict[str, int | None]:
    """Return the amount the browser parses from each text."""
    read = ask(language, "return given.map((each) => words.cents(each));", written)
    return dict(zip(written, read, strict=True))


@both
def test_an_amount_is_read_as_people_write_it(ask: Ask, language: str) -> None:
    expected = READS[language] | SAME
    assert amounts(ask, language, list(expected)) == expected


@both
def test_what_is_no_amount_is_not_read(ask: Ask, language: str) -> None:
    assert amounts(ask, language, list(NO_AMOUNTS)) == dict.fromkeys(NO_AMOUNTS)


@both
def test_an_amount_written_the_other_way_is_never_read_as_another_amount(
    ask: Ask, language: str
) -> None:
    read = amounts(ask, language, list(FOREIGN[language]))
    wrong = {each: cents for each, cents in read.items() if cents is not None}
    assert wrong == {each: FOREIGN[language][each] for each in wrong}


@both
def test_every_amount_the_table_writes_can_be_read_back(ask: Ask, language: str) -> None:
    body = """let seed = 7, wrong = [], count = 0;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let n = 0; n < 20000; n += 1) {
      const cents = n < 2000 ? n : Math.floor(10 ** (random() * 11));
      for (const form of ['money', 'short']) {
        count += 1;
        if (words.cents(words[form](cents)) !== cents) wrong.push([form, cents]);
      }
    }
    return { count, wrong: wrong.slice(0, 5) };"""
    assert ask(language, body) == {"count": 40_000, "wrong": []}
