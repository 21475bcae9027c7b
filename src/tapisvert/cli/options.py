"""Options and arguments that several commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

C = TypeVar("C", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)


class Integer(click.IntRange):
    """An integer between two bounds; click would call it an INTEGER RANGE."""

    name = "integer"


database = click.option(
    "--database",
    default="sqlite:///tapis.db",
    help="sqlite:///FILE or postgresql://HOST/NAME",
)
seed_key = click.option(
    "--seed-key", type=PATH, help="Key file; default beside the database (SQLite)."
)
reason = click.option("--reason", required=True, help="The reason; it is stored with your name.")
player_id = click.argument("player_id", help="The player's id.")
game = click.argument("game", help="Which game.")
more_games = click.option(
    "--game",
    "games",
    multiple=True,
    metavar="ID",
    help="Offer this installed game too; repeatable.",
)
change = click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE", help="Change a figure; repeatable."
)
json = click.option("--json", is_flag=True, help="Print JSON.")


def at_database(function: C) -> C:
    """Add `--database` and `--seed-key`."""
    return database(seed_key(function))
