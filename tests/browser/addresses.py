"""The address of a page."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def expect_address(page: Page, end: str) -> None:
    """Wait until the address ends so: after a click it may change a moment later."""
    expect(page).to_have_url(re.compile(re.escape(end) + "$"))
