"""`tapis audit`: everything stored, held against what it was made from.

The ledger's own checks (bank/audit.py), then every round: its seed is the one committed to, and
replaying it gives the stakes, the settlements and the money that were stored.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

import msgspec
from msgspec import Struct

from tapisvert.bank import audit as books
from tapisvert.bank import ledger, seals
from tapisvert.bank.audit import Finding
from tapisvert.bank.jackpot_audit import check_pots
from tapisvert.games import edition
from tapisvert.rounds.dealer import Dealer
from tapisvert.rounds.posting import awarded
from tapisvert.rounds.pot_audit import REASONS as POT_REASONS
from tapisvert.rounds.pot_audit import check_pot
from tapisvert.rounds.records import (
    Round,
    mark_of,
    read_round,
    round_rows,
    stored_sheet,
    transcript_of,
)
from tapisvert.store import Row, Tx
from tapisvert.table import Transcript

_PAGE = 500
Moved = dict[tuple[str, str], int]  # cents by reason and bet


class Audit(Struct, frozen=True):
    """What an audit saw. `anchor` is the newest seal: keep it somewhere else."""

    findings: tuple[Finding, ...]
    transfers: int
    unsealed: int
    seals: int
    rounds: int
    anchor: str


def audit(
    tx: Tx,
    dealer: Dealer,
    anchor: bytes | None = None,
    progress: Callable[[int], None] = lambda rounds: None,
) -> Audit:
    """Check everything; findings name the first bad row of each kind."""
    findings = [
        *books.check_ledger(tx),
        *check_pots(tx),
        *books.check_events(tx),
        *books.check_seals(tx, anchor),
        *check_sheets(tx),
        *check_reversals(tx),
        *check_missing_rounds(tx),
    ]
    bare, seen = books.bare(tx).rounds, 0
    for row, moved in _rows_with_money(tx):
        seen += bool(moved)  # a deal that waits has moved nothing
        if seen % _PAGE == 0:
            progress(seen)
        wrong = next(check_row(tx, dealer, row, moved, bare), None)
        if wrong:
            findings.append(Finding("rounds", row[0], wrong))
            break
    counts = tx.row("SELECT (SELECT COUNT(*) FROM transfers), (SELECT COUNT(*) FROM seals)")
    assert counts is not None
    return Audit(
        findings=tuple(findings),
        transfers=counts[0],
        unsealed=books.unsealed(tx),
        seals=counts[1],
        rounds=seen,
        anchor=seals.last_seal(tx).hash.hex(),
    )


def check_row(tx: Tx, dealer: Dealer, row: Row, moved: Moved, bare: int) -> Iterator[str]:
    """Check one round: its record, its seed, its replay, its money. Rounds up to `bare` may be
    from before there were marks.
    """
    try:
        stored = read_round(row)
        seed = dealer.unseal(stored.sealed_seed, stored.id)
        if hashlib.sha256(seed).hexdigest() != stored.commitment:
            yield "its seed is not the one committed to"
        if stored.server_seed not in (None, seed):
            yield "the seed shown is not the one that was sealed"
        if stored.state not in ("seated", "retired"):
            played = transcript_of(tx, dealer, stored)
            yield from check_round(tx, stored, played, moved)
            sheet = stored_sheet(tx, stored.sheet_hash, edition(stored.game, stored.edition))
            if sheet.pot_bets:
                yield from check_pot(tx, stored, sheet, played)
            if stored.mark != mark_of(dealer, stored) and (stored.mark or stored.seq > bare):
                yield "its record is not the one that was written"
        elif moved:
            yield f"was never dealt, but the ledger moved {_told(moved)}"
    except Exception as error:  # whatever a row that nobody of ours wrote leads to
        yield f"cannot be replayed: {error!r}"


def check_round(tx: Tx, stored: Round, played: Transcript, moved: Moved) -> Iterator[str]:
    """Check one round against its replay and its money."""
    if played.settled != stored.over:
        yield f"is stored as {stored.state}, which its answers do not lead to"
    row = tx.row("SELECT currency FROM players WHERE id = ?", (stored.player_id,))
    awards = awarded(row[0] if row else "", played.events)
    expected, found = _expected(played, awards), {**moved}
    reversed_by = {reason: found.pop(reason) for reason in [*found] if reason[0] in _UNDOING}
    if found != expected:
        yield f"the ledger moved {_told(found)}; its replay says {_told(expected)}"
    staked = sum(played.stakes.values())
    returned = sum(line.returned_cents for line in played.lines.values())
    totals = tx.row("SELECT staked_cents, returned_cents FROM rounds WHERE id = ?", (stored.id,))
    if totals != (staked, returned if stored.over else None):
        yield f"has totals {totals}; its replay says {staked} and {returned}"
    held = ledger.balance_cents(tx, ledger.round_account(stored.id))
    owed = sum(cents for bet, cents in played.stakes.items() if bet not in played.lines)
    if held != owed:
        yield f"holds {held} cents; {owed} are staked and not settled"
    yield from _check_reversal(tx, stored, played, reversed_by)


def check_sheets(tx: Tx) -> Iterator[Finding]:
    """A sheet is known by the hash of its content."""
    for name, body in tx.rows("SELECT hash, body FROM sheets ORDER BY hash"):
        if hashlib.sha256(body).hexdigest() != name:
            yield Finding("sheets", name, "its content has another hash")
            return


def check_reversals(tx: Tx) -> Iterator[Finding]:
    """What is kept of a voided round is what the journal says of it."""
    told = {
        round_id: _reversal(data)
        for round_id, data in tx.rows(
            "SELECT round_id, data FROM significant_events WHERE kind = 'round_voided'"
        )
    }
    kept = tx.rows(
        "SELECT round_id, by, reason, given_cents, taken_cents, debt_cents FROM reversals"
    )
    for round_id, *written in kept:
        if told.pop(round_id, None) != tuple(written):
            yield Finding("reversals", round_id, "is not what the journal says of it")
            return
    for round_id in told:
        yield Finding("reversals", str(round_id), "is missing; the journal has it")
        return


def _reversal(told: str) -> tuple[object, ...]:
    """Return what the journal says of a voided round; nothing where it says nothing legible."""
    try:
        event = msgspec.json.decode(told)
        after = event["after"]
        return (event["by"], event["reason"], *(after[name] for name in _MOVED))
    except (msgspec.DecodeError, KeyError, TypeError):
        return ()


def check_missing_rounds(tx: Tx) -> Iterator[Finding]:
    """Money that was moved for a round has its round."""
    row = tx.row(
        "SELECT round_id, transfers.id FROM transfers LEFT JOIN rounds ON rounds.id = round_id"
        " AND rounds.player_id = transfers.player_id"
        " WHERE round_id IS NOT NULL AND rounds.id IS NULL ORDER BY transfers.id LIMIT 1"
    )
    if row is not None:
        yield Finding("rounds", row[0], f"is missing, or another player's; see transfer {row[1]}")


_UNDOING = ("reversal", "debt")
_MOVED = ("given_cents", "taken_cents", "debt_cents")


def _expected(played: Transcript, awards: Mapping[str, int]) -> Moved:
    """Return what the ledger must have moved for a round; what its pot paid is looked at apart."""
    moved: Moved = defaultdict(int)
    for bet, cents in played.stakes.items():
        moved["stake", bet] += cents
    for bet, line in played.lines.items():
        returned = 0 if bet in awards else line.returned_cents
        back = min(line.staked_cents, returned)
        moved["return", bet] += back
        moved["loss", bet] += line.staked_cents - back
        moved["win", bet] += returned - back
    return {key: cents for key, cents in moved.items() if cents}


def _check_reversal(
    tx: Tx, stored: Round, played: Transcript, moved: Mapping[tuple[str, str], int]
) -> Iterator[str]:
    """A voided round's net results are all moved back, and no other round's are."""
    row = tx.row("SELECT 1 FROM reversals WHERE round_id = ?", (stored.id,))
    nets = {
        bet: abs(line.returned_cents - line.staked_cents)
        for bet, line in played.lines.items()
        if row is not None and line.returned_cents != line.staked_cents
    }
    undone: dict[str, int] = defaultdict(int)
    for (_, bet), cents in moved.items():
        undone[bet] += cents
    if undone != nets:
        yield f"{_told(undone)} was reversed; its net results are {_told(nets)}"


def _rows_with_money(tx: Tx) -> Iterator[tuple[Row, Moved]]:
    """Walk through all rounds in the order of their ids, each with what the ledger moved for it."""
    last = ""
    while page := round_rows(tx, last, _PAGE):
        moved: dict[str, Moved] = defaultdict(dict)
        for round_id, reason, bet, units in tx.rows(
            "SELECT round_id, reason, bet, SUM(units) FROM transfers"
            " WHERE round_id > ? AND round_id <= ? GROUP BY round_id, reason, bet",
            (last, page[-1][0]),
        ):
            if reason not in POT_REASONS:
                moved[round_id][reason, bet or ""] = units // ledger.UNITS_PER_CENT
        for row in page:
            yield row, moved[row[0]]
        last = page[-1][0]


def _told(amounts: Mapping[str, int] | Mapping[tuple[str, str], int]) -> str:
    named = (
        f"{' '.join(key) if isinstance(key, tuple) else key} {cents}"
        for key, cents in sorted(amounts.items(), key=str)
    )
    return ", ".join(named) or "nothing"
