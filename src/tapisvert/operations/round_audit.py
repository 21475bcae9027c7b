"""Audit of one round: its record, seed, replay and money."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping

from tapisvert.bank import ledger, money
from tapisvert.dealing import Deal, shuffle
from tapisvert.engine import Transcript
from tapisvert.games.registry import GAMES, edition
from tapisvert.operations.jackpot_round_audit import check_pot
from tapisvert.rounds.repository import is_bare, totals
from tapisvert.rounds.round import Round, read_round, replayed
from tapisvert.rounds.seed_source import Dealer
from tapisvert.rounds.settlement import awarded
from tapisvert.rounds.stored_sheets import stored_sheet
from tapisvert.store import Row, Tx

Moved = dict[tuple[str, str], int]  # cents by reason and bet


def check_row(tx: Tx, dealer: Dealer | None, row: Row, moved: Moved) -> Iterator[str]:
    """Check one round: its record, seed, replay and money."""
    try:
        stored = read_round(row)
        if stored.state in ("seated", "retired") and not is_bare(tx, stored):
            yield "was never dealt, but its row has columns of a dealt round"
        seed = _seed(dealer, stored)
        if seed is None:
            return  # not revealed yet, and without the key it cannot be decrypted
        if hashlib.sha256(seed).hexdigest() != stored.commitment:
            yield "its seed does not match its commitment"
        if stored.server_seed not in (None, seed):
            yield "its revealed seed is not its encrypted seed"
        if stored.state in ("seated", "retired"):
            if moved:
                yield f"was never dealt, but its transfers are {_listed(moved)}"
        elif stored.game in GAMES:  # without its script it cannot be replayed
            yield from _check_play(tx, dealer, stored, seed, moved)
        if dealer and stored.state != "seated" and stored.mark != dealer.decks.mark(stored):
            yield "its record does not match its mark"
    except Exception as error:  # a forged row can raise any error
        yield f"cannot be replayed: {error!r}"


def _seed(dealer: Dealer | None, stored: Round) -> bytes | None:
    """Return a round's seed: decrypted with the key, or as revealed."""
    return dealer.unseal(stored.sealed_seed, stored.id) if dealer else stored.server_seed


def _check_play(
    tx: Tx, dealer: Dealer | None, stored: Round, seed: bytes, moved: Moved
) -> Iterator[str]:
    sheet = stored_sheet(tx, stored.sheet_hash, edition(stored.game, stored.edition))
    if dealer is not None:
        deck = dealer.decks.of(stored, sheet)
    else:
        deal = Deal(stored.game, stored.sheet_hash, stored.id, stored.client_seed or "")
        deck = shuffle(seed, deal, sheet.deck)
    played = replayed(stored, sheet, deck)
    yield from check_round(tx, stored, played, moved)
    if sheet.pot_bets:
        yield from check_pot(tx, stored, sheet, played)


def check_round(tx: Tx, stored: Round, played: Transcript, moved: Moved) -> Iterator[str]:
    """Check one round against its replay and its money."""
    if played.settled != stored.over:
        ends = "ends" if played.settled else "does not end"
        yield f"is stored as {stored.state}; its replay {ends}"
    row = tx.row("SELECT currency FROM players WHERE id = ?", (stored.player_id,))
    awards = awarded(row[0] if row else "", played.events)
    expected, found = _expected(played, awards), {**moved}
    reversed_by = {reason: found.pop(reason) for reason in [*found] if reason[0] in _UNDOING}
    if found != expected:
        yield f"its transfers are {_listed(found)}; its replay gives {_listed(expected)}"
    staked = sum(played.stakes.values())
    returned = sum(line.returned_cents for line in played.lines.values())
    sums = totals(tx, stored.id)
    if sums != (staked, returned if stored.over else None):
        yield f"stores {sums} as staked, returned; its replay gives {staked} and {returned}"
    held = ledger.balance_cents(tx, money.round_account(stored.id))
    owed = sum(cents for bet, cents in played.stakes.items() if bet not in played.lines)
    if held != owed:
        yield f"holds {held} cents; {owed} are staked and not settled"
    yield from _check_reversal(tx, stored, played, reversed_by)


_UNDOING = ("reversal", "debt")


def _expected(played: Transcript, awards: Mapping[str, int]) -> Moved:
    """Return the transfers a round must have; payments of its pot are checked separately."""
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
    """Check that the net results of a round were reversed if, and only if, it has a reversal."""
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
        yield f"its reversal moved {_listed(undone)}; its net results are {_listed(nets)}"


def _listed(amounts: Mapping[str, int] | Mapping[tuple[str, str], int]) -> str:
    named = (
        f"{' '.join(key) if isinstance(key, tuple) else key} {cents}"
        for key, cents in sorted(amounts.items(), key=str)
    )
    return ", ".join(named) or "nothing"
