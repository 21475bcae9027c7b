"""Sound: off by default, offered once, and no win sound for a loss.

The page gets a silent AudioContext that counts: a tone is a `ping`, a burst of noise a `rustle`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Visiting
from browser.served import Served
from browser.tables import Player, Visit
from houses import HOUSE_WINS, PLAYER_WINS
from tapisvert.words import catalogue
from tiers import long

TIE = "Ah Kd 9c 5s 3d Ac Ks 9h 5d 3c"
CHORD = 4  # tones of a win
STUB = """() => {
  window.heard = [];
  const node = () => new Proxy(function () {}, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => 0 : name === 'length' ? 0
      : name === 'connect' ? (to) => to : node()),
    set: () => true, apply: () => node(),
  });
  const source = (kind) => Object.assign(Object.create(null), {
    connect: (to) => to, stop() {}, frequency: {}, start: () => { window.heard.push(kind); } });
  window.AudioContext = class {
    constructor() { window.heard.push('context'); this.state = 'running'; this.sampleRate = 100;
      this.currentTime = 0; this.destination = node(); }
    createGain() { return node(); }
    createBiquadFilter() { return node(); }
    createBuffer(_, length) { return { getChannelData: () => new Float32Array(length) }; }
    createBufferSource() { return source('rustle'); }
    createOscillator() { return source('ping'); }
  };
}"""

# Waits until the page can make sounds.
HERE = """() => import(document.querySelector('script[type=module][src]').src
  .replace('app.js', 'store.js')).then((store) => new Promise((here) => {
    store.sound.subscribe((sound) => { if (sound !== null) here(true); });
  }))"""


def listening(visit: Visiting, url: str, width: int = 1280) -> Visit:
    """Open a table with the counting AudioContext."""
    made = visit("about:blank", width=width, height=740)
    made.page.context.add_init_script(f"({STUB})()")
    made.url = url
    made.page.goto(url)
    return made


def heard(page: Page) -> Counter[str]:
    """Return the sounds since the last call, by kind."""
    return Counter(page.evaluate("window.heard.splice(0)"))


def asks_for_sound(made: Visit) -> bool:
    """Return whether the sound module was fetched."""
    return any(url.endswith("/js/sound.js") for url in made.requests)


def say_yes(page: Page) -> None:
    """Accept sound, and wait until it is loaded."""
    with page.expect_response("**/js/sound.js"):
        page.locator(".ask button").last.click()
    page.evaluate(HERE)


@long
@pytest.mark.parametrize("width", [1280, 360])
def test_sound_is_off_is_asked_about_once_and_no_is_the_answer_of_who_goes_on(
    house: Served, visit: Visiting, width: int
) -> None:
    made = listening(visit, house.table(PLAYER_WINS), width)
    player, ask = Player(made.page), made.page.locator(".ask")
    expect(ask).to_contain_text("Activer le son ?")
    assert [each.strip() for each in ask.locator("button").all_text_contents()] == ["Non", "Oui"]
    assert made.page.locator("dialog").count() == 0  # nothing stands before the table
    player.bet({"ante": 5_00})
    expect(ask).to_have_count(0)
    player.deal()
    player.choose(0)
    made.page.reload()
    player.wait("settled")
    player.press(".acts [aria-keyshortcuts=X]")
    player.wait("bet")
    expect(ask).to_have_count(0)
    assert heard(made.page) == Counter()
    assert not asks_for_sound(made)


@long
def test_yes_brings_chips_cards_and_turns_and_stays_for_the_next_visit(
    house: Served, visit: Visiting
) -> None:
    made = listening(visit, house.table(PLAYER_WINS))
    page, player = made.page, Player(made.page)
    assert not asks_for_sound(made)
    say_yes(page)
    expect(page.locator(".ask")).to_have_count(0)
    player.bet({"ante": 5_00})
    assert heard(page) == Counter(context=1, ping=2)
    player.deal()
    assert heard(page)["rustle"] == 7  # of ten cards: more would only be noise
    player.choose(0)
    assert heard(page) == Counter(rustle=5, ping=CHORD)  # the house's five, and a win
    page.reload()
    player.wait("settled")
    page.evaluate(HERE)
    player.press(".acts [aria-keyshortcuts=R]")
    player.wait("bet")
    assert heard(page)["ping"] == 2
    assert page.locator("header [aria-pressed=true]").count() == 1


@pytest.mark.parametrize(
    ("deck", "stakes", "tones"),
    [
        pytest.param(PLAYER_WINS, {"ante": 10_00, "bonus": 5_00}, CHORD, marks=long),
        # The ante and play win 30.00, the bonus loses 100.00: money comes back, and it is a loss.
        (PLAYER_WINS, {"ante": 10_00, "bonus": 100_00}, 0),
        pytest.param(HOUSE_WINS, {"ante": 10_00}, 0, marks=long),
        pytest.param(TIE, {"ante": 10_00}, 0, marks=long),
    ],
    ids=["win", "loss with money back", "loss", "even"],
)
def test_only_more_than_was_staked_sounds_like_a_win(
    house: Served, visit: Visiting, deck: str, stakes: dict[str, int], tones: int
) -> None:
    page = listening(visit, house.table(deck)).page
    player = Player(page)
    say_yes(page)
    player.bet(stakes)
    player.deal()
    heard(page)
    player.choose(0)
    assert heard(page)["ping"] == tones


@long
def test_M_the_header_and_the_menu_turn_it_on_and_off(house: Served, visit: Visiting) -> None:
    page = listening(visit, house.table(PLAYER_WINS)).page
    player, words = Player(page), catalogue("fr")
    toggle = page.locator("header nav [aria-pressed]")

    def twice(press: Callable[[], None]) -> None:
        for key, pressed in (("sound.on", "true"), ("sound.off", "false")):
            press()
            expect(toggle).to_have_attribute("aria-pressed", pressed)
            expect(page.locator("#polite")).to_have_text(words.write(key))

    twice(lambda: page.keyboard.press("M"))
    twice(toggle.click)
    player.press("header nav .ico >> nth=-1")
    twice(page.locator("dialog .menu [aria-pressed]").click)
