"""A robot at a table: it plays from a fixed seed, with a coach that is sometimes late."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from random import Random
from typing import Any, Literal

from playwright.sync_api import Locator

from browser.asking import until_advised
from browser.seats import Seat
from browser.tables import Visit, plain
from coach.present import Present

Mode = Literal["off", "warn", "always"]
MODES: tuple[Mode, ...] = ("off", "warn", "always")
DOLLARS = (1, 1, 1, 2, 5, 6)
AMOUNTS = (1_00, 2_00, 3_00, 7_00)  # for a chip of its own
NEW, REPEAT, DOUBLE = (f'.acts [aria-keyshortcuts="{key}"]' for key in "XRB")

# A choice is sent in the same task as its click; if none was sent, the dialog holds it back.
COUNT_CHOICES = """{
  const send = window.fetch;
  window.choices = 0;
  window.fetch = (path, how) => {
    if (String(path).includes('/choices')) window.choices += 1;
    return send(path, how);
  };
}"""

# Returns cards that are not fully visible: outside the window, the felt or a clipping element, or
# covered by something other than a card.
CLIPPED = r"""() => {
  const found = [];
  const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const out = (box, frame) => box.left < frame.left - 1 || box.top < frame.top - 1
    || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
  for (const card of document.querySelectorAll('.felt .zone .hand > li.card')) {
    const box = card.getBoundingClientRect();
    const zone = card.closest('.zone');
    const told = (why) => found.push(`${zone.className}: ${why}:`
      + ` ${card.textContent.replace(/\s+/g, ' ').trim()}`
      + ` (${[box.left, box.top, box.right, box.bottom].map(Math.round)})`);
    if (out(box, view)) told('outside the window');
    for (let frame = card.parentElement; frame && frame !== document.body;
      frame = frame.parentElement) {
      if (getComputedStyle(frame).overflow === 'visible') continue;
      if (out(box, frame.getBoundingClientRect())) told(`clipped by ${frame.className}`);
    }
    // A hand is a fan: of a card the corner that names it must be seen.
    const at = document.elementFromPoint(box.left + 4, box.top + 6);
    if (at && !at.closest('.hand')) told(`under ${at.tagName}.${at.className}`);
  }
  return found;
}"""


class Tardy(Present):
    """A correct coach that answers a question only when its gate is open."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        """Advise once the gate is open."""
        gate = self.gate
        found = await asyncio.to_thread(self._advise, position)
        while not gate.is_set():
            await asyncio.sleep(0.005)
        return found

    def _advise(self, position: dict[str, Any]) -> dict[str, Any]:
        return asyncio.run(super().ask(position))


class Robot:
    """Plays with clicks, or taps on a phone; every choice comes from its seed."""

    def __init__(self, made: Visit, seat: Seat, coach: Tardy, mode: Mode, seed: str) -> None:
        self.made, self.seat, self.page = made, seat, made.page
        self.coach, self.mode, self.chance = coach, mode, Random(seed)
        self.doing = "sits down"
        self.did: Counter[str] = Counter()  # counts of advice shown, late, and not followed

    def play(self, rounds: int) -> None:
        """Play whole rounds, then wait for pending answers of the coach."""
        for number in range(1, rounds + 1):
            self.doing = f"round {number}"
            try:
                self.round()
            except Exception as failure:
                failure.add_note(f"{self.doing}; {self.page.url}; faults: {self.made.faults()}")
                raise
            finally:
                self.coach.gate.set()

    def round(self) -> None:
        self.stake()
        self.deal()
        while self.phase() == "decide":
            self.decide()
        self.check_end()
        self.seat.tap(self.page.locator(self.chance.choice((NEW, REPEAT))))
        self.seat.wait("bet")

    def phase(self) -> str:
        return self.page.locator("main.table").get_attribute("data-phase") or ""

    def may(self, share: float) -> bool:
        return self.chance.random() < share

    def stake(self) -> None:
        """Place chips, unless those of the last round are repeated."""
        if self.page.locator(".spot .stack").count():
            if self.may(0.2) and self.seat.wallet()["balance_cents"] > 500_00:
                self.seat.tap(self.page.locator(DOUBLE))
            return
        stakes: dict[str, int] = {}
        own = self.may(0.2)
        for spot in self.seat.takes():
            wanted = all(stakes.get(each) for each in spot["requires"])
            first = spot["main"] and not stakes
            if wanted and not spot["equals"] and (first or self.may(0.5)):
                cents = self.chance.choice(AMOUNTS) if own else self.chance.choice(DOLLARS) * 100
                stakes[spot["id"]] = spot["min"] if spot["fixed"] else cents
        self.seat.lay(stakes) if own else self.seat.bet(stakes)

    def deal(self) -> None:
        """Deal, and wait for the first question."""
        before = self.next_gate()
        self.doing += ", deals"
        self.seat.tap(self.page.locator(".acts .primary"))
        self.still(before)

    def next_gate(self) -> threading.Event:
        """Let the coach answer the next question at once, or only after the player has moved on.

        Return the gate of the last question.
        """
        before, self.coach.gate = self.coach.gate, threading.Event()
        if self.may(0.6):
            self.coach.gate.set()
        return before

    def still(self, before: threading.Event) -> None:
        """Wait for the next question or the end; then release a late answer to the last one."""
        self.page.wait_for_selector(
            "main:is([data-phase=decide], [data-phase=settled])[data-ready]"
        )
        if not before.is_set():
            self.did["late"] += 1
            before.set()
        if self.coach.gate.is_set() and self.mode != "off" and self.phase() == "decide":
            until_advised(self.page)
            self.did["advised"] += 1
        assert self.page.evaluate(CLIPPED) == []
        assert self.made.faults() == {}

    def decide(self) -> None:
        """Take one of the options; after a warning, sometimes choose again."""
        button = self.set_hands() if self.seat.game == "pai-gow" else self.option()
        sent = self.page.evaluate("window.choices")
        before = self.next_gate()
        name = button.get_attribute("aria-keyshortcuts")
        self.doing += f", chooses {name}"
        self.seat.tap(button)
        if self.page.evaluate("window.choices") == sent:
            assert self.mode == "warn"
            self.page.wait_for_selector("dialog.costly")
            anyway = self.did["back"] > self.did["anyway"]  # by turns
            self.doing += " anyway" if anyway else " or rather not"
            self.did["anyway" if anyway else "back"] += 1
            self.seat.tap(self.page.locator("dialog.costly .acts .act").nth(int(anyway)))
            self.page.wait_for_selector("dialog", state="detached")
            if not anyway:
                self.coach.gate = before
                assert self.page.evaluate("window.choices") == sent
                return
        self.still(before)
        assert self.page.evaluate("window.choices") == sent + 1

    def option(self) -> Locator:
        free = self.page.locator(".acts .option:enabled")
        return free.nth(self.chance.randrange(free.count()))

    def set_hands(self) -> Locator:
        """Pick two of seven cards, or use the house way; return the button that confirms."""
        confirm, auto = self.seat.option("confirm"), self.seat.option("suggested")
        if self.may(0.6):
            picked = self.page.locator(".zone.player .pickable")
            for place in self.chance.sample(range(7), 2):
                if picked.nth(place).get_attribute("aria-pressed") == "false":
                    self.seat.tap(picked.nth(place))
        if not confirm.is_enabled() or (auto.is_enabled() and self.may(0.2)):
            self.seat.tap(auto)
        return confirm

    def check_end(self) -> None:
        """Check that page and house agree on the end of the round and the balance."""
        last = self.seat.ask("/rounds")["rounds"][0]
        assert last["state"] == "settled"
        shown = plain(self.page.locator(".rail .balance dd").inner_text())
        assert shown == self.seat.money(self.seat.wallet()["balance_cents"])
