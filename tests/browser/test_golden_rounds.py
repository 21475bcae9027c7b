"""The golden rounds played in the browser: every branch of every game.

Each recording is played once; language, screen and input device rotate. `make test` plays a sample,
`make browser-all` all of them. The live region after every step is compared with the recorded
sentences, the ledger with the recorded lines.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.asking import FELT, LOOK
from browser.conftest import Sit
from browser.seats import Seat
from browser.tables import GAMES, plain
from browser.turns import ALL, first_of
from browser.ways import WAYS, Way, rotating
from golden.golden import Golden, Step, sheet_of
from golden.recordings import of_today

GRANT = 1_000_00
SAMPLE = 2  # of each game


def recorded(game: str) -> list[str]:
    """Return the rounds of a game that a guest can play: those with the demonstration pot."""
    names = []
    for name, golden in of_today(game).items():
        sheet = sheet_of(golden)
        if golden.pot_cents == sheet.demonstration_pot_cents or "royal" not in golden.stakes:
            names.append(name)
    longest = sorted(names, key=lambda name: (-len(of_today(game)[name].steps), name))
    return names if ALL else longest[:: max(1, len(longest) // SAMPLE)][:SAMPLE]


PLAYED = rotating([(game, name) for game in GAMES for name in recorded(game)])


@pytest.mark.parametrize(
    ("game", "name", "way"),
    first_of([(game, name, way) for (game, name), way in PLAYED]),
    ids=[f"{game}-{name}-{way.name}" for (game, name), way in PLAYED],
)
def test_a_recorded_round_is_seen_heard_and_paid_as_it_was_recorded(
    sit: Sit, game: str, name: str, way: Way
) -> None:
    golden, (language, width, keys) = of_today(game)[name], way
    seat = sit(golden.deck, game, language, width, keys=keys, sheet=sheet_of(golden))
    page = seat.page
    seat.lay(golden.stakes)
    for place, step in enumerate(golden.steps):
        then = "decide" if step.view.ask else "settled"
        if place == 0:
            seat.deal(then)
        else:
            seat.answer(golden.choices[place - 1], then)
        hear(seat, step, way)
        assert [*page.evaluate(LOOK, True), *page.evaluate(FELT)] == []
    check_end(seat, golden)


def hear(seat: Seat, step: Step, way: Way) -> None:
    """Compare the live region with the recording: the result of a finished round comes first.

    Placed chips are not announced.
    """
    said = [
        (type(event).__name__, text)
        for event, text in zip(step.events, step.told[way.language], strict=True)
        if type(event).__name__ != "Staked"
    ]
    if said[-1][0] == "Ended":
        said.sort(key=lambda each: each[0] not in {"Said", "Claimed", "Settled", "Ended"})
    expect(seat.page.locator("#polite")).to_have_text(plain(" ".join(text for _, text in said)))


def check_end(seat: Seat, golden: Golden) -> None:
    """Compare the payments with the recording."""
    lines = golden.steps[-1].view.lines
    net = {line.bet: line.returned_cents - line.staked_cents for line in lines}
    assert seat.ledger() == seat.lines(net)
    assert seat.wallet()["balance_cents"] == GRANT + sum(net.values())


def test_together_the_recordings_are_played_in_every_way() -> None:
    assert {way for _, way in PLAYED} == set(WAYS)
