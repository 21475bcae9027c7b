"""Lessons over HTTP: open to all, the same for all, and without the house's books."""

from __future__ import annotations

from typing import Any

import pytest

from tapisvert.games.registry import SHIPPED


class NoHouse:
    """A house that must not be asked anything."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a lesson asks the house for {name}")


def test_a_lesson_needs_neither_session_nor_database(client: Any) -> None:
    kept, client.app.state.house = client.app.state.house, NoHouse()
    try:
        replies = {game: client.get(f"/api/v1/lessons/{game}") for game in SHIPPED}
    finally:
        client.app.state.house = kept
    for game, reply in replies.items():
        assert (reply.status_code, reply.json()["game"]) == (200, game)
        assert reply.headers["cache-control"] == "public, max-age=3600"
        assert reply.headers["content-encoding"] == "gzip"
        assert "set-cookie" not in reply.headers


@pytest.mark.parametrize("path", ["solitaire", "..", "casino-stud%2Flesson"])
def test_what_is_no_game_has_no_lesson(client: Any, path: str) -> None:
    assert client.get(f"/api/v1/lessons/{path}").status_code == 404


def test_the_page_of_a_lesson_is_served_and_its_texts_are_not_in_any_page(client: Any) -> None:
    assert client.get("/lesson/casino-stud").status_code == 200
    for page in ("/", "/table/casino-stud", "/lesson/casino-stud"):
        assert "Three sevens" not in client.get(page).text
