"""The page is sent in the theme of its cookie, so that a light page never flashes dark."""

from __future__ import annotations

import pytest

from web.scene import Scene

LIGHT = '<link rel="stylesheet" href="/static/'


@pytest.mark.parametrize(
    ("theme", "media"),
    [
        ("light", 'media="all"'),
        ("auto", 'media="(prefers-color-scheme: light)"'),
        ("dark", ""),
        ('"><script>', ""),
    ],
)
def test_the_page_has_the_light_style_where_its_cookie_asks_for_it(
    scene: Scene, theme: str, media: str
) -> None:
    page = scene.client.get("/table/casino-stud", headers={"cookie": f"tapis_theme={theme}"}).text
    sheets = [line for line in page.splitlines() if line.startswith(LIGHT)]
    assert sheets[0].endswith('/app.css">')
    assert [line for line in sheets[1:] if not line.endswith(f'/css/light.css" {media}>')] == []
    assert len(sheets) == (2 if media else 1)
    assert "<script>" not in page.partition("<body>")[0].partition("boot")[0]
