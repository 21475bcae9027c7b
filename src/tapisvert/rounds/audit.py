"""`tapis audit`: everything stored, held against what it was made from.

The ledger's own checks (bank/audit.py), then every round: its seed is the one committed to, and
replaying it gives the stakes, the settlements and the money that were stored.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from tapisvert.bank import audit as books
from tapisvert.bank import ledger, seals
from tapisvert.bank.audit import Finding
from tapisvert.refusal import Refused
from tapisvert.rounds.dealer import Dealer
from tapisvert.rounds.records import Round, played_rounds, transcript_of
from tapisvert.store import Tx
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
    seen = 0
    findings = [
        *books.check_ledger(tx),
        *books.check_events(tx),
        *books.check_seals(tx, anchor),
    ]
    for stored, moved in _rounds_with_money(tx):
        seen += 1
        if seen % _PAGE == 0:
            progress(seen)
        wrong = next(check_round(tx, dealer, stored, moved), None)
        if wrong:
            findings.append(wrong)
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


def check_round(tx: Tx, dealer: Dealer, stored: Round, moved: Moved) -> Iterator[Finding]:
    """Check one round against its replay and its money."""

    def wrong(what: str) -> Finding:
        return Finding("rounds", stored.id, what)

    if stored.server_seed is not None:
        committed = hashlib.sha256(stored.server_seed).hexdigest()
        if committed != stored.commitment:
            yield wrong("its seed is not the one committed to")
    try:
        seed = dealer.unseal(stored.sealed_seed, stored.id)
        played = transcript_of(tx, dealer, stored)
    except Refused as refusal:
        yield wrong(f"cannot be replayed: {refusal}")
        return
    if stored.server_seed not in (None, seed):
        yield wrong("the seed shown is not the one that was sealed")
    if played.settled != stored.over:
        yield wrong(f"is stored as {stored.state}, which its answers do not lead to")
    expected, found = _expected(played), {**moved}
    reversed_by = {reason: found.pop(reason) for reason in [*found] if reason[0] in _UNDOING}
    if found != expected:
        yield wrong(f"the ledger moved {_told(found)}; its replay says {_told(expected)}")
    held = ledger.balance_cents(tx, ledger.round_account(stored.id))
    owed = sum(cents for bet, cents in played.stakes.items() if bet not in played.lines)
    if held != owed:
        yield wrong(f"holds {held} cents; {owed} are staked and not settled")
    yield from (wrong(what) for what in _check_reversal(tx, stored, played, reversed_by))


_UNDOING = ("reversal", "debt")


def _expected(played: Transcript) -> Moved:
    """Return what the ledger must have moved for a round."""
    moved: Moved = defaultdict(int)
    for bet, cents in played.stakes.items():
        moved["stake", bet] += cents
    for bet, line in played.lines.items():
        back = min(line.staked_cents, line.returned_cents)
        moved["return", bet] += back
        moved["loss", bet] += line.staked_cents - back
        moved["win", bet] += line.returned_cents - back
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


def _rounds_with_money(tx: Tx) -> Iterator[tuple[Round, Moved]]:
    """Walk through all rounds in the order of their ids, each with what the ledger moved for it."""
    last = ""
    while page := played_rounds(tx, last, _PAGE):
        moved: dict[str, Moved] = defaultdict(dict)
        for round_id, reason, bet, units in tx.rows(
            "SELECT round_id, reason, bet, SUM(units) FROM transfers"
            " WHERE round_id > ? AND round_id <= ? GROUP BY round_id, reason, bet",
            (last, page[-1].id),
        ):
            moved[round_id][reason, bet or ""] = units // ledger.UNITS_PER_CENT
        for stored in page:
            yield stored, moved[stored.id]
        last = page[-1].id


def _told(amounts: Mapping[str, int] | Mapping[tuple[str, str], int]) -> str:
    named = (
        f"{' '.join(key) if isinstance(key, tuple) else key} {cents}"
        for key, cents in sorted(amounts.items(), key=str)
    )
    return ", ".join(named) or "nothing"
