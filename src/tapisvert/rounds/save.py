"""Saving the outcomes of a group of commands, in a few statements for the whole group."""

from __future__ import annotations

from collections.abc import Sequence

from tapisvert.bank import awards, jackpot, journal, ledger
from tapisvert.rounds import command_records, repository, reversal_repository, stored_sheets
from tapisvert.rounds.draft import Writes
from tapisvert.store import Tx


def save(tx: Tx, group: Sequence[Writes]) -> None:
    """Write the rows of a group, in an order that satisfies the constraints."""
    stored_sheets.store_sheets(tx, {sheet.hash: sheet for each in group for sheet in each.sheets})
    # Retire a replaced seat before inserting the next: a unique index allows one seat at a time.
    repository.change_rounds(tx, [change for each in group for change in each.changes])
    repository.add_seats(tx, [seat for each in group for seat in each.seats])
    ledger.open_accounts(tx, [account for each in group for account in each.accounts])
    jackpot.append(tx, [part for each in group for part in each.contributions])
    last = {player_id: link for each in group for player_id, link in each.last.items()}
    ledger.post(tx, [movement for each in group for movement in each.movements], last)
    for each in group:
        if each.award is not None:
            awards.write(tx, *each.award)
    reversal_repository.add_reversals(tx, [row for each in group for row in each.reversals])
    for round_id in [unseen for each in group for unseen in each.unseen]:
        repository.set_seen(tx, round_id, seen=False)
    journal.append(tx, [event for each in group for event in each.events])
    command_records.add_commands(tx, [each.command for each in group if each.command is not None])
