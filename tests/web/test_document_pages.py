"""Par sheets, strategies and certificates opened as pages: their policy, ways back and download."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from houses import Guest, Indifferent, client_of
from rounds.house_with_operator import open_tables
from tapisvert.web.document_pages import policy
from tapisvert.words import catalogue
from web.scene import code_of


@pytest.mark.parametrize("kind", ["par", "strategy"])
def test_a_document_of_a_game_opens_and_is_saved(client: TestClient[Any], kind: str) -> None:
    page = client.get(f"/{kind}/casino-stud", headers={"Accept-Language": "fr"})
    saved = client.get(f"/{kind}/casino-stud.html", headers={"Accept-Language": "fr"})
    assert (page.status_code, saved.status_code) == (200, 200)
    assert "content-disposition" not in page.headers
    name = f'attachment; filename="casino-stud-{kind}-fr.html"'
    assert saved.headers["content-disposition"] == name
    assert catalogue("fr").write("par.strategy") in saved.text
    for way in ("/help/casino-stud", "/table/casino-stud", f"/{kind}/casino-stud.html"):
        assert f'href="{way}"' in page.text
        assert way not in saved.text
    body = saved.text.split("<main>", 1)[1]
    assert page.text.endswith(body)
    for ending in ("", ".html"):
        lost = client.get(f"/{kind}/baccarat{ending}", headers={"Accept": "application/json"})
        assert code_of(lost) == (404, "request/unknown_game")


def test_the_certificate_opens_after_the_round_for_its_player(tmp_path: Path) -> None:
    with client_of(open_tables(tmp_path / "tapis.db"), Indifferent()) as client:
        guest = Guest(client)
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        mine = {"Authorization": f"Bearer {guest.token}", "Accept": "application/json"}
        early = client.get(f"/certificate/{round_id}", headers=mine)
        assert code_of(early) == (409, "round/not_ended")
        guest.choose(round_id, "play")
        page = client.get(f"/certificate/{round_id}", headers=mine)
        assert page.status_code == 200
        assert f'href="/r/{round_id}"' in page.text
        assert f'href="/rounds/{round_id}/certificate?language=' in page.text
        assert 'http-equiv="Content-Security-Policy"' not in page.text  # the header says it
        said = page.headers["content-security-policy"]
        assert said == policy(page.text)
        assert "unsafe" not in said
        assert said.count("'sha256-") == 5  # two styles, three scripts: words, data, program
        other = {**mine, "Authorization": f"Bearer {Guest(client).token}"}
        strange = client.get(f"/certificate/{round_id}", headers=other)
        assert strange.json()["code"] == "round/unknown"
