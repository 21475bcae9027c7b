"""My casino's rules: a player of play money plays a table by another sheet than the house's.

A choice applies to the player's next seat: the pending one is retired and revealed, as when the
house changes its rules. Rounds keep the sheet they were opened with. Real money is always played by
the house's sheet, and limits, caps and delays are the house's at every table.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tapisvert.bank.money import PLAY_MONEY
from tapisvert.engine.sheet import Sheet, content
from tapisvert.games.registry import GAMES
from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.schemas import Text
from tapisvert.rounds.stored_sheets import store_sheets
from tapisvert.sheets import variants_of, with_changes
from tapisvert.store import Tx

OWN = "own"  # the name of rules that are no variant of the game
RULES_MAX = 100  # sheets a player may have chosen over time
# Figures that a player cannot change: limits, and the published returns of the house sheet.
_OF_THE_HOUSE = ("step_cents", "void_after_s", "spots", "caps_cents", "published")


class RulesRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a table: a variant, or changed figures by key; neither: the house's."""

    variant: Text | None = None
    changes: Annotated[dict[str, Any], Meta(max_length=100)] = {}


def choose(context: QueryContext, game: str, asked: RulesRequest) -> None:
    """Play a game by other rules from the next seat on. The caller holds the player's lock."""
    if context.player.currency != PLAY_MONEY:
        raise Refused("rules/real_money")
    if game not in context.offered:
        raise Refused("request/unknown_game", game=game[:64])
    house = context.sheet_of(game)
    name, sheet = chosen(house, asked)
    tx, player_id = context.tx, context.player.id
    tx.run(
        "UPDATE own_rules SET in_force = 0 WHERE player_id = ? AND game = ? AND in_force = 1",
        (player_id, game),
    )
    if sheet == house:
        return
    _check_count(tx, player_id, sheet)
    store_sheets(tx, {sheet.hash: sheet})
    tx.run(
        "INSERT INTO own_rules (player_id, game, sheet_hash, name, in_force) VALUES (?, ?, ?, ?, 1)"
        " ON CONFLICT (player_id, game, sheet_hash) DO UPDATE SET name = ?, in_force = 1",
        (player_id, game, sheet.hash, name, name),
    )


def stays(game: str, key: str) -> bool:
    """Tell whether a player cannot change a figure: it is the house's, or slow to count with."""
    return key.partition(".")[0] in _OF_THE_HOUSE or slow_to_count(game, key)


def slow_to_count(game: str, key: str) -> bool:
    """Tell whether a change of a figure would make counting too slow."""
    return f"{key}.".startswith(GAMES[game].position.slow_keys)


def chosen(house: Sheet, asked: RulesRequest) -> tuple[str, Sheet]:
    """Return the name and the sheet of the rules asked for; pure."""
    if asked.variant is None:
        for key in asked.changes:
            if stays(house.game, key):
                raise Refused("rules/of_the_house", key=key[:64])
        try:
            return OWN, with_changes(house, asked.changes)
        except Refused as refusal:
            raise _wrong_change(house, refusal) from None
    if asked.changes:
        raise Refused("rules/both")
    found = variants_of(house).get(asked.variant)
    if found is None:
        raise Refused("rules/unknown", variant=asked.variant[:64])
    return asked.variant, found


def _wrong_change(house: Sheet, refusal: Refused) -> Refused:
    """Return the refusal of a changed figure; it shows the house's value as an example."""
    key = str(refusal.details["key"])
    if refusal.code == "sheet/unknown_key":
        return Refused("rules/unknown_figure", key=key[:64])
    value: Any = content(house)
    for name in key.partition("[")[0].split("."):  # a list is shown whole
        value = value[name]
    here = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return Refused("rules/invalid", key=key, here=here, reason=refusal.details["reason"])


def name_of(context: QueryContext, game: str) -> str | None:
    """Return the name of the rules a player plays a game by; None for the house's."""
    if context.player.own_sheet(game) is None:
        return None
    row = context.tx.row(
        "SELECT name FROM own_rules WHERE player_id = ? AND game = ? AND in_force = 1",
        (context.player.id, game),
    )
    return None if row is None else str(row[0])


def _check_count(tx: Tx, player_id: str, sheet: Sheet) -> None:
    row = tx.row(
        "SELECT COUNT(*) FROM own_rules WHERE player_id = ? AND sheet_hash <> ?",
        (player_id, sheet.hash),
    )
    if row is not None and row[0] >= RULES_MAX:
        raise Refused("rules/too_many", most=RULES_MAX)
