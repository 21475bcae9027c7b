"""What a round put into its game's pot and won of it, held against its replay and the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapisvert.bank import jackpot, ledger, rates
from tapisvert.bank.jackpot import Pot, Stake
from tapisvert.bank.ledger import UNITS_PER_CENT
from tapisvert.rounds.posting import awarded
from tapisvert.rounds.records import Round
from tapisvert.sheets import Sheet, write_odds
from tapisvert.store import Row, Tx
from tapisvert.table import Transcript

REASONS = ("contribution", "award", "award-back", "reset")
Move = tuple[str, str, str, str, int]  # reason, debit, credit, currency, units


def check_pot(tx: Tx, stored: Round, sheet: Sheet, played: Transcript) -> Iterator[str]:
    """Check that a stake fed the pot once and with its share, and that an award is its claim."""
    row = tx.row("SELECT currency FROM players WHERE id = ?", (stored.player_id,))
    assert row is not None
    currency = row[0]
    pot = jackpot.find(tx, stored.game)
    staked = [bet for bet in sheet.pot_bets if bet in played.stakes]
    if currency == ledger.PLAY_MONEY or pot is None:
        staked = []
    moves: list[Move] = []
    parts = tx.rows(
        "SELECT kind, price_cents, units, rate_id FROM contributions WHERE round_id = ?"
        " ORDER BY kind",
        (stored.id,),
    )
    kinds = ["stake" for _ in staked]
    wins = awarded(currency, played.events)
    voided = tx.row("SELECT 1 FROM reversals WHERE round_id = ?", (stored.id,))
    kinds += ["void" for _ in wins if voided]
    if [part[0] for part in parts] != kinds:
        yield f"fed the pot by {[part[0] for part in parts]}; its replay says {kinds}"
        return
    if pot is not None and staked:
        cents = played.stakes[staked[0]]
        yield from _check_stake(tx, pot, currency, sheet, cents, parts[0])
        moves += _moves_of_stake(pot, currency, parts[0], tx)
    award = tx.row(
        "SELECT pot, share, award_units, reset_units, paid_cents, rate_id FROM awards"
        " WHERE round_id = ?",
        (stored.id,),
    )
    if (award is not None) != bool(wins):
        yield f"was{'' if award else ' not'} awarded a pot; its replay says otherwise"
    elif award is not None and pot is not None:
        yield from _check_award(pot, sheet, played, wins, award)
        moves += _moves_of_award(pot, currency, stored.player_id, award, voided=bool(voided))
        if voided and parts[-1][1:] != (0, award[2], award[5]):
            yield f"put {parts[-1][1:]} back into the pot; it was awarded {award}"
    found = tx.rows(
        "SELECT reason, debit, credit, currency, units FROM transfers WHERE round_id = ?"
        f" AND reason IN ({', '.join('?' for _ in REASONS)})",
        (stored.id, *REASONS),
    )
    if sorted(found) != sorted(moves):
        yield f"moved {sorted(found)} at the pot; it should be {sorted(moves)}"


def _check_stake(
    tx: Tx, pot: Pot, currency: str, sheet: Sheet, cents: int, part: Row
) -> Iterator[str]:
    _, price_cents, units, rate_id = part
    rate = rates.all_of(tx, pot.id).get(rate_id)
    if (rate.currency if rate else pot.currency) != currency:
        yield f"fed the pot in {currency} by no rate of it"
    elif (max(1, rate.convert(price_cents)) if rate else price_cents) != cents:
        yield f"paid {cents} for a bet of {price_cents} at the pot"
    assert sheet.jackpot is not None
    due = Stake("", price_cents, sheet.jackpot.contribution).units
    if units != due:
        yield f"fed the pot with {units}; its sheet says {due}"


def _moves_of_stake(pot: Pot, currency: str, part: Row, tx: Tx) -> list[Move]:
    rate = rates.all_of(tx, pot.id).get(part[3])
    paid = rate.convert(part[2]) if rate else part[2]
    return _legs("contribution", (pot.house, currency, paid), (pot.waiting, pot.currency, part[2]))


def _check_award(
    pot: Pot, sheet: Sheet, played: Transcript, wins: dict[str, int], award: Row
) -> Iterator[str]:
    ((bet, cents),) = wins.items()
    share = write_odds(sheet.pot_shares[played.lines[bet].row])
    if (award[0], award[1], award[4]) != (pot.id, share, cents):
        yield f"was awarded {award}; its replay says {cents} for {share}"


def _moves_of_award(
    pot: Pot, currency: str, player_id: str, award: Row, *, voided: bool
) -> list[Move]:
    _, _, units, reset_units, paid_cents, _ = award
    there = (pot.account, pot.currency, units)
    paid = paid_cents * UNITS_PER_CENT
    moves = _legs("award", there, (ledger.player_account(player_id), currency, paid))
    if reset_units:
        moves.append(("reset", pot.house, pot.account, pot.currency, reset_units))
    if voided:
        back = (pot.waiting, pot.currency, units)
        moves += _legs("award-back", (pot.house, currency, paid), back)
    return moves


def _legs(reason: str, out: Sequence[str | int], into: Sequence[str | int]) -> list[Move]:
    """Return how money goes from one account to another, of another currency perhaps."""
    if out[1] == into[1]:
        found = [(reason, out[0], into[0], out[1], out[2])]
    else:
        found = [
            (reason, out[0], f"fx:{out[1]}", out[1], out[2]),
            (reason, f"fx:{into[1]}", into[0], into[1], into[2]),
        ]
    return [(str(r), str(d), str(c), str(cur), int(u)) for r, d, c, cur, u in found if u]
