"""The model's rules for operators and housekeeping."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from history import shown
from history.model import ANY, Model, No, Task
from history.play_rules import PLAY_MONEY, afford, post
from history.tables import Round

AMOUNT_CENTS_MAX = 10**11
REASON_MAX = 500


# Who asks, and why ----------------------------------------------------------------------------


def by(model: Model, task: Task) -> str:
    """Return the name of the operator."""
    name = model.facts.operators.get(task.owner)
    if name is None:
        raise No("operator/missing")
    return name


def reason_of(task: Task) -> str:
    why: str = task.args["reason"].strip()
    if not 1 <= len(why) <= REASON_MAX:
        raise No("operator/reason")
    return why


def can_draw(model: Model) -> None:
    if not model.deals:
        raise No("dealing/unavailable")


# The cashier ----------------------------------------------------------------------------------


def player(model: Model, task: Task) -> Any:
    """Create a player with an empty account; accounts hold no play money."""
    told, currency = task.told, task.args["currency"]
    can_draw(model)
    if currency == PLAY_MONEY:
        raise No("player/currency", currency=currency)
    if model.whose is None:
        return "a new player"
    model.books.put("currency", currency)
    model.books.put("tokens", (told["token"],))
    model.note("player_created", by(model, task), after={"currency": currency})
    return {"player_id": model.whose, "currency": currency, "token": told["token"]}


def new_token(model: Model, task: Task) -> Any:
    """Replace a player's tokens with a new one."""
    can_draw(model)
    token, currency = task.told["token"], model.books.get("currency")
    old = len(model.books.get("tokens", ()))
    model.books.put("tokens", (token,))
    change: dict[str, Any] = {"before": {"sessions": old}, "after": {"sessions": 1}}
    model.note("token_replaced", by(model, task), **change)
    return {"player_id": model.whose, "currency": currency, "token": token}


def show(model: Model, task: Task) -> Any:
    """Show a player to an operator."""
    if model.books.get("currency") is None:
        raise No("player/unknown", player_id=task.args["player_id"])
    voided = [model.round(each) for each in model.facts.rounds[model.whose or ""]]
    stopped = model.stops().get(f"player:{model.whose}")
    return {
        "player_id": model.whose,
        "kind": "guest" if model.books.get("currency") == PLAY_MONEY else "account",
        **shown.wallet(model),
        "created_at": model.facts.get("player", model.whose, "created_at"),
        "debt_cents": model.debt,
        "open_rounds": len(model.open_rounds()),
        "voided_rounds": sum(each is not None and each.state == "voided" for each in voided),
        "stopped": stopped[0] if stopped else None,
    }


def deposit(model: Model, task: Task) -> Any:
    """Deposit money."""
    _exists(model, task)
    return _cashier(model, task, "deposit", task.args["cents"])


def withdraw(model: Model, task: Task) -> Any:
    """Withdraw money, unless there is a debt or too little balance."""
    _exists(model, task)
    if model.debt:
        raise No("cashier/in_debt", debt_cents=model.debt)
    afford(model, task.args["cents"])
    return _cashier(model, task, "withdrawal", -task.args["cents"])


def _cashier(model: Model, task: Task, kind: str, cents: int) -> Any:
    if model.books.get("currency") == PLAY_MONEY:
        raise No("cashier/play_money")
    if not 0 < task.args["cents"] <= AMOUNT_CENTS_MAX:
        raise No("cashier/amount", max_cents=AMOUNT_CENTS_MAX)
    before = model.balance
    model.move(cents, kind)
    change: dict[str, Any] = {"before": {"cents": before}, "after": {"cents": model.balance}}
    model.note(kind, by(model, task), **change, reason=task.args["reference"] or None)
    return show(model, task)


def pay_debt(model: Model, task: Task) -> Any:
    """Pay the debt from the balance, as far as it goes."""
    _exists(model, task)
    owed, paid = model.debt, min(model.debt, model.balance)
    if paid:
        model.move(-paid, "debt-paid")
        model.books.put("debt", owed - paid)
        change: dict[str, Any] = {"before": {"cents": owed}, "after": {"cents": owed - paid}}
        model.note("debt_paid", by(model, task), **change)
    return show(model, task)


def _exists(model: Model, task: Task) -> None:
    if model.books.get("currency") is None:
        raise No("player/unknown", player_id=task.args["player_id"])


# Voids ----------------------------------------------------------------------------------------


def void(model: Model, task: Task) -> Any:
    """Void a round: every result is reversed, or owed."""
    round_id = task.args["round_id"]
    if model.whose is None:
        raise No("round/unknown", round_id=round_id)
    why, each = reason_of(task), model.round(round_id)
    if each is None:
        raise No("round/unknown", round_id=round_id)
    if each.reversal is not None:
        raise No("round/already_voided", round_id=round_id)
    before = _standing(model, each)
    refunded = before["held_cents"]
    lines = model.play(each).transcript.lines
    nets = {bet: line.returned_cents - line.staked_cents for bet, line in lines.items()}
    if not each.over:
        each = break_off(model, each, "operator")
    given, taken, owed = _move_back(model, each.id, nets)
    each = each._replace(reversal=(why, given, taken, owed), seen=False)
    model.keep(each)
    moved = {"given_cents": given, "taken_cents": taken, "debt_cents": owed}
    after = {**_standing(model, each), **moved}
    who = by(model, task)
    model.note("round_voided", who, round_id=each.id, before=before, after=after, reason=why)
    return {**moved, "refunded_cents": refunded}


def break_off(model: Model, each: Round, reason: str) -> Round:
    """End an open round: unsettled stakes are returned."""
    told = len(model.play(each).events)
    each = each._replace(void=reason)
    post(model, each, model.play(each), told)
    ended = model.round(each.id)
    assert ended is not None
    assert ended.over
    return ended


def _move_back(model: Model, round_id: str, nets: dict[str, int]) -> tuple[int, int, int]:
    """Return every loss, then take back every win, as far as the balance goes."""
    given = taken = owed = 0
    for bet, net in nets.items():
        if net < 0:
            model.move(-net, "reversal", round_id, bet)
            given -= net
    for bet, net in nets.items():
        if net > 0:
            now = min(net, model.balance)
            model.move(-now, "reversal", round_id, bet)
            taken, owed = taken + now, owed + net - now
    model.books.put("debt", model.debt + owed)
    return given, taken, owed


def expire(model: Model, task: Task) -> Any:
    """Void a round past its delay."""
    each = model.round(task.args["round_id"])
    if each is None or each.over:
        return ANY
    opened = datetime.fromisoformat(model.facts.get("round", each.id, "opened_at"))
    delay_ms = 1000 * model.tables.sheet(each.sheet).void_after_s
    if round(opened.timestamp() * 1000) + delay_ms <= task.args["now_ms"]:
        before = _standing(model, each)
        after = _standing(model, break_off(model, each, "expired"))
        model.note("round_expired", "house", round_id=each.id, before=before, after=after)
    return ANY


def _standing(model: Model, each: Round) -> dict[str, Any]:
    held = 0 if each.over else model.play(each).held_cents
    return {"state": each.state, "held_cents": held, "balance_cents": model.balance}
