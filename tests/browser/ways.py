"""Variants of the browser tests: languages, widths and input devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from playwright.sync_api import Page

from browser.tables import Language

WIDTHS = (1280, 360)  # a desk and a phone
T = TypeVar("T")


class Way(NamedTuple):
    """A variant: language, screen and input device."""

    language: Language
    width: int
    keys: bool

    @property
    def name(self) -> str:
        """The variant in a test id."""
        return f"{self.language}-{self.width}-{'keys' if self.keys else 'pointer'}"


WAYS = tuple(
    Way(language, width, keys)
    for keys in (False, True)
    for width in WIDTHS
    for language in ("fr", "en")
)


def rotating(things: Sequence[T]) -> list[tuple[T, Way]]:
    """Pair each thing with a variant, so that together they cover all variants."""
    return [(thing, WAYS[place % len(WAYS)]) for place, thing in enumerate(things)]


def narrower(page: Page) -> list[str]:
    """Return the elements too wide for the smallest phone; skip a page with animations."""
    size = page.viewport_size
    if size is None or size["width"] > 360 or page.evaluate("document.getAnimations().length"):
        return []
    page.set_viewport_size({"width": 320, "height": 640})
    wide: list[str] = page.evaluate(
        "() => [document.scrollingElement, ...document.querySelectorAll('dialog')]"
        ".filter((each) => each.scrollWidth > each.clientWidth)"
        ".map((each) => `at 320 px ${each.tagName} is ${each.scrollWidth} px wide`)"
    )
    page.set_viewport_size(size)
    return wide
