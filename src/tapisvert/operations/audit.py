"""`tapis audit`: recompute every stored value from its source and compare.

- schema: as the migrations make it, and as the newest seal records it
- ledger, journal, command replies: hash chains, hashes, balances and sums (bank/audit.py)
- pots: sums, folds and awards (bank/jackpot_audit.py)
- keys, seals, tails: signatures, digests, and no long gap (bank/seal_audit.py)
- sheets: hash, game, use
- operators' acts: switches, rates, voids and others rebuilt from the journal (operator_audit.py)
- transfers: each names an existing round of its player
- marks: sessions, operators, pots and the key check value (mark_audit.py)
- rounds: seed, replay, totals, transfers and mark (round_audit.py, jackpot_round_audit.py)

Tails and marks need the house key.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct

from tapisvert.bank import audit as books
from tapisvert.bank import keys, money
from tapisvert.bank.audit import Finding
from tapisvert.bank.jackpot_audit import check_pots
from tapisvert.bank.seal_audit import (
    Trust,
    check_keys,
    check_lateness,
    check_seals,
    check_tails,
    first_signed,
    unsealed,
)
from tapisvert.bank.seals import Seal, last_seal
from tapisvert.games.registry import GAMES
from tapisvert.operations.jackpot_round_audit import REASONS as POT_REASONS
from tapisvert.operations.mark_audit import check_facts, check_marks
from tapisvert.operations.operator_audit import check_acts
from tapisvert.operations.round_audit import Moved, check_row
from tapisvert.operations.uninstalled import uninstalled
from tapisvert.rounds.repository import round_rows
from tapisvert.rounds.round import Round
from tapisvert.rounds.seed_source import Dealer
from tapisvert.store import Row, Tx
from tapisvert.store.schema import Schema, digest, first_difference
from tapisvert.store.tails import IntegrityKey

_PAGE = 500
_SERVER_SEED, _GAME = map(Round.__struct_fields__.index, ("server_seed", "game"))


class Audit(Struct, frozen=True):
    """The result of an audit. `anchor` is the hash of the newest seal: note it outside the
    database.
    """

    findings: tuple[Finding, ...]
    transfers: int
    unsealed: int
    seals: int
    rounds: int
    anchor: str
    public_key: str
    covered_since_ms: int
    left_out: tuple[str, ...] = ()  # checks skipped for lack of the house key
    uninstalled: tuple[str, ...] = ()  # rounds of games not installed: they cannot be replayed


class Given(Struct, frozen=True):
    """The auditor's inputs: a public key, a noted seal, and the schema."""

    public_key: bytes | None = None  # None: use the house's own
    anchor: bytes | None = None
    schema: Schema | None = None  # of this database
    wanted: Schema | None = None  # as migrations make it, if known


NOTHING = Given()


def audit(
    tx: Tx,
    dealer: Dealer | None,
    given: Given = NOTHING,
    progress: Callable[[int], None] = lambda rounds: None,
) -> Audit:
    """Run every check; findings name the first bad row of each kind.

    The dealer holds the house key. Without a dealer, the checks that need the key are skipped.
    """
    public_key = given.public_key or (dealer.public_key if dealer else b"")
    trust = Trust(public_key, given.anchor)
    first = first_signed(tx)
    findings = [
        *check_schema(tx, given),
        *_tried("transfers", books.check_ledger(tx, first.reach)),
        *_tried("jackpots", check_pots(tx)),
        *_tried("significant_events", books.check_events(tx, first.reach)),
        *_tried("commands", books.check_commands(tx, first.reach)),
        *_tried("keys", check_keys(tx, trust)),
        *_tried("seals", check_seals(tx, trust)),
        *_tried("seals", check_lateness(tx)),
        *_tried("sheets", check_sheets(tx)),
        *_tried("significant_events", check_acts(tx)),
        *_tried("transfers", check_missing_rounds(tx)),
    ]
    left_out = ["the tails after the last seal", "the marks of sessions, operators and pots"]
    if dealer is not None:
        integrity, left_out = IntegrityKey(dealer.integrity_key), []
        findings += _tried("tails", check_tails(tx, integrity))
        findings += _tried("sessions", check_marks(tx, integrity))
        findings += _tried("facts", check_facts(tx, integrity))
    counted = _Counted(progress)
    findings += _tried("rounds", check_rounds(tx, dealer, counted))
    if dealer is None:
        left_out += ["the marks of rounds", f"{counted.hidden} deals that are not revealed yet"]
    return _seen(tx, findings, counted.seen, first, left_out)


class _Counted:
    """The number of rounds the audit has checked so far."""

    def __init__(self, progress: Callable[[int], None]) -> None:
        self._progress = progress
        self.seen = self.hidden = 0

    def count(self, row: Row, moved: Moved) -> None:
        """Count a round."""
        self.seen += bool(moved) and row[_GAME] in GAMES  # a pending deal has moved no money
        self.hidden += row[_SERVER_SEED] is None
        if self.seen % _PAGE == 0:
            self._progress(self.seen)


def check_rounds(tx: Tx, dealer: Dealer | None, counted: _Counted) -> Iterator[Finding]:
    """Replay every round; yield the first error."""
    for row, moved in _rows_with_money(tx):
        counted.count(row, moved)
        wrong = next(check_row(tx, dealer, row, moved), None)
        if wrong:
            yield Finding("rounds", row[0], wrong)
            return


def _tried(table: str, checks: Iterator[Finding]) -> Iterator[Finding]:
    """Yield the findings of one check; an exception, as from a forged row, is one too."""
    try:
        yield from checks
    except Exception as error:
        yield Finding(table, "", f"cannot be checked: {error!r}")


def _seen(
    tx: Tx, findings: Sequence[Finding], rounds: int, first: Seal, left_out: Sequence[str]
) -> Audit:
    counts = tx.row("SELECT (SELECT COUNT(*) FROM transfers), (SELECT COUNT(*) FROM seals)")
    assert counts is not None
    known = keys.all_keys(tx)
    return Audit(
        findings=tuple(findings),
        transfers=counts[0],
        unsealed=unsealed(tx),
        seals=counts[1],
        rounds=rounds,
        anchor=_hex(last_seal(tx).hash),
        public_key=_hex(known[-1].public_key) if known else "",
        covered_since_ms=first.at_ms,
        left_out=tuple(left_out),
        uninstalled=uninstalled(tx),
    )


def _hex(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else ""  # a forged value can have any type


def check_schema(tx: Tx, given: Given) -> Iterator[Finding]:
    """Check the schema against the migrations and against the newest seal."""
    if given.schema is None:
        return
    wrong = first_difference(given.schema, given.wanted or given.schema)
    if wrong is not None:
        yield Finding("schema", "", wrong)
    elif last_seal(tx).content.schema not in ("", digest(given.schema)):
        yield Finding("schema", "", "does not match the newest seal")


def check_sheets(tx: Tx) -> Iterator[Finding]:
    """Check the hash and the game of each sheet, that it is in use, and that none is missing."""
    for name, game, body in tx.rows("SELECT hash, game, body FROM sheets ORDER BY hash"):
        if hashlib.sha256(body).hexdigest() != name:
            yield Finding("sheets", name, "its content does not match its hash")
            return
        if msgspec.json.decode(body)["game"] != game:
            yield Finding("sheets", name, f"is not a sheet of {game}")
            return
    row = tx.row(
        "SELECT hash FROM sheets LEFT JOIN rounds ON rounds.sheet_hash = hash"
        " LEFT JOIN own_rules ON own_rules.sheet_hash = hash"
        " WHERE rounds.id IS NULL AND own_rules.player_id IS NULL LIMIT 1"
    )
    if row is not None:
        yield Finding("sheets", row[0], "is used by no round and no player's own rules")
    row = tx.row(
        "SELECT sheet_hash FROM rounds LEFT JOIN sheets ON hash = sheet_hash WHERE hash IS NULL"
        " LIMIT 1"
    )
    if row is not None:
        yield Finding("sheets", row[0], "is missing, but rounds use it")


def check_missing_rounds(tx: Tx) -> Iterator[Finding]:
    """Check that every transfer of a round names an existing round of its player."""
    row = tx.row(
        "SELECT round_id, transfers.id FROM transfers LEFT JOIN rounds ON rounds.id = round_id"
        " AND rounds.player_id = transfers.player_id"
        " WHERE round_id IS NOT NULL AND rounds.id IS NULL ORDER BY transfers.id LIMIT 1"
    )
    if row is not None:
        what = f"is missing or of another player, but transfer {row[1]} names it"
        yield Finding("rounds", row[0], what)


def _rows_with_money(tx: Tx) -> Iterator[tuple[Row, Moved]]:
    """Yield all rounds by ascending id, each with the sums of its transfers."""
    last = ""
    while page := round_rows(tx, last, _PAGE):
        moved: dict[str, Moved] = defaultdict(dict)
        for round_id, reason, bet, units in tx.rows(
            "SELECT round_id, reason, bet, SUM(units) FROM transfers"
            " WHERE round_id > ? AND round_id <= ? GROUP BY round_id, reason, bet",
            (last, page[-1][0]),
        ):
            if reason not in POT_REASONS:
                moved[round_id][reason, bet or ""] = units // money.UNITS_PER_CENT
        for row in page:
            yield row, moved[row[0]]
        last = page[-1][0]
