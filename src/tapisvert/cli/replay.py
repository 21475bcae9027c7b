"""`tapis replay`: reads rounds as JSON lines, writes their transcripts (docs/replay.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tapisvert.cli.json_lines import answered
from tapisvert.engine.sheet_file import keys, with_changes
from tapisvert.games.registry import known
from tapisvert.library.playing import JACKPOT_CENTS, ReplayedRound, malformed, replay
from tapisvert.sheets import load

_KEYS = {"game", "deck", "stakes", "choices", "jackpot_cents", "sheet"}
_REQUIRED = ("game", "deck", "stakes", "choices")


def answer_line(line: bytes) -> bytes:
    """Answer one round."""
    return answered(line, lambda request: replayed(checked(request)).record)


def checked(request: dict[str, Any]) -> dict[str, Any]:
    """Check the types of a request's fields; return it."""
    for name in request:
        if name not in _KEYS:
            raise malformed(f"unknown key {name[:64]!r}")
    for name in _REQUIRED:
        if name not in request:
            raise malformed(f"{name!r} is missing")
    if not isinstance(request["game"], str):
        raise malformed("'game' must be a text")
    for name, kind in (("stakes", dict), ("choices", list), ("sheet", dict)):
        if not isinstance(request.get(name, kind()), kind):
            raise malformed(f"{name!r} must be {'an object' if kind is dict else 'a list'}")
    if not all(isinstance(choice, str) for choice in request["choices"]):
        raise malformed("'choices' must be a list of texts")
    return request


def replayed(request: Mapping[str, Any]) -> ReplayedRound:
    """Play the round a request describes, as a real-money round."""
    return replay(
        with_changes(load(known(request["game"])), request.get("sheet", {})),
        request["deck"],
        request["stakes"],
        request["choices"],
        jackpot_cents=request.get("jackpot_cents", JACKPOT_CENTS),
    )


def sheet_keys(game: str) -> Iterator[str]:
    """Yield the keys that `sheet` may change, with their values, as JSON."""
    for key, value in keys(load(known(game))):
        yield f"{key} = {msgspec.json.encode(value).decode()}"
