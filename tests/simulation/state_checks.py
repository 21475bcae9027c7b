"""Invariants of the database after every commit and at the end."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from simulation.letters import Request
from simulation.model import CENT, Model
from tapisvert.bank.seal_audit import Trust, check_keys, check_seals, check_tails
from tapisvert.operations.audit import audit
from tapisvert.operations.operator_views import NewPlayer
from tapisvert.refusal import Refused
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import Guest, Seat
from tapisvert.rounds.stored_reply import unpack
from tapisvert.store import Row
from tapisvert.store.tails import IntegrityKey

FOLDED = ("house:", "cashier:", "debt:", "contributed:", "fx:")
StateCheck = Callable[["Ledger"], Iterator[str]]
RoundCheck = Callable[[Model, Round], Iterator[str]]


class Ledger:
    """The database as read once after a commit; chains are followed as they grow."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.accounts: list[Row] = []
        self.rounds: list[Row] = []
        self.heads: dict[object, bytes] = {}
        self.followed = {"transfers": 0, "significant_events": 0, "seals": 0}
        self.sealed = (0, 0, bytes(32))  # last transfer, last event, hash

    def look(self) -> None:
        """Read the rows every check needs."""
        self.accounts = self.rows("SELECT id, currency, units FROM accounts")
        self.rounds = self.rows(
            "SELECT id, player_id, game, state, commitment, server_seed FROM rounds"
        )

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Query the database."""
        return self.model.tx.rows(sql, params)

    def new_rows(self, table: str, columns: str) -> Iterator[Row]:
        """Return the rows of a table that were not followed before."""
        for row in self.rows(
            f"SELECT id, {columns} FROM {table} WHERE id > ? ORDER BY id", (self.followed[table],)
        ):
            self.followed[table] = row[0]
            yield row


_TRANSFER = "at_ms, debit, credit, currency, units, reason, player_id, round_id, bet, hash"
_EVENT = "at_ms, kind, player_id, round_id, data, hash"


def conservation(seen: Ledger) -> Iterator[str]:
    """All accounts of a currency add up to zero."""
    sums = Counter[str]()
    for _, currency, units in seen.accounts:
        sums[currency] += units
    for (account, currency), units in seen.model.units.items():
        if account.startswith(FOLDED):
            sums[currency] += units
    yield from (f"{units} units of {currency}" for currency, units in sums.items() if units)


def balances_fold(seen: Ledger) -> Iterator[str]:
    """Every balance is the sum of its transfers."""
    for account, currency, units in seen.accounts:
        if seen.model.units.get((account, currency), 0) != units:
            yield f"{account} holds {units}"


def no_negative(seen: Ledger) -> Iterator[str]:
    """No balance is negative or has a fraction of a cent."""
    for account, _, units in seen.accounts:
        if units < 0 or (units % CENT and not account.startswith("jackpot:")):
            yield f"{account} holds {units}"


def refused_changes_nothing(seen: Ledger) -> Iterator[str]:
    """The database holds only what granted units wrote."""
    for table, last in (
        ("transfers", seen.model.transfers),
        ("significant_events", seen.model.events),
    ):
        ((found,),) = seen.rows(f"SELECT COALESCE(MAX(id), 0) FROM {table}")
        if found != last:
            yield f"{table} goes on to {found} after {last}"
    known = seen.model.rounds
    played = {f"round:{each.id}" for each in known.values() if each.opened_at_ms is not None}
    for account, _, _ in seen.accounts:
        if account.startswith("round:") and account not in played:
            yield f"{account} is there, and no such round was opened"
    for round_id, _, _, state, _, _ in seen.rounds:
        if round_id not in known or known[round_id].state != state:
            yield f"round {round_id} is {state}"


def one_open_round(seen: Ledger) -> Iterator[str]:
    """A player has at most one open round and one seat at a game."""
    places = Counter((row[1], row[2], row[3]) for row in seen.rounds)
    for (player, game, state), count in places.items():
        if state in ("open", "seated") and count > 1:
            yield f"{player} has {count} rounds {state} at {game}"


def seed_kept_until_end(seen: Ledger) -> Iterator[str]:
    """A seed is revealed exactly from the end of its round on, and matches its commitment."""
    for round_id, _, _, state, promise, seed in seen.rounds:
        if (seed is None) != (state in ("seated", "open")):
            yield f"round {round_id} is {state}"
        elif seed is not None and hashlib.sha256(seed).hexdigest() != promise:
            yield f"round {round_id} shows a seed it did not commit to"


def chain_holds(seen: Ledger) -> Iterator[str]:
    """Every transfer links to its player's last one, every event to the last event.

    A house transfer links to the last one from the same account.
    """
    for table, columns in (("transfers", _TRANSFER), ("significant_events", _EVENT)):
        for number, *content, found in seen.new_rows(table, columns):
            whose = (content[6] or content[1]) if table == "transfers" else "event"
            linked = hashlib.sha256(seen.heads.get(whose, bytes(32)) + _json(content)).digest()
            if linked != found:
                yield f"{table} {number} is not chained to the one before"
            seen.heads[whose] = linked


def seal_covers_everything(seen: Ledger) -> Iterator[str]:
    """A seal covers all rows up to it, and the seal before it."""
    for number, at_ms, last_transfer, last_event, found, body in seen.new_rows(
        "seals", "at_ms, last_transfer, last_event, hash, body"
    ):
        first_transfer, first_event, before = seen.sealed
        said = json.loads(body)["parts"]
        for table, first, last in (
            ("transfers", first_transfer, last_transfer),
            ("significant_events", first_event, last_event),
        ):
            rows = seen.rows(
                f"SELECT id, hash FROM {table} WHERE id > ? AND id <= ? ORDER BY id", (first, last)
            )
            content = b"".join(row[0].to_bytes(8, "big") + row[1] for row in rows)
            digest = hashlib.sha256(content).hexdigest() if rows else ""
            if said[table] != [last, len(rows), digest]:
                yield f"seal {number} does not cover {last} {table}"
        if hashlib.sha256(before + _json([number, at_ms, body])).digest() != found:
            yield f"seal {number} does not follow from the one before"
        seen.sealed = (last_transfer, last_event, found)


# Of a round that was touched ------------------------------------------------------------------


def round_replays(model: Model, stored: Round) -> Iterator[str]:
    """The ledger's transfers match the replay of the round's record."""
    played = model.replay(stored)
    if played.settled != stored.over:
        yield f"round {stored.id} is {stored.state}, its answers lead elsewhere"
    found = {
        bet: (money.staked, money.back if money.settled else None)
        for bet, money in model.bets(stored.id).items()
    }
    expected = {
        bet: (cents, played.lines[bet].returned_cents if bet in played.lines else None)
        for bet, cents in played.stakes.items()
    }
    if found != expected:
        yield f"round {stored.id} moved {found}; its replay says {expected}"


def held_equals_unsettled(model: Model, stored: Round) -> Iterator[str]:
    """A round holds the staked and unsettled money, and nothing once it is over."""
    played = model.replay(stored)
    owed = sum(cents for bet, cents in played.stakes.items() if bet not in played.lines)
    if model.held(stored) != owed or (stored.over and owed):
        yield f"round {stored.id} ({stored.state}) holds {model.held(stored)}, not {owed}"


# Of what was acknowledged ---------------------------------------------------------------------


def acknowledged_is_kept(model: Model, heard: Iterable[tuple[Request, object]]) -> Iterator[str]:
    """Every acknowledged outcome is in the database."""
    for request, outcome in heard:
        if isinstance(outcome, bytes) and request.key is not None:
            table, name = (
                ("commands", "player_id") if request.token else ("operator_commands", "operator")
            )
            row = model.tx.row(
                f"SELECT reply FROM {table} WHERE {name} = ? AND key = ?",
                (request.owner, request.key),
            )
            if row is None or row[0] is None or unpack(row[0]) != outcome:
                yield f"the reply to {request} is not kept"
        elif isinstance(outcome, Seat):
            found = model.tx.row(
                "SELECT player_id, commitment FROM rounds WHERE id = ?", (outcome.round_id,)
            )
            if found != (request.owner, outcome.commitment):
                yield f"the seat given to {request} is not kept"
        elif isinstance(outcome, Guest | NewPlayer) and not model.tx.row(
            "SELECT 1 FROM players WHERE id = ?", (outcome.player_id,)
        ):
            yield f"the player {request} made is not kept"


def audit_finds_nothing(model: Model) -> Iterator[str]:
    """The house's own audit finds nothing."""
    try:
        found = audit(model.tx, model.dealer)
    except Refused as refusal:
        yield f"the audit cannot be made: {refusal}"
        return
    yield from (f"{each.table} {each.row}: {each.what}" for each in found.findings)


def cover_holds(model: Model) -> Iterator[str]:
    """Every key and seal is signed and matches its rows; later rows are in a tail."""
    tx, dealer = model.tx, model.dealer
    trust = Trust(dealer.public_key)
    checks = (
        check_keys(tx, trust),
        check_seals(tx, trust),
        check_tails(tx, IntegrityKey(dealer.integrity_key)),
    )
    for each in chain.from_iterable(checks):
        yield f"{each.table} {each.row}: {each.what}"


def _json(content: Sequence[object]) -> bytes:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()


STATE_CHECKS: dict[str, StateCheck] = {
    "conservation": conservation,
    "balances-fold": balances_fold,
    "no-negative": no_negative,
    "refused-changes-nothing": refused_changes_nothing,
    "one-open-round": one_open_round,
    "seed-revealed-only-at-end": seed_kept_until_end,
    "chain-holds": chain_holds,
    "seal-covers-everything": seal_covers_everything,
}
ROUND_CHECKS: dict[str, RoundCheck] = {
    "round-replays": round_replays,
    "held-equals-unsettled": held_equals_unsettled,
}
