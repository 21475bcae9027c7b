"""The kit's layout check in Chromium reports what does not fit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kit.planting import STUD, Planter, found
from tapisvert.games.registry import SHIPPED
from tapisvert.testing.kit import case_of
from tapisvert.testing.plugin import assert_passes
from tapisvert.web import app_page, assets
from tiers import long


@pytest.fixture
def drawn_again() -> Iterator[None]:
    """Clear the cache of static files before and after the test."""

    def forget() -> None:
        for kept in (assets.assets, assets.base, assets.modules, app_page._frame):
            kept.cache_clear()

    forget()
    yield
    forget()


@long  # the first tier draws every table in tests/browser/test_games.py
@pytest.mark.parametrize("game", SHIPPED)
def test_the_table_of_a_shipped_game_fits_a_small_screen(game: str) -> None:
    assert_passes("layout-fits", case_of(game, rounds=1))


@long
@pytest.mark.usefixtures("drawn_again")
def test_a_table_that_is_not_drawn(planter: Planter) -> None:
    planter.write(STUD, "layout.js", "export default", "throw Error('no felt');\nexport default")
    told = found(STUD, "layout-fits", rounds=1)
    assert "the table is not drawn" in told
    assert "the page says: " in told


@long
@pytest.mark.usefixtures("drawn_again")
def test_a_layout_that_is_wider_than_the_screen(planter: Planter) -> None:
    layout = planter.folder(STUD) / "layout.js"
    wide = "document.querySelector('.felt')?.style.setProperty('width', '500px')"
    written = layout.read_text("utf-8")
    # It acts as soon as the felt is there, before the check can look at it.
    watching = f"new MutationObserver(() => {wide}).observe(document,"
    layout.write_text(f"{watching} {{ childList: true, subtree: true }});\n{written}", "utf-8")
    assert "sticks out of the window" in found(STUD, "layout-fits", rounds=1)
