"""A player at any of the five tables, with options by their letters; a known round of each game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page

from browser.tables import Language, Player, plain
from houses import PLAYER_WINS
from tapisvert.words import catalogue


@dataclass(frozen=True)
class Round:
    """A round: stakes, first cards of the deck, choices and returns."""

    deck: str
    stakes: dict[str, int]
    choices: tuple[str, ...]
    returned: dict[str, int] = field(default_factory=dict)  # by the rules, in cents

    @property
    def laid(self) -> dict[str, int]:
        """The chips before the deal: the blind comes with the ante (uth.2)."""
        return self.stakes | ({"blind": self.stakes["ante"]} if "blind" in self.returned else {})


# One of each, with much to show: long names, many bets. The returns are from docs/rules.
ROUNDS: dict[str, Round] = {
    "pai-gow": Round(
        # A royal flush with the joker as the jack, against a pair of kings; the low hands are a
        # four (with a three) and an ace: one each (pai.8), and the bonus pays 150:1 (pai.10).
        "Ad Kd Qd Td Jk 4c 3s  Ks Kh As Qs 9c 5h 2c",
        {"main": 10_00, "fortune": 5_00},
        ("confirm",),
        {"main": 10_00, "fortune": 755_00},
    ),
    "casino-stud": Round(
        PLAYER_WINS,
        {"ante": 10_00, "bonus": 5_00},
        ("play",),
        {"ante": 20_00, "bonus": 0, "play": 40_00},
    ),
    "high-card-flush": Round(
        # Six diamonds, three of them in a row, against three hearts, ten high.
        "Ad Kd 2c Qd 9d 7d 6d  Th 8h 3h Js 7c 5s 4c",
        {"ante": 10_00, "flush": 5_00, "straight-flush": 5_00},
        ("raise-2",),
        {"ante": 20_00, "raise": 40_00, "flush": 380_00, "straight-flush": 40_00},
    ),
    "blackjack": Round(
        # Four eights against an ace: both hands insured, split, and every half doubled. The house
        # has 17 and an ace, and draws to 19; the halves have 21, 19, 21 and 17.
        "8s 8h 8d 8c Ah 6s  3s Td 2h 9d  3d Kc 2c 7d  2s",
        {"hand-1": 10_00, "hand-2": 20_00, "royal": 1_00},
        ("insure", "insure", "split", "double", "double", "split", "double", "double"),
        {
            "hand-1": 20_00, "insurance-1": 0, "double-1": 20_00,
            "split-1": 10_00, "double-1b": 10_00,
            "hand-2": 40_00, "insurance-2": 0, "double-2": 40_00, "split-2": 0, "double-2b": 0,
            "royal": 500_00,
        },
    ),
    "ultimate": Round(
        # A pair of kings against a pair of nines: too little for the blind and for Trips.
        "Ad Kd 9s 9c  Ks 7d 2d Th 4s",
        {"ante": 10_00, "trips": 5_00},
        ("check", "check", "raise-1"),
        {"ante": 20_00, "blind": 10_00, "trips": 0, "play": 20_00},
    ),
}  # fmt: skip


class Seat(Player):
    """A player at a table who finds options by their words and letters."""

    def __init__(
        self, page: Page, game: str, language: Language = "fr", *, keys: bool = False
    ) -> None:
        self.game, self.words = game, catalogue(language)
        super().__init__(page, keys=keys)

    def say(self, key: str, **args: Any) -> str:
        """Return a text in the words of this table, as the server writes it."""
        return plain(self.words.write(key, args, self.game))

    def money(self, cents: int) -> str:
        return plain(self.words.money(cents))

    def signed(self, cents: int) -> str:
        """Format a net result with its sign."""
        return ("+" if cents > 0 else "−" if cents else "") + self.money(abs(cents))

    def option(self, name: str) -> Locator:
        """Return the button of an option, by the letter the catalogue gives it."""
        return self.page.locator(f".acts .option[aria-keyshortcuts={self.say(f'key.{name}')}]")

    def take(self, name: str, then: str = "decide") -> None:
        """Choose an option, and wait for a phase."""
        if self.keys:
            self.page.keyboard.press(self.say(f"key.{name}"))
        else:
            self.tap(self.option(name))
        self.wait(then)

    def play(self, played: Round) -> Iterator[str]:
        """Play a round; yield the name of each state without animation."""
        self.bet(played.stakes)
        yield "bet"
        self.deal()
        for place, choice in enumerate(played.choices, 1):
            yield f"decide {place}: {choice}"
            self.take(choice, "settled" if place == len(played.choices) else "decide")
        yield "settled"

    def answer(self, choice: str, then: str = "decide") -> None:
        """Choose an option by its id; a set of Pai Gow is picked card by card."""
        cards = choice.split()
        if self.game != "pai-gow":
            return self.take(choice, then)
        wanted = {self.words.card(card) for card in cards}
        for on in (False, True):  # what is picked and not wanted goes first
            for place, told in enumerate(self.texts(".zone.player .pickable .vh")):
                button = self.page.locator(".zone.player .pickable").nth(place)
                picked = button.get_attribute("aria-pressed") == "true"
                if (told.partition(",")[0] in wanted) is on and picked is not on:
                    self.page.keyboard.press(f"{place + 1}") if self.keys else self.tap(button)
        return self.take("confirm", then)

    def lay(self, stakes: Mapping[str, int]) -> None:
        """Place any amounts, each with a custom chip; linked spots follow their main spot."""
        laid = {spot["id"] for spot in self.takes() if spot["equals"]}
        for spot, cents in stakes.items():
            if spot in laid:
                continue
            self.press(".chip.other")
            self.page.fill("[name=amount]", f"{cents / 100:.2f}")
            self.page.keyboard.press("Enter")
            self.page.wait_for_selector("dialog", state="detached")
            if self.keys:
                self.go_to(f"button.spot.{spot}")
                self.page.keyboard.press("Enter")
            else:
                self.press(f"button.spot.{spot}")

    def takes(self) -> list[dict[str, Any]]:
        """Fetch the spots of the table from the house."""
        return list(self.ask(f"/games/{self.game}")["spots"])

    def text(self, selector: str) -> str:
        return plain(self.page.locator(selector).text_content() or "")

    def texts(self, selector: str) -> list[str]:
        return [plain(each) for each in self.page.locator(selector).all_text_contents()]

    def cards(self, zone: str) -> list[str]:
        """Return the accessible names of a hand's cards, from left to right."""
        return self.texts(f".zone.{zone} .card .vh")

    def lines(self, nets: Mapping[str, int]) -> dict[str, str]:
        """Return the ledger that these net results should make."""
        return {self.say(f"bet.{bet}"): self.signed(cents) for bet, cents in nets.items()}

    def ledger(self) -> dict[str, str]:
        """Return the amount won or lost on each bet, by its name."""
        found: dict[str, str] = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('.ledger tbody tr')]"
            ".map((row) => ['th > span:last-child', '.sum b']"
            ".map((part) => row.querySelector(part).textContent)))"
        )
        return {plain(name): plain(amount) for name, amount in found.items()}
