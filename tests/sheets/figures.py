"""The figures of RULES section 2, typed independently, and files with one of them wrong."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tapisvert.engine.sheet_file import load_file
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.registry import GAMES
from tapisvert.refusal import Refused

SHIPPED = GAMES["casino-stud"].folder / "sheet.toml"

# RULES section 2, typed out again.
FIGURES = {
    "step_cents": 1_00,
    "void_after_s": 30 * 24 * 60 * 60,
    "spots.ante.min_cents": 1_00,
    "spots.ante.max_cents": 100_00,
    "spots.bonus.min_cents": 1_00,
    "spots.bonus.max_cents": 100_00,
    "house.qualifies_with": ["A", "K"],
    "ante.pays": "1:1",
    "play.times_ante": 2,
    "play.pays.royal-flush": "100:1",
    "play.pays.straight-flush": "50:1",
    "play.pays.four-of-a-kind": "20:1",
    "play.pays.full-house": "7:1",
    "play.pays.flush": "5:1",
    "play.pays.straight": "4:1",
    "play.pays.three-of-a-kind": "3:1",
    "play.pays.two-pair": "2:1",
    "play.pays.pair": "1:1",
    "play.pays.high-card": "1:1",
    "bonus.pays.royal-flush": "1000:1",
    "bonus.pays.straight-flush": "200:1",
    "bonus.pays.four-of-a-kind": "100:1",
    "bonus.pays.full-house": "20:1",
    "bonus.pays.flush": "15:1",
    "bonus.pays.straight": "10:1",
    "bonus.pays.three-of-a-kind": "7:1",
    "caps_cents.ante": 200_00,
    "caps_cents.play": 20_200_00,
    "caps_cents.bonus": 100_100_00,
    "caps_cents.round": 120_500_00,
    "published.main": "97.45",
    "published.bonus": "91.44",
}

Figures = dict[str, Any]


def figures() -> Figures:
    """Return the shipped file as plain tables, to be changed."""
    return copy.deepcopy(tomllib.loads(SHIPPED.read_text(encoding="utf-8")))


def paths(table: Figures, prefix: str = "") -> Iterator[str]:
    """Yield the dotted key of every figure and every table of a file."""
    for name, value in table.items():
        yield f"{prefix}{name}"
        if isinstance(value, dict):
            yield from paths(value, f"{prefix}{name}.")


def put(table: Figures, key: str, value: object) -> Figures:
    """Set a figure by its dotted key; `...` removes it."""
    *outer, last = key.split(".")
    holder = table
    for name in outer:
        holder = holder[name]
    if value is ...:
        del holder[last]
    else:
        holder[last] = value
    return table


def written(table: Figures, prefix: str = "") -> str:
    """Write tables as TOML; JSON strings, numbers and lists are valid TOML."""
    plain = [f"{name} = {json.dumps(v)}" for name, v in table.items() if not isinstance(v, dict)]
    inner = [
        f"[{prefix}{name}]\n{written(value, f'{prefix}{name}.')}"
        for name, value in table.items()
        if isinstance(value, dict)
    ]
    return "\n".join([*plain, *inner])


def refusal(folder: Path, content: str | bytes) -> Refused:
    """Return the reason a file with this content is refused."""
    path = folder / "my-stud.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(Refused) as caught:
        load_file(path, CasinoStud)
    return caught.value
