"""The pure modules of the client, run in its page: bets.js and scene.js.

The server accepts every bet that bets.js allows, and the server's view equals that of scene.js.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from browser.random_rounds import random_rounds
from browser.served import Served
from browser.tables import GAMES, Visit
from tapisvert.cards import STANDARD
from tapisvert.engine import AnyEvent, HandName, Option, Table
from tapisvert.engine import events as ev
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.engine.stakes import check_stakes
from tapisvert.engine.view import hands
from tapisvert.refusal import Refused
from tapisvert.rounds.game_catalogue import spots
from tapisvert.sheets import load

STUD = "casino-stud"
Run = Callable[[str, object], Any]
MODULES = """async (text) => {
  const base = document.querySelector('script[type=module][src]').src.replace(/js[/]app[.]js$/, '');
  const { place, remove, double, repeat, chips, ready } = await import(`${base}js/bets.js`);
  const { fold, beats } = await import(`${base}js/scene.js`);
  return JSON.stringify(((given) => { BODY })(JSON.parse(text)));
}"""


@pytest.fixture(scope="module")
def run(browser: Browser, one_house: Served) -> Iterator[Run]:
    """Run JavaScript with a module, in one page for all tests: they do not change it."""
    made = Visit(browser.new_context().new_page(), one_house.url)
    made.page.goto(one_house.url)
    yield lambda body, given: json.loads(
        made.page.evaluate(MODULES.replace("BODY", body), msgspec.json.encode(given).decode())
    )
    assert made.faults() == {}
    made.page.context.close()


# Chips --------------------------------------------------------------------------------------------


def table(game: str, step: int, *limits: int) -> Sheet:
    """Return the sheet of a game with this step and these limits of its spots, in order."""
    spots = load(game).spots
    names = [f"spots.{spot}.{end}_cents" for spot in spots for end in ("min", "max")]
    return with_changes(load(game), {"step_cents": step, **dict(zip(names, limits, strict=True))})


SHIPPED = load(STUD)
SHEETS = {
    "stud": SHIPPED,
    "by 2.50": table(STUD, 250, 250, 7_500, 250, 7_500),
    "by 10": table(STUD, 1_000, 1_000, 500_000, 1_000, 500_000),
    "limits off the step": table(STUD, 200, 300, 4_999, 100, 10_000),
    "one price": table(STUD, 100, 100, 10_000, 500, 500),
    "high minimum": table(STUD, 100, 5_000, 10_000, 100, 1_000),
    "equals": table("ultimate", 100, 500, 10_000, 500, 10_000, 100, 5_000),
    "equals, unlike limits": table("ultimate", 100, 100, 10_000, 500, 8_000, 100, 5_000),
    "two hands": load("blackjack"),
    "two hands, by 5": table("blackjack", 500, 500, 20_000, 1_000, 20_000, 500, 500),
    **{game: load(game) for game in ("pai-gow", "high-card-flush", "ultimate")},
}
CASES = """ layout | bets | act (spots are s) | bets after | notice
stud | | place(s, b, 'ante', 500, 9e4) | ante: 500 |
stud | ante: 500 | place(s, b, 'ante', 100, 9e4) | ante: 600 |
stud | ante: 9000 | place(s, b, 'ante', 2500, 9e4) | ante: 10000 | bet.limit
stud | ante: 10000 | place(s, b, 'ante', 100, 9e4) | ante: 10000 | bet.limit
stud | | place(s, b, 'bonus', 100, 9e4) | | bet.needs
stud | ante: 500 | place(s, b, 'ante', 100, 599) | ante: 500 | bet.no-funds
stud | ante: 500 | place(s, b, 'ante', 100, 600) | ante: 600 |
equals | | place(s, b, 'ante', 100, 9e4) | ante: 500, blind: 500 | bet.least
equals | | place(s, b, 'blind', 500, 9e4) | ante: 500, blind: 500 |
equals | | place(s, b, 'blind', 500, 999) | | bet.no-funds
two hands | h1: 100 | place(s, b, 'royal', 100, 9e4) | h1: 100 | bet.needs
two hands | h1: 100, h2: 200 | place(s, b, 'royal', 500, 9e4) | h1: 100, h2: 200, royal: 100 |
two hands | h1: 100, h2: 200 | place(s, b, 'royal', 500, 399) | h1: 100, h2: 200 | bet.no-funds
two hands | h1: 1, h2: 1, royal: 100 | place(s, b, 'royal', 1, 9e4) | h1: 1, h2: 1, royal: 100 | \
bet.limit
one price | ante: 500 | place(s, b, 'bonus', 100, 9e4) | ante: 500, bonus: 500 |
equals | ante: 900, blind: 900 | remove(s, b, 'blind', 100) | ante: 800, blind: 800 |
equals | ante: 900, blind: 900, trips: 100 | remove(s, b, 'blind', 500) | |
stud | ante: 500, bonus: 300 | remove(s, b, 'bonus', 100) | ante: 500, bonus: 200 |
stud | ante: 500, bonus: 300 | remove(s, b, 'ante', 500) | |
stud | | remove(s, b, 'bonus', 100) | |
two hands | h1: 100, h2: 100, royal: 100 | remove(s, b, h2, 100) | h1: 100 |
stud | ante: 500, bonus: 100 | double(s, b, 1200) | ante: 1000, bonus: 200 |
stud | ante: 500 | double(s, b, 999) | ante: 500 | bet.no-funds
stud | ante: 500, bonus: 6000 | double(s, b, 9e4) | ante: 500, bonus: 6000 | bet.double-limit
two hands | h1: 100, h2: 300, royal: 100 | double(s, b, 9e4) | h1: 200, h2: 600, royal: 100 |
stud | ante: 500, bonus: 100 | repeat(s, b, 600) | ante: 500, bonus: 100 |
stud | ante: 500, bonus: 100 | repeat(s, b, 599) | | bet.no-funds
stud | ante: 500, bonus: 150, more: 1 | repeat(s, b, 9e4) | ante: 500 |
stud | ante: 50000, bonus: 100 | repeat(s, b, 9e4) | |"""


def test_each_act_on_the_chips_brings_what_it_should(run: Run) -> None:
    written = re.sub(r"\bh(\d)", r"'hand-\1'", CASES)
    cases = [[part.strip() for part in line.split("|")] for line in written.splitlines()[1:]]
    for layout, bets, act, after, notice in cases:
        body = f"""const [s, b] = [given, {{{bets}}}], {{ bets, notice }} = {act};
        return [bets, notice?.key ?? ''];"""
        expected = {bet: int(cents) for bet, cents in re.findall(r"([\w-]+)'?: (\d+)", after)}
        assert run(body, spots(SHEETS[layout])) == [expected, notice], (bets, act)


WALK = """const { spots, funds, old } = given;
const any = (list) => list[Math.floor(random() * list.length)];
let seed = given.seed, bets = {}, states = [], wrong = [];
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
for (let turn = 0; turn < 400; turn += 1) {
  const id = any(spots).id, step = Math.max(...spots.map((spot) => spot.step));
  const chip = random() < .7 ? any(chips(spots)) : step * (1 + Math.floor(random() * 60));
  const before = JSON.stringify(bets), act = any(['place', 'place', 'remove', 'double', 'repeat']);
  const change = act === 'place' ? place(spots, bets, id, chip, funds)
    : act === 'remove' ? remove(spots, bets, id, chip)
      : act === 'double' ? double(spots, bets, funds) : repeat(spots, any(old), funds);
  if (JSON.stringify(bets) !== before) wrong.push(`${act} changed what it was given: ${before}`);
  bets = change.bets;
  states.push([`${act} ${id} ${chip} on ${before}`, bets, ready(spots, bets)]);
}
return { states, wrong };"""


def refusal(sheet: Sheet, bets: Mapping[str, int]) -> str | None:
    """Return the code with which the server refuses these stakes; None if it accepts them."""
    try:
        check_stakes(sheet, bets)
    except Refused as refused:
        return refused.code
    return None


@pytest.mark.parametrize("name", SHEETS)
def test_no_act_on_the_chips_leaves_what_the_server_would_refuse(run: Run, name: str) -> None:
    sheet, refused, states, sound, chance = SHEETS[name], set(), 0, True, random.Random(name)
    for seed in range(1, 9):
        funds = chance.choice([400, 1_000, 3_300, 100_000, 10**8])
        # What was staked last may be from a time when the table had other limits.
        worth = [chance.choice([100, 150, 250, 500, 1_000, 7_500, 9_000]) for _ in range(40)]
        old = [
            {bet: one if how.main or how.equals else two for bet, how in sheet.layout.items()}
            for one, two in pairwise(worth)
        ]
        given = {"spots": spots(sheet), "funds": funds, "old": [{}, *old], "seed": seed * 7_919}
        walked = run(WALK, given)
        assert walked["wrong"] == []
        for told, bets, ready in walked["states"]:
            states += bool(bets)
            assert sum(bets.values()) <= funds, told
            was_sound, sound = sound, refusal(sheet, bets) == (None if ready else "stake/missing")
            if was_sound and not (sound and ready is bool(bets)):
                refused.add(f"{told} -> {bets}")
    assert states > 300
    assert sorted(refused)[:5] == []


@pytest.mark.parametrize("name", SHEETS)
def test_chips_are_few_distinct_playable_and_reach_the_smallest_bet(run: Run, name: str) -> None:
    offered = run("return chips(given);", layout := spots(SHEETS[name]))
    assert 1 <= len(offered) <= 5
    assert offered == sorted(set(offered))
    assert all(chip % layout[0].step == 0 for chip in offered)
    assert offered[-1] <= max(spot.max for spot in layout)
    # A chip below the minimum is raised to it; with only larger ones the minimum is out of reach.
    assert offered[0] <= min(spot.min for spot in layout if spot.main)


# What lies on the table ---------------------------------------------------------------------------


def some_rounds(count: int) -> Iterator[Sequence[AnyEvent]]:
    return chain.from_iterable(random_rounds(game, count) for game in GAMES)


def made_up_round(seed: int) -> Sequence[AnyEvent]:
    """Return a round with every kind of event: a set hand, a split, a raise, a share of a pot."""
    table = Table(SHIPPED, random.Random(seed).sample(STANDARD, 52), {"ante": 500, "bonus": 100})
    seven, house = table.deal("player", 7), table.deal("house", 7, up=2)
    table.move([seven[5], seven[1]], "player", "player-low")
    table.move(seven, "player", "player-high")  # all of it: the zone is empty afterwards
    table.name("player-low", HandName("pair", "K"))
    next(table.ask("play-or-fold", Option("play", "play", 1_000), hand="ante"))
    table.events.append(ev.Chose(len(table.events), 0, "ante", "play"))
    table._stake("play", 1_000)
    table._stake("play", 500)
    table.reveal("house")
    table.move(house[2:4], "house", "house-low")
    table.deal("player", 1, up=0)
    table.deal("player", 1)
    table.events.append(ev.Claimed(len(table.events), "bonus", 7_000))
    table.say("house-not-qualified", needs="AK")
    for bet in table.stakes:
        table.push(bet, "tie")
    table.end()
    return table.events


def expected(events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the server's view after these events."""
    bets: dict[str, int] = {}
    for event in events:
        if isinstance(event, ev.Staked):
            bets[event.bet] = bets.get(event.bet, 0) + event.cents
    asked = [event for event in events if isinstance(event, ev.Asked | ev.Chose)]
    return {
        "hands": {zone: list(cards) for zone, cards in hands(events).items()},
        "bets": bets,
        "names": {each.zone: each.hand.category for each in events if isinstance(each, ev.Named)},
        "settled": [event.bet for event in events if isinstance(event, ev.Settled)],
        "asked": asked[-1].n if asked and isinstance(asked[-1], ev.Asked) else None,
    }


PREFIXES = """return given.map((events) => [...events, null].map((_, end) => {
  const { zones, bets, names, settled, ask } = fold(events.slice(0, end));
  const lying = Object.entries(zones).filter(([, all]) => all.length);
  return [{
    hands: Object.fromEntries(lying.map(([id, all]) => [id, all.map(({ card }) => card ?? '??')])),
    names: Object.fromEntries(Object.entries(names).map(([id, hand]) => [id, hand.category])),
    bets, settled: Object.keys(settled), asked: ask?.n ?? null,
  }, lying.flatMap(([, all]) => all.map(({ key, card, turned }) => [key, card, turned]))];
}));"""


def test_what_lies_on_the_table_is_what_the_server_shows_after_every_event(run: Run) -> None:
    rounds = [*some_rounds(60), *map(made_up_round, range(12))]
    assert {type(event) for events in rounds for event in events} == set(ev.AnyEvent.__args__)
    for events, shown in zip(rounds, run(PREFIXES, rounds), strict=True):
        known: dict[str, str | None] = {}
        for end, (seen, places) in enumerate(shown):
            assert seen == expected(events[:end]), events[:end]
            keys = [key for key, _, _ in places]
            assert len(set(keys)) == len(keys)
            assert set(known) <= set(keys)  # a card keeps its key wherever it goes ...
            for key, card, turned in places:
                assert known.get(key) in (None, card)  # ... and its face
                assert not (turned and card is None)
            known = {key: card or known.get(key) for key, card, _ in places}


def test_the_beats_of_a_round_cover_its_events_in_order_from_wherever_they_start(run: Run) -> None:
    rounds = [*some_rounds(30), *map(made_up_round, range(3))]
    body = "return given.map((all) => [...all, null].map((_, start) => beats(all, start)));"
    for events, from_start in zip(rounds, run(body, rounds), strict=True):
        for start, beats in enumerate(from_start):
            ends = [start, *(beat["end"] for beat in beats)]
            assert ends == sorted(set(ends)), events
            assert ends[-1] == len(events)
            for first, last in pairwise(ends):  # no cards are dealt and turned in one beat
                assert not {ev.Dealt, ev.Revealed} <= {type(each) for each in events[first:last]}
