"""Audit of a round's contributions and awards against its replay and the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tapisvert.bank import jackpot, money, rate_repository
from tapisvert.bank.money import UNITS_PER_CENT
from tapisvert.bank.pot import Pot, Stake
from tapisvert.engine import Transcript
from tapisvert.engine.sheet import Sheet, write_odds
from tapisvert.rounds.round import Round
from tapisvert.rounds.settlement import awarded
from tapisvert.store import Row, Tx

REASONS = ("contribution", "award", "award-back", "reset")
Move = tuple[str, str, str, str, int]  # reason, debit, credit, currency, units


def check_pot(tx: Tx, stored: Round, sheet: Sheet, played: Transcript) -> Iterator[str]:
    """Check that a stake contributed once, with its share, and that an award matches its claim."""
    row = tx.row("SELECT currency FROM players WHERE id = ?", (stored.player_id,))
    assert row is not None
    currency, pot = row[0], jackpot.find(tx, stored.game)
    parts = tx.rows(
        "SELECT kind, price_cents, units, rate_id FROM contributions WHERE round_id = ?"
        " ORDER BY kind",
        (stored.id,),
    )
    staked = [bet for bet in sheet.pot_bets if bet in played.stakes]
    if currency == money.PLAY_MONEY or pot is None:
        staked = []
    wins = awarded(currency, played.events)
    voided = tx.row("SELECT 1 FROM reversals WHERE round_id = ?", (stored.id,)) is not None
    kinds = ["stake" for _ in staked] + ["void" for _ in wins if voided]
    if [part[0] for part in parts] != kinds:
        yield f"has contributions {[part[0] for part in parts]}; its replay gives {kinds}"
    elif pot is not None:
        cents = [played.stakes[bet] for bet in staked]
        yield from _check_stakes(tx, pot, currency, sheet, cents, parts)
        yield from _check_award(tx, pot, stored, sheet, played, wins, parts)
        yield from _check_moves(tx, pot, stored, currency, parts, voided=voided)


def _check_stakes(
    tx: Tx, pot: Pot, currency: str, sheet: Sheet, staked: Sequence[int], parts: Sequence[Row]
) -> Iterator[str]:
    for cents, (_, price_cents, units, rate_id) in zip(staked, parts, strict=False):
        rate = rate_repository.all_of(tx, pot.id).get(rate_id)
        if (rate.currency if rate else pot.currency) != currency:
            yield f"contributed in {currency}; its rate is missing or of another currency"
        elif (price := max(1, rate.convert(price_cents)) if rate else price_cents) != cents:
            yield f"staked {cents} cents; its contribution's price of {price_cents} gives {price}"
        assert sheet.jackpot is not None
        due = Stake("", price_cents, sheet.jackpot.contribution).units
        if units != due:
            yield f"contributed {units} units; its sheet requires {due}"


def _check_award(
    tx: Tx,
    pot: Pot,
    stored: Round,
    sheet: Sheet,
    played: Transcript,
    wins: Mapping[str, int],
    parts: Sequence[Row],
) -> Iterator[str]:
    """Compare the award of a round with its claim, and a void's repayment with the award."""
    award = _award_of(tx, stored)
    if (award is not None) != bool(wins):
        yield f"has {'an' if award else 'no'} award; its replay has {'one' if wins else 'none'}"
    for bet, cents in wins.items():
        share = write_odds(sheet.pot_shares[played.lines[bet].row])
        given = None if award is None else (award[0], award[1], award[4])
        if given is not None and given != (pot.id, share, cents):
            due = (pot.id, share, cents)
            yield f"was awarded {given} as pot, share, cents; its replay gives {due}"
    for back in [part[1:] for part in parts if part[0] == "void"]:
        taken = None if award is None else (0, award[2], award[5])
        if taken is not None and back != taken:
            yield f"returned {back} as price, units, rate to the pot; its award gives {taken}"


def _award_of(tx: Tx, stored: Round) -> Row | None:
    return tx.row(
        "SELECT pot, share, award_units, reset_units, paid_cents, rate_id FROM awards"
        " WHERE round_id = ?",
        (stored.id,),
    )


def _check_moves(
    tx: Tx, pot: Pot, stored: Round, currency: str, parts: Sequence[Row], *, voided: bool
) -> Iterator[str]:
    """Compare every transfer of the pot with the rows it derives from."""
    moves: list[Move] = []
    for _, _, units, rate_id in [part for part in parts if part[0] == "stake"]:
        rate = rate_repository.all_of(tx, pot.id).get(rate_id)
        taken = (pot.house, currency, rate.convert(units) if rate else units)
        moves += _legs("contribution", taken, (pot.waiting, pot.currency, units))
    award = _award_of(tx, stored)
    if award is not None:
        moves += _moves_of_award(pot, currency, stored.player_id, award, voided=voided)
    found = tx.rows(
        "SELECT reason, debit, credit, currency, units FROM transfers WHERE round_id = ?"
        f" AND reason IN ({', '.join('?' for _ in REASONS)})",
        (stored.id, *REASONS),
    )
    if sorted(found) != sorted(moves):
        yield f"has pot transfers {sorted(found)}; its rows give {sorted(moves)}"


def _moves_of_award(
    pot: Pot, currency: str, player_id: str, award: Row, *, voided: bool
) -> list[Move]:
    _, _, units, reset_units, paid_cents, _ = award
    there = (pot.account, pot.currency, units)
    paid = paid_cents * UNITS_PER_CENT
    moves = _legs("award", there, (money.player_account(player_id), currency, paid))
    if reset_units:
        moves.append(("reset", pot.house, pot.account, pot.currency, reset_units))
    if voided:
        back = (pot.waiting, pot.currency, units)
        moves += _legs("award-back", (pot.house, currency, paid), back)
    return moves


def _legs(reason: str, out: Sequence[str | int], into: Sequence[str | int]) -> list[Move]:
    """Return the transfers from one account to another, through `fx:` if the currencies differ."""
    if out[1] == into[1]:
        found = [(reason, out[0], into[0], out[1], out[2])]
    else:
        found = [
            (reason, out[0], f"fx:{out[1]}", out[1], out[2]),
            (reason, f"fx:{into[1]}", into[0], into[1], into[2]),
        ]
    return [(str(r), str(d), str(c), str(cur), int(u)) for r, d, c, cur, u in found if u]
