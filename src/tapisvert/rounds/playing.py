"""Opening a round and answering its questions: where events become money.

The ledger follows the events: a `staked` event moves the stake into the round's account, a
`settled` event closes it. Both happen in the transaction that stores the answer, so there is
never a card without its stake or a result without its payment.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tapisvert.bank import ledger
from tapisvert.dealing import CLIENT_SEED_BYTES_MAX, Deal
from tapisvert.games import edition
from tapisvert.refusal import Refused
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.gate import may_stake
from tapisvert.rounds.messages import ChoiceRequest, OpenRequest
from tapisvert.rounds.records import Round, deck_of, load_round, stored_sheet
from tapisvert.sheets import sheet_hash
from tapisvert.store import Tx
from tapisvert.table import AnyEvent, Claim, Transcript, play
from tapisvert.table import events as ev


def open_round(desk: Desk, asked: OpenRequest) -> Transcript:
    """Stake on a pending deal and deal it."""
    tx, player = desk.tx, desk.player
    game, number, sealed = _pending_deal(desk, asked)
    may_stake(desk, game)
    sheet = desk.sheet_of(game)
    seed = desk.dealer.unseal(sealed, asked.round_id)
    deal = Deal(game, sheet_hash(sheet), asked.round_id, asked.client_seed)
    deck = desk.dealer.deck(seed, deal, sheet.deck)
    played = play(edition(game, number).script, sheet, deck, asked.stakes, [], _bank)
    balance = ledger.balance_cents(tx, ledger.player_account(player.id))
    ledger.open_account(tx, ledger.round_account(asked.round_id), player.currency)
    _post(tx, desk.purse(asked.round_id), game, played.events)
    tx.run(
        "UPDATE rounds SET state = 'open', client_seed = ?, stakes = ?, answers = ?,"
        " opened_at_ms = ?, staked_cents = ?, balance_before_cents = ?"
        " WHERE id = ? AND state = 'seated'",
        (
            asked.client_seed,
            msgspec.json.encode(_placed(played)).decode(),
            msgspec.json.encode(played.answers).decode(),
            desk.now_ms,
            sum(played.stakes.values()),
            balance,
            asked.round_id,
        ),
    )
    if played.settled:
        _end(tx, desk.purse(asked.round_id), played, seed)
    return played


def choose(desk: Desk, round_id: str, asked: ChoiceRequest) -> Transcript:
    """Answer the question a round waits on."""
    stored = load_round(desk.tx, desk.player.id, round_id)
    if stored.over and asked.step >= stored.steps_answered:
        raise Refused("round/ended", round_id=round_id)
    if asked.step != stored.steps_answered:
        raise Refused("round/stale_step", round_id=round_id, step=stored.steps_answered)
    played = _answer(desk, stored, asked.choice)
    first_new = next(
        event.n
        for event in played.events
        if isinstance(event, ev.Chose) and event.step == asked.step
    )
    _post(desk.tx, desk.purse(round_id), stored.game, played.events[first_new:])
    desk.tx.run(
        "UPDATE rounds SET answers = ?, staked_cents = ? WHERE id = ? AND state = 'open'",
        (
            msgspec.json.encode(played.answers).decode(),
            sum(played.stakes.values()),
            round_id,
        ),
    )
    if played.settled:
        seed = desk.dealer.unseal(stored.sealed_seed, round_id)
        _end(desk.tx, desk.purse(round_id), played, seed)
    return played


def _answer(desk: Desk, stored: Round, choice: str) -> Transcript:
    played_by = edition(stored.game, stored.edition)
    sheet = stored_sheet(desk.tx, stored.sheet_hash, played_by)
    deck = deck_of(desk.dealer, stored, sheet)
    return play(
        played_by.script, sheet, deck, stored.stakes, [choice], _bank, answers=stored.answers
    )


def _pending_deal(desk: Desk, asked: OpenRequest) -> tuple[str, int, bytes]:
    """Return game, edition and sealed seed of the pending deal that a request names."""
    row = desk.tx.row(
        "SELECT game, edition, sealed_seed, sheet_hash, commitment, state FROM rounds"
        " WHERE id = ? AND player_id = ?",
        (asked.round_id, desk.player.id),
    )
    if row is not None and row[5] == "open":
        raise Refused("round/already_open", round_id=asked.round_id)
    if row is None or row[5] != "seated" or row[4] != asked.commitment:
        raise Refused("seat/unknown")
    if row[3] != sheet_hash(desk.sheet_of(row[0])):
        raise Refused("seat/stale")
    if not 1 <= len(asked.client_seed.encode()) <= CLIENT_SEED_BYTES_MAX:
        raise Refused("seat/client_seed", max_bytes=CLIENT_SEED_BYTES_MAX)
    return row[0], row[1], row[2]


def _placed(played: Transcript) -> dict[str, int]:
    """Return the stakes placed before the deal, in the order of the layout."""
    placed: dict[str, int] = {}
    for event in played.events:
        if not isinstance(event, ev.Staked):
            break
        placed[event.bet] = event.cents
    return placed


def _post(tx: Tx, purse: ledger.Purse, game: str, events: Sequence[AnyEvent]) -> None:
    """Move the money these events speak of."""
    stakes: dict[str, int] = {}
    for event in events:
        if isinstance(event, ev.Staked):
            stakes[event.bet] = stakes.get(event.bet, 0) + event.cents
    if stakes:
        ledger.hold(tx, purse, stakes)
    for event in events:
        if isinstance(event, ev.Settled):
            ledger.settle(
                tx, purse, f"house:{game}", event.bet, event.staked_cents, event.returned_cents
            )


def _end(tx: Tx, purse: ledger.Purse, played: Transcript, seed: bytes) -> None:
    """Close the round and reveal its seed."""
    assert purse.round_id is not None
    held = ledger.balance_cents(tx, ledger.round_account(purse.round_id))
    assert held == 0, "a settled round holds nothing"
    tx.run(
        "UPDATE rounds SET state = 'settled', server_seed = ?, ended_at_ms = ?,"
        " returned_cents = ?, balance_after_cents = ? WHERE id = ? AND state = 'open'",
        (
            seed,
            purse.at_ms,
            sum(line.returned_cents for line in played.lines.values()),
            ledger.balance_cents(tx, ledger.player_account(purse.player_id)),
            purse.round_id,
        ),
    )


def _bank(claim: Claim) -> int:
    raise AssertionError(f"no game here claims from a pot, but {claim.bet} does")
