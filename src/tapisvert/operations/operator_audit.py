"""Audit of operators' acts against the journal, and of players against their first records.

Switches, operators, rates, pot figures, awards and voids each write a significant event in the
commit that makes them. Hashes, seals and tails protect the journal, so these tables are rebuilt
from it and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from tapisvert.bank.audit import Finding
from tapisvert.store import Tx

Rows = dict[Any, Any]
_VOIDED = ("given_cents", "taken_cents", "debt_cents")
_POT = ("epoch", "reset_cents", "contribution", "next_reset_cents", "next_contribution")


class Act(Struct, frozen=True):
    """A significant event as the audit reads it."""

    at_ms: int
    kind: str
    player_id: str | None
    round_id: str | None
    by: str | None = None
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    reason: str | None = None


def check_acts(tx: Tx) -> Iterator[Finding]:
    """Rebuild from the journal every table that acts change, and compare."""
    acts = list(_acts(tx))
    rates = _rates(acts)
    for table, wanted, found in (
        ("switches", _switches(acts), _found(tx, "switches", "scope", "reason, by, at_ms")),
        ("operators", _operators(acts), _found(tx, "operators", "name", "created_at_ms")),
        ("rates", rates, _found_rates(tx, rates)),
        ("jackpots", _pots(acts), _found(tx, "jackpots", "id", f"opened_at_ms, {', '.join(_POT)}")),
        ("awards", _awards(tx, acts), _found_awards(tx)),
        ("reversals", _voids(acts), _found_voids(tx)),
        ("players", _accounts(acts) | _guests(tx), _found_players(tx)),
        ("sessions", _tokens(acts, _guests(tx)), _found_tokens(tx)),
    ):
        yield from _compared(table, wanted, found)


def _compared(table: str, wanted: Rows, found: Rows) -> Iterator[Finding]:
    """Yield the first row that differs from the journal."""
    for key in sorted(wanted.keys() | found.keys(), key=str):
        if key not in found:
            yield Finding(table, _name(key), "is missing, but the journal records it")
        elif key not in wanted:
            yield Finding(table, _name(key), "is stored, but the journal does not record it")
        elif wanted[key] != found[key]:
            yield Finding(table, _name(key), "differs from the journal")
        else:
            continue
        return


def _name(key: object) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _acts(tx: Tx) -> Iterator[Act]:
    rows = tx.rows(
        "SELECT at_ms, kind, player_id, round_id, data FROM significant_events ORDER BY id"
    )
    for *head, data in rows:
        try:
            yield Act(*head, **msgspec.json.decode(data))
        except (msgspec.DecodeError, TypeError):
            yield Act(*head)  # malformed: its hash is wrong too, and its effect counts as missing


def _after(act: Act) -> Callable[[str], Any]:
    return (act.after or {}).get


def _found(tx: Tx, table: str, key: str, columns: str) -> Rows:
    rows = tx.rows(f"SELECT {key}, {columns} FROM {table}")
    return {row[0]: tuple(row[1:]) for row in rows}


def _switches(acts: list[Act]) -> Rows:
    """Return the stopped scopes, each with reason, operator and time."""
    stopped: Rows = {}
    for act in acts:
        if act.kind == "stopped":
            stopped[_after(act)("scope")] = (act.reason, act.by, act.at_ms)
        elif act.kind == "resumed":
            stopped.pop(_after(act)("scope"), None)
    return stopped


def _operators(acts: list[Act]) -> Rows:
    named: Rows = {}
    for act in acts:
        if act.kind == "operator_created":
            named[_after(act)("name")] = (act.at_ms,)
        elif act.kind == "operator_revoked":
            named.pop((act.before or {}).get("name"), None)
    return named


def _rates(acts: list[Act]) -> Rows:
    """Return every rate, numbered per pot in order of setting; newer acts also record its id."""
    columns = ("currency", "rate", "id")
    return _numbered(
        (_after(act)("pot"), (act.at_ms, *map(_after(act), columns)))
        for act in acts
        if act.kind == "rate_set"
    )


def _found_rates(tx: Tx, wanted: Rows) -> Rows:
    rows = tx.rows("SELECT pot, at_ms, currency, rate, id FROM rates ORDER BY id")
    found = _numbered((pot, tuple(rest)) for pot, *rest in rows)
    for key in found.keys() & wanted.keys():
        if wanted[key][-1] is None:
            found[key] = (*found[key][:-1], None)
    return found


def _numbered(rows: Iterator[tuple[str, Any]]) -> Rows:
    numbered, last = Rows(), dict[str, int]()
    for pot, row in rows:
        last[pot] = last.get(pot, 0) + 1
        numbered[pot, last[pot]] = row
    return numbered


def _pots(acts: list[Act]) -> Rows:
    """Return the figures in force of every pot, and its opening time."""
    pots: Rows = {}
    for act in acts:
        pot = act.after or {}
        if act.kind == "jackpot_opened":
            pots[pot.get("pot")] = (act.at_ms, *map(pot.get, _POT))
        elif act.kind in ("jackpot_changed", "jackpot_won") and pot.get("pot") in pots:
            pots[pot["pot"]] = (pots[pot["pot"]][0], *map(pot.get, _POT))
    return pots


def _awards(tx: Tx, acts: list[Act]) -> Rows:
    """Return every award, with the number of the rate in force for the winner's currency."""
    currencies: Rows = dict(tx.rows("SELECT id, currency FROM players"))
    awards, newest, last = Rows(), Rows(), Rows()
    for act in acts:
        if act.kind == "rate_set":
            pot = _after(act)("pot")
            last[pot] = newest[pot, _after(act)("currency")] = last.get(pot, 0) + 1
        elif act.kind == "jackpot_won":
            pot = _after(act)("pot")
            rate = newest.get((pot, currencies.get(act.player_id)))
            awards[act.round_id] = (pot, _after(act)("trigger"), act.at_ms, rate)
    return awards


def _found_awards(tx: Tx) -> Rows:
    rates = _numbered(iter(tx.rows("SELECT pot, id FROM rates ORDER BY id")))
    places: Rows = {(pot, number): place for (pot, place), number in rates.items()}
    rows = tx.rows("SELECT round_id, pot, trigger_no, at_ms, rate_id FROM awards")
    return {
        round_id: (pot, *rest, rate_id and places.get((pot, rate_id), "unknown"))
        for round_id, pot, *rest, rate_id in rows
    }


def _voids(acts: list[Act]) -> Rows:
    return {
        act.round_id: (act.at_ms, act.by, act.reason, *map(_after(act), _VOIDED))
        for act in acts
        if act.kind == "round_voided"
    }


def _found_voids(tx: Tx) -> Rows:
    return _found(tx, "reversals", "round_id", f"at_ms, by, reason, {', '.join(_VOIDED)}")


def _accounts(acts: list[Act]) -> Rows:
    """Return the players that operators have created."""
    return {
        act.player_id: ("account", _after(act)("currency"), act.at_ms)
        for act in acts
        if act.kind == "player_created"
    }


def _guests(tx: Tx) -> Rows:
    """Return the guests, from the first grant of each."""
    rows = tx.rows(
        "SELECT transfers.player_id, currency, at_ms FROM transfers JOIN"
        " (SELECT MIN(id) AS id FROM transfers WHERE reason = 'grant' GROUP BY player_id) AS firsts"
        " ON firsts.id = transfers.id"
    )
    return {row[0]: ("guest", *row[1:]) for row in rows}


def _found_players(tx: Tx) -> Rows:
    return _found(tx, "players", "id", "kind, currency, created_at_ms")


def _tokens(acts: list[Act], guests: Rows) -> Rows:
    """Return the issue time of each player's token: given at creation, replaced or revoked."""
    given: Rows = {guest: row[-1:] for guest, row in guests.items()}
    for act in acts:
        if act.kind in ("player_created", "token_replaced"):
            given[act.player_id] = (act.at_ms,)
        elif act.kind == "token_revoked":
            given.pop(act.player_id, None)
    return given


def _found_tokens(tx: Tx) -> Rows:
    given: Rows = {}
    for player_id, at_ms in tx.rows("SELECT player_id, created_at_ms FROM sessions"):
        given[player_id] = (*given.get(player_id, ()), at_ms)
    return given
