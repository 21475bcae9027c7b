"""Invariants of the money that committed units move.

The first checks get the model before the unit, the others the model after it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from simulation.letters import Moved, Unit
from simulation.model import CENT, SETTLING, Model
from simulation.unit_checks import Check
from tapisvert.engine.events import Asked

GRANT_CENTS = 100_000
LEAST_STAKE_CENTS = 100
_CASHIER = {"deposit": "deposit", "withdraw": "withdrawal", "pay-debt": "debt-paid"}
POT_CURRENCY = "CHF"
_AT_THE_POT = ("reset", "contribution", "fold", "award", "award-back")
_JOURNAL = {
    "deposit": "deposit",
    "withdraw": "withdrawal",
    "pay-debt": "debt_paid",
    "void": "round_voided",
    "stop": "stopped",
    "resume": "resumed",
    "new-token": "token_replaced",
    "player": "player_created",
    "tick": "round_expired",
}


# Before the unit ------------------------------------------------------------------------------


def stake_is_held(model: Model, unit: Unit) -> Iterator[str]:
    """Opening a round moves exactly the requested stakes into it."""
    if unit.request.kind == "open" and unit.done and unit.effect:
        held = Counter[str]()
        for moved in unit.transfers:
            if moved.reason == "stake" and moved.bet is not None:
                held[moved.bet] += moved.units // CENT
        if held != unit.request.asked.stakes:
            yield f"staked {unit.request.asked.stakes}, held {dict(held)}"


def settled_once(model: Model, unit: Unit) -> Iterator[str]:
    """A bet is settled once and completely: return and loss make up its stake."""
    settling = [moved for moved in unit.transfers if moved.reason in SETTLING]
    for (round_id, bet, reason), times in Counter(map(_of_bet, settling)).items():
        if times > 1 or (round_id and model.bets(round_id)[bet or ""].settled):
            yield f"{bet} of round {round_id}: another {reason}"
    for moved in settling:
        every = [*model.moves[moved.round_id or ""], *unit.transfers]
        ours = [each for each in every if (each.round_id, each.bet) == (moved.round_id, moved.bet)]
        staked = sum(each.units for each in ours if each.reason == "stake")
        closed = sum(each.units for each in ours if each.reason in ("return", "loss"))
        if staked != closed:
            yield f"{moved.bet} of round {moved.round_id}: staked {staked}, closed {closed}"


def cashier_as_asked(model: Model, unit: Unit) -> Iterator[str]:
    """Real money moves in and out only as an operator commands."""
    kind, player = unit.request.kind, unit.request.player_id
    found = [moved for moved in unit.transfers if moved.reason in _CASHIER.values()]
    repeated = (unit.request.owner, unit.request.key or "") in model.first
    if kind not in _CASHIER or not unit.done or repeated or player is None:
        expected = []
    else:
        cents = unit.request.asked
        if kind == "pay-debt":
            cents = min(model.debt(player), model.balance(player))
        mine, other = f"player:{player}", f"cashier:{model.currency[player]}"
        sides = {
            "deposit": (other, mine),
            "withdraw": (mine, other),
            "pay-debt": (mine, f"debt:{player}"),
        }[kind]
        expected = [(*sides, cents * CENT)] if cents else []
    if [(moved.debit, moved.credit, moved.units) for moved in found] != expected:
        yield f"{unit.request} moved {found}, not {expected}"


def no_payout_in_debt(model: Model, unit: Unit) -> Iterator[str]:
    """A player in debt cannot withdraw."""
    for moved in unit.transfers:
        if moved.reason == "withdrawal" and model.debt(moved.player_id or ""):
            yield f"{moved.player_id} owes and was paid {moved.units // CENT}"


def play_money_when_broke(model: Model, unit: Unit) -> Iterator[str]:
    """A guest gets play money at the start, and again only when unable to go on."""
    grants = [moved for moved in unit.transfers if moved.reason == "grant"]
    if unit.request.kind not in ("guest", "more"):
        if grants:
            yield f"{unit.request} granted play money"
        return
    for moved in grants:
        player = moved.player_id or ""
        if moved.units != GRANT_CENTS * CENT or moved.currency != "FUN" or len(grants) > 1:
            yield f"granted {moved.units} {moved.currency}"
        if unit.request.kind == "more" and model.balance(player) >= _needed(model, player):
            yield f"{player} has {model.balance(player)} and was granted more"


def void_gives_back(model: Model, unit: Unit) -> Iterator[str]:
    """A void refunds unsettled stakes; an operator's void also reverses every net result."""
    for round_id, moves in _voided(unit).items():
        stored = model.rounds[round_id]
        expected, _ = _fair_void(model, unit, round_id)
        got = _net(moves, f"player:{stored.player_id}")
        if got != expected:
            yield f"round {round_id} gave its player {got}, not {expected}"
        left = model.held(stored) + _net(moves, f"round:{round_id}")
        if left:
            yield f"round {round_id} still holds {left}"


def debt_recorded(model: Model, unit: Unit) -> Iterator[str]:
    """The part of a reversal that cannot be taken is recorded as a debt, to the cent."""
    for round_id, moves in _voided(unit).items():
        stored = model.rounds[round_id]
        _, expected = _fair_void(model, unit, round_id)
        owed = -_net(moves, f"debt:{stored.player_id}")
        if owed != expected:
            yield f"round {round_id} left a debt of {owed}, not {expected}"
        row = model.tx.row("SELECT debt_cents FROM reversals WHERE round_id = ?", (round_id,))
        if unit.request.kind == "void" and (row is None or row[0] != expected):
            yield f"round {round_id}: {row} is written down of a debt of {expected}"


def balances_noted_are_true(model: Model, unit: Unit) -> Iterator[str]:
    """A round stores its player's balance before it and at its end.

    An operator's void first ends an open round, then reverses its net results.
    """
    for step in unit.steps:
        stored = unit.rounds[step.round_id]
        before, mine = model.balance(stored.player_id), f"player:{stored.player_id}"
        if step.opens and stored.balance_before_cents != before:
            yield f"round {stored.id} notes {stored.balance_before_cents} before it, not {before}"
        if step.ends:
            moves = [moved for moved in unit.transfers if moved.reason not in ("reversal", "debt")]
            after = before + _net(moves, mine)
            if stored.balance_after_cents != after:
                yield f"round {stored.id} notes {stored.balance_after_cents} after it, not {after}"


def journal_tells(model: Model, unit: Unit) -> Iterator[str]:
    """A change by an operator or housekeeping writes one event, with who made it."""
    kind = _JOURNAL.get(unit.request.kind)
    who = "house" if unit.request.kind == "tick" else unit.request.owner
    moved = [each for each in unit.transfers if each.reason != "fold"]
    changed = bool(moved or unit.steps) or unit.request.kind in ("stop", "new-token")
    told = [each for each in unit.events if each.kind == kind]
    if kind is None or not unit.done or (unit.request.owner, unit.request.key) in model.first:
        return
    if changed and (len(told) != 1 or json.loads(told[0].data)["by"] != who):
        yield f"{unit.request} is written down as {told}"


# After the unit -------------------------------------------------------------------------------


def caps_hold(model: Model, unit: Unit) -> Iterator[str]:
    """No bet and no round returns more than the sheet's caps."""
    if unit.request.kind not in ("open", "choose"):
        return
    for round_id in {moved.round_id: None for moved in unit.transfers if moved.round_id}:
        caps = model.sheet(model.rounds[round_id]).caps_cents
        back = {bet: money.back for bet, money in model.bets(round_id).items()}
        for bet, cents in [*back.items(), ("round", sum(back.values()))]:
            if cents > caps.get(bet, cents):
                yield f"{bet} of round {round_id} returned {cents}, the cap is {caps[bet]}"


def currencies_apart(model: Model, unit: Unit) -> Iterator[str]:
    """Every transfer is in its player's currency, between accounts of that player and the house.

    A pot's transfers are in its own currency; `fx:` accounts connect two currencies.
    """
    for moved in unit.transfers:
        if moved.reason in _AT_THE_POT and moved.currency == POT_CURRENCY:
            continue
        player, stored = moved.player_id or "", model.rounds.get(moved.round_id or "")
        own = {f"player:{player}", f"debt:{player}", f"cashier:{model.currency.get(player)}"}
        if stored is not None:
            own |= {f"round:{stored.id}", f"house:{stored.game}"}
        if moved.reason in _AT_THE_POT:
            own.add(f"fx:{moved.currency}")
        if moved.currency != model.currency.get(player) or not {moved.debit, moved.credit} <= own:
            yield f"{moved.currency} from {moved.debit} to {moved.credit} for {player}"


def _of_bet(moved: Moved) -> tuple[str | None, str | None, str]:
    return moved.round_id, moved.bet, moved.reason


def _needed(model: Model, player: str) -> int:
    """Return the price of the dearest option on the table, or the smallest stake."""
    needed = [LEAST_STAKE_CENTS]
    for stored in model.of_player(player, "open"):
        question = model.replay(stored).waiting
        if isinstance(question, Asked):
            needed += [each.stake_cents for each in question.options if each.why_not is None]
    return max(needed)


def _voided(unit: Unit) -> dict[str, list[Moved]]:
    """Return the rounds a unit has voided, with the money moved for each."""
    if unit.request.kind not in ("tick", "void") or not unit.done:
        return {}
    rounds = {step.round_id for step in unit.steps}
    return {each: [m for m in unit.transfers if m.round_id == each] for each in sorted(rounds)}


def _fair_void(model: Model, unit: Unit, round_id: str) -> tuple[int, int]:
    """Return the net amount a player must get from a void, and the debt after it."""
    bets = model.bets(round_id).values()
    given = sum(money.staked for money in bets if not money.settled)
    if unit.request.kind == "tick":
        return given, 0
    nets = [money.net for money in bets if money.settled]
    given -= sum(net for net in nets if net < 0)
    won = sum(net for net in nets if net > 0)
    taken = min(won, model.balance(model.rounds[round_id].player_id) + given)
    return given - taken, won - taken


def _net(moves: list[Moved], account: str) -> int:
    """Return the net amount that reached an account, in cents."""
    came = sum(moved.units for moved in moves if moved.credit == account)
    return (came - sum(moved.units for moved in moves if moved.debit == account)) // CENT


MONEY_CHECKS: dict[str, Check] = {
    "stake-is-held": stake_is_held,
    "settled-once": settled_once,
    "cashier-as-asked": cashier_as_asked,
    "no-payout-in-debt": no_payout_in_debt,
    "play-money-when-broke": play_money_when_broke,
    "void-gives-back": void_gives_back,
    "debt-recorded": debt_recorded,
    "balances-noted-are-true": balances_noted_are_true,
    "journal-tells": journal_tells,
}
AFTER_CHECKS: dict[str, Check] = {"caps-hold": caps_hold, "currencies-apart": currencies_apart}
