"""Keyboard and live region: focus, Space, shortcuts, read-outs; chips by button and by key."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.addresses import expect_address
from browser.conftest import Sit, Visiting
from browser.served import Served
from browser.tables import GAMES, Language, Player, choose_setting, plain
from houses import PLAYER_WINS
from tiers import long

STAKES = {"ante": 10_00, "bonus": 5_00}
EVERYWHERE = {"I", "F", "G", "L", "M", "?"}


def phase(page: Page, wait_ms: int = 0) -> str | None:
    page.wait_for_timeout(wait_ms)
    return page.locator("main").get_attribute("data-phase")


def shortcuts(page: Page) -> set[str]:
    shown = page.locator("[aria-keyshortcuts]").all()
    return {each.get_attribute("aria-keyshortcuts") or "" for each in shown}


def spoken(page: Page, key: str, region: str = "polite") -> str:
    """Press a key; return the text announced."""
    page.evaluate(f"() => {{ document.getElementById('{region}').textContent = '' }}")
    page.keyboard.press(key)
    page.wait_for_selector(f"#{region}:not(:empty)", state="attached")
    return plain(page.locator(f"#{region}").text_content() or "")


def test_space_deals_but_never_decides_until_the_player_goes_to_a_button(sit: Sit) -> None:
    player = sit(PLAYER_WINS, keys=True)
    page = player.page
    player.bet(STAKES)
    player.go_to(".acts .primary")
    for _ in range(8):
        page.keyboard.press(" ", delay=60)
        page.wait_for_timeout(60)
    player.wait("decide")
    page.keyboard.press(" ")
    assert (phase(page, 100), player.wallet()["held_cents"]) == ("decide", 15_00)
    expect(page.locator(".acts .option").first).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press(" ")
    player.wait("settled")
    assert page.locator(".ledger tr.won").count() == 2  # it was Play
    page.wait_for_selector(".acts .primary:focus")


@long
@pytest.mark.parametrize("where", ["on a spot", "after the round"])
def test_space_presses_the_gold_button(sit: Sit, where: str) -> None:
    player = sit(PLAYER_WINS)
    page = player.page
    player.bet(STAKES)
    if where == "on a spot":  # where the pointer has left the focus
        page.keyboard.press(" ")
        player.wait("decide")
        assert player.figures()["Mise totale"] == "15,00 $"
        return
    player.deal()
    player.choose(0)
    page.keyboard.press(" ")
    player.wait("bet")
    assert player.chips() == {"ante": "10", "bonus": "5"}


@long
def test_space_presses_the_gold_button_of_a_panel(house: Served, visit: Visiting) -> None:
    page = visit(house.table()).page
    Player(page).press(".chip.other")
    page.fill("[name=amount]", "12")
    page.keyboard.press("Tab")
    page.keyboard.press(" ")
    page.wait_for_selector("dialog", state="detached")


@long
@pytest.mark.parametrize("key", ["Enter", " "])
def test_a_key_held_down_on_deal_does_not_decide(sit: Sit, key: str) -> None:
    player = sit(PLAYER_WINS, keys=True)
    page = player.page
    player.bet(STAKES)
    player.go_to(".acts .primary")
    for _ in range(20):  # the keyboard repeats
        page.keyboard.down(key)
        page.wait_for_timeout(40)
    player.wait("decide")
    page.keyboard.down(key)  # still held, now that a decision would be taken
    page.keyboard.up(key)
    assert phase(page, 100) == "decide"


@pytest.mark.parametrize("language", ["fr", "en"])
def test_no_key_decides_and_bets_and_every_key_is_listed(sit: Sit, language: Language) -> None:
    player = sit(PLAYER_WINS, language=language)
    page = player.page
    player.bet(STAKES)
    betting = shortcuts(page)
    player.deal()
    deciding = shortcuts(page)
    player.choose(0)
    betting |= shortcuts(page)
    assert {"Space", *"ZXBR1234"} <= betting
    assert deciding == {"J" if language == "fr" else "P", "D"}
    assert deciding & betting == (deciding | betting) & EVERYWHERE == set()
    page.keyboard.press("?")
    page.wait_for_selector("dialog.shortcuts[open]")
    listed = set(page.locator(".keys kbd").all_text_contents())
    names = {"Space": "Espace" if language == "fr" else "Space"} | dict.fromkeys("12345", "1 – 5")
    assert {names.get(key, key) for key in deciding | betting | EVERYWHERE} <= listed


@long
def test_one_setting_turns_single_keys_off(sit: Sit) -> None:
    player = sit(PLAYER_WINS)
    page = player.page
    player.bet(STAKES)
    choose_setting(page, "keys", "off")
    assert page.locator(".acts kbd").all_text_contents() == ["Espace"]  # no single key
    for key in "1ZBXL?IR":
        page.keyboard.press(key)
    assert (phase(page, 100), player.chips()) == ("bet", {"ante": "10", "bonus": "5"})
    assert page.locator("dialog").count() == 0
    assert page.locator(".chip[aria-checked=true]").text_content() == "5"
    player.deal()
    for key in "JD":
        page.keyboard.press(key)
    assert phase(page, 100) == "decide"


@long
def test_keys_do_nothing_while_the_player_types(sit: Sit) -> None:
    player = sit()
    page = player.page
    player.bet(STAKES)
    player.press(".promise")
    page.fill("[name=seed]", "")
    page.locator("[name=seed]").press_sequentially("xzbr1?lifg JD")
    assert page.locator("[name=seed]").input_value() == "xzbr1?lifg JD"
    page.keyboard.press("Escape")
    assert (phase(page, 50), player.chips()) == ("bet", {"ante": "10", "bonus": "5"})


STAKED = {
    "fr": """- paragraph: paire de rois
- group "Mises":
- 'group "Boni 5+1 : 5,00 $"': Boni 5+1
- 'group "Départ : 10,00 $"': Départ
- 'group "Jouer : 0,00 $"': Jouer""",
    "en": """- paragraph: a pair of kings
- group "Bets":
- 'group "5+1 Bonus: $5.00"': 5+1 Bonus
- 'group "Ante: $10.00"': Ante
- 'group "Play: $0.00"': Play""",
}
FR = ["Votre main", "Main de la maison", "Jouer pour 20,00 $ ou abandonner ?"]
EN = ["Your hand", "House hand", "Play for $20.00 or fold?"]
MINE = {
    "fr": "roi de cœur, roi de carreau, 7 de trèfle, 4 de pique, 2 de carreau",
    "en": "king of hearts, king of diamonds, seven of clubs, four of spades, two of diamonds",
}
HOUSE = {"fr": "as de trèfle" + ", carte cachée" * 4, "en": "ace of clubs" + ", hidden card" * 4}


@long
@pytest.mark.parametrize(("language", "words"), [("fr", FR), ("en", EN)])
def test_the_table_is_told_as_it_lies_and_read_out_on_demand(
    house: Served, visit: Visiting, language: Language, words: list[str]
) -> None:
    page = visit(house.table(PLAYER_WINS), language=language, width=360).page
    player, (mine, theirs, asked) = Player(page), words
    empty = ("Il n’y a aucune carte sur la table.", "There are no cards on the table.")
    assert spoken(page, "F") in empty
    player.bet(STAKES)
    player.deal()
    colon, money = {"fr": (" : ", "Solde : 985,00 $."), "en": (": ", "Balance: $985.00.")}[language]
    told = [f"{mine}{colon}{MINE[language]}.", f"{theirs}{colon}{HOUSE[language]}."]
    assert re.fullmatch(rf"{' '.join(told)} .* {re.escape(f'{asked} {money}')}", spoken(page, "I"))
    assert (spoken(page, "F"), spoken(page, "G")) == (told[0], told[1])
    tree = [plain(line) for line in page.locator("main").aria_snapshot().splitlines()]
    assert tree[2:] == [
        f'- region "{theirs}":', f'- heading "{theirs}" [level=2]', "- list:",
        *(f"- listitem: {card}" for card in HOUSE[language].split(", ")), "- paragraph",
        f"- paragraph: {asked}",
        f'- region "{mine}":', f'- heading "{mine}" [level=2]', "- list:",
        *(f"- listitem: {card}" for card in MINE[language].split(", ")),
        *STAKED[language].splitlines(),
    ]  # fmt: skip


@long
def test_the_lobby_opens_every_table_by_keys(house: Served, visit: Visiting) -> None:
    page, second = visit(house.url).page, [*["Tab"] * 4, "ArrowRight", "Enter"]
    for keys, game in zip([second, *"12345"], [GAMES[1], *GAMES], strict=True):
        page.wait_for_selector(".door >> nth=4")
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_selector(f"main.{game}[data-phase=bet]")
        expect_address(page, f"/table/{game}")
        page.go_back()


@long
@pytest.mark.parametrize("by", ["button", "key"])
def test_chips_are_doubled_undone_cleared_and_put_again(sit: Sit, by: str) -> None:
    player = sit(PLAYER_WINS)
    page = player.page

    def press(key: str) -> None:
        button = f".acts [aria-keyshortcuts={key}]"
        page.keyboard.press(key) if by == "key" else player.press(button)

    player.bet(STAKES)
    staked, doubled = {"ante": "10", "bonus": "5"}, {"ante": "20", "bonus": "10"}
    for key, then in (("B", doubled), ("Z", staked), ("X", {}), ("Z", staked)):
        press(key)
        assert player.chips() == then, key
    player.deal()
    player.choose(1)
    press("X")
    player.wait("bet")
    assert player.chips() == {}
    press("R")
    assert player.chips() == staked


@long
@pytest.mark.parametrize(
    ("language", "doubling", "adding"),
    [
        ("fr", "Impossible de doubler : la limite de « Boni 5+1 » est 100,00 $.",
         "Limite de la table atteinte : 100,00 $ sur « Boni 5+1 »."),
        ("en", 'Cannot double: the limit on "5+1 Bonus" is $100.00.',
         'Table limit reached: $100.00 on "5+1 Bonus".'),
    ],
)  # fmt: skip
def test_all_bets_are_doubled_or_none_and_the_limit_is_named(
    sit: Sit, language: Language, doubling: str, adding: str
) -> None:
    player = sit(language=language, width=360)
    page = player.page
    player.bet({"ante": 5_00, "bonus": 75_00})
    assert spoken(page, "B", "assertive") == player.message() == doubling
    assert player.chips() == {"ante": "5", "bonus": "75"}
    player.bet({"bonus": 100_00})  # only what fits is put down
    assert (player.chips()["bonus"], player.message()) == ("100", adding)


@long
@pytest.mark.parametrize(("language", "typed"), [("fr", "12,00"), ("en", "12.00")])
def test_a_chip_can_have_any_amount_the_table_takes(
    sit: Sit, language: Language, typed: str
) -> None:
    player = sit(language=language)
    page = player.page
    player.press(".chip.other")
    for wrong in ("", "abc", "0", typed.replace("00", "50"), "101", "-5"):
        page.fill("[name=amount]", wrong)
        page.keyboard.press("Enter")
        limits = "1,00 $ à 100,00 $" if language == "fr" else "$1.00 to $100.00"
        assert limits in plain(page.locator("#amount-why").inner_text()), wrong
        assert page.locator("[name=amount]").get_attribute("aria-invalid") == "true"
    page.fill("[name=amount]", typed)
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog", state="detached")
    assert page.locator(".chip[aria-checked=true]").text_content() == "12"
    player.press(".spot.ante")
    assert player.chips() == {"ante": "12"}


@long
def test_chips_are_taken_back_and_a_bonus_never_stands_alone(sit: Sit) -> None:
    player = sit()
    page = player.page
    assert page.locator(".spot.bonus").is_disabled()
    player.bet({"ante": 15_00, "bonus": 5_00})
    page.locator(".spot.ante").click(button="right")
    assert player.chips() == {"ante": "10", "bonus": "5"}
    page.locator(".spot.ante").focus()
    page.keyboard.press("Shift+Enter")
    assert player.chips() == {"ante": "5", "bonus": "5"}
    page.keyboard.press("Shift+Enter")
    assert (player.chips(), page.locator(".spot.bonus").is_disabled()) == ({}, True)
