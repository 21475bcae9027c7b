"""The model's rules for players."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from history import shown
from history.model import ALL, GRANTED, Model, No, Task
from history.tables import Play, Round, Unproven
from tapisvert.engine.events import Asked, Settled, Staked
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.stakes import check_stakes
from tapisvert.games.registry import SHIPPED, current
from tapisvert.refusal import Refused

PLAY_MONEY = "FUN"
GRANT_CENTS = 100_000
CLIENT_SEED_BYTES_MAX = 128


class Pending(NamedTuple):
    """A pending deal; its id is empty until it is shown."""

    order: int
    id: str | None
    sheet: str
    replaces: str | None


# Coming in, and seats -------------------------------------------------------------------------


def guest(model: Model, task: Task) -> Any:
    """Create a guest with play money."""
    told = task.told
    model.books.put("currency", PLAY_MONEY)
    model.books.put("tokens", (told["token"],))
    model.move(GRANT_CENTS, "grant")
    return {"player_id": model.whose, "wallet": shown.wallet(model), "token": told["token"]}


def seat(model: Model, task: Task) -> Any:
    """Return the pending deal, the same until it is opened or the figures change."""
    if model.deals and task.args["game"] not in SHIPPED:
        raise No("request/unknown_game", game=task.args["game"])
    told = task.told if task.code == GRANTED else None
    return take_seat(model, task.args["game"], told)


def take_seat(model: Model, game: str, told: Any) -> Any:
    """Return the expected seat; a new one takes its id from the answer."""
    if not model.deals:
        raise No("dealing/unavailable")
    sheet, name = model.tables.today(model.day, game), ("seat", game)
    pending: Pending | None = model.books.get(name)
    round_id = told["round_id"] if told else None
    if pending is None or pending.sheet != sheet.hash:
        replaces = pending.id if pending else None
        if pending and replaces is None and told and told["retired"]:
            replaces = told["retired"]["round_id"]
        order = model.books.get("seats", 0)
        model.books.put("seats", order + 1)
        pending = Pending(order, _new(model, round_id), sheet.hash, replaces)
    elif pending.id is None:
        pending = pending._replace(id=_new(model, round_id))
    model.books.put(name, pending)
    retired = pending.replaces and {
        "round_id": pending.replaces,
        "commitment": model.facts.get("round", pending.replaces, "commitment"),
        "server_seed": model.facts.seed.get(pending.replaces),
    }
    return {
        "round_id": pending.id,
        "game": game,
        "commitment": model.facts.get("round", pending.id, "commitment"),
        "edition": current(game).number,
        "sheet_hash": sheet.hash,
        "retired": retired or None,
    }


def _new(model: Model, round_id: str | None) -> str | None:
    """Return an id that was never used before, or none."""
    if round_id is None or model.books.get(("drawn", round_id)):
        return None
    model.books.put(("drawn", round_id), True)
    return round_id


# Playing --------------------------------------------------------------------------------------


def open_round(model: Model, task: Task) -> Any:
    """Stake on the pending deal."""
    found, game = model.round(task.args["round_id"]), ""
    if found is not None and not found.over:
        raise No("round/already_open", round_id=found.id)
    pending: Pending | None = None
    for game in SHIPPED:
        pending = model.books.get(("seat", game))
        if pending is not None and pending.id == task.args["round_id"]:
            break
    else:
        raise No("seat/unknown")
    if task.args["commitment"] != model.facts.get("round", pending.id, "commitment"):
        raise No("seat/unknown")
    sheet = model.tables.today(model.day, game)
    if pending.sheet != sheet.hash:
        raise No("seat/stale")
    if not 1 <= len(task.args["client_seed"].encode()) <= CLIENT_SEED_BYTES_MAX:
        raise No("seat/client_seed", max_bytes=CLIENT_SEED_BYTES_MAX)
    may_open(model, game)
    placed = check_bets(model, sheet, task.args["stakes"])
    before = model.balance
    afford(model, sum(placed.values()))
    each = Round(
        id=task.args["round_id"],
        game=game,
        order=pending.order,
        sheet=sheet.hash,
        client_seed=task.args["client_seed"],
        stakes=tuple(placed.items()),
        before_cents=before,
    )
    play = model.play(each)
    each = each._replace(answers=play.transcript.answers)
    model.books.put(("seat", game), None)
    post(model, each, play, 0)
    return _reply(model, task, each, 0)


def may_open(model: Model, game: str) -> None:
    """Refuse a new round while dealing is down, it is stopped, or another is open at this game."""
    if not model.deals:
        raise No("dealing/unavailable")
    stops = model.stops()
    for scope in (ALL, f"game:{game}", f"player:{model.whose}"):
        if scope in stops:
            raise No("play/stopped", scope=scope.partition(":")[0], reason=stops[scope][0])
    for each in model.open_rounds():
        if each.game == game:
            raise No("round/already_open", round_id=each.id)


def check_bets(model: Model, sheet: Sheet, stakes: dict[str, Any]) -> dict[str, int]:
    """Refuse stakes the layout does not allow; real money plays for no pot here."""
    try:
        placed = check_stakes(sheet, stakes)
    except Refused as refusal:
        raise No(refusal.code, **refusal.details) from None
    if model.books.get("currency") != PLAY_MONEY and set(sheet.pot_bets) & set(placed):
        raise No("jackpot/closed")
    return placed


def afford(model: Model, cents: int) -> None:
    """Refuse stakes the balance does not cover."""
    if cents > model.balance:
        raise No("wallet/insufficient_funds", needed_cents=cents, balance_cents=model.balance)


def choose(model: Model, task: Task) -> Any:
    """Answer the question of a step."""
    args = task.args
    try:
        each = shown.own_round(model, task)
        if each.over and args["step"] >= each.steps:
            raise No("round/ended")
        if args["step"] != each.steps:
            raise No("round/stale_step", step=each.steps)
        told = len(model.play(each).events)
        asked = each._replace(answers=(*each.answers, args["choice"]))
        try:
            play = model.play(asked)
        except Refused as refusal:
            raise No(refusal.code, **refusal.details) from None
        added = play.transcript.events[told:]
        afford(model, sum(event.cents for event in added if isinstance(event, Staked)))
    except No as no:
        no.args_told["round_id"] = args["round_id"]
        raise
    post(model, each._replace(answers=play.transcript.answers), play, told)
    return _reply(model, task, each, args["since"])


def post(model: Model, each: Round, play: Play, told: int) -> None:
    """Transfer the money of a round's new events, stakes first, and end it if they do."""
    added = play.transcript.events[told:]
    for event in added:
        if isinstance(event, Staked):
            model.move(-event.cents, "stake", each.id, event.bet)
    for event in added:
        if isinstance(event, Settled):
            back = min(event.staked_cents, event.returned_cents)
            model.move(back, "return", each.id, event.bet)
            model.move(event.returned_cents - back, "win", each.id, event.bet)
    if play.transcript.waiting is None:
        state = "voided" if each.void else "settled"
        each = each._replace(state=state, after_cents=model.balance)
    model.keep(each)


def _reply(model: Model, task: Task, each: Round, since: int) -> Any:
    """Return the round, the wallet, and the next seat when it is over."""
    now = model.round(each.id)
    assert now is not None
    answer = {
        "round": shown.round_view(model, now, model.balance, since),
        "wallet": shown.wallet(model),
        "seat": None,
    }
    if now.over and model.deals:
        told = task.told["seat"] if task.code == GRANTED else None
        answer["seat"] = take_seat(model, now.game, told)
    return answer


def more(model: Model, task: Task) -> Any:
    """Grant more play money to a player who cannot go on."""
    if model.books.get("currency") != PLAY_MONEY:
        raise No("wallet/play_money_only")
    if model.balance >= needed(model):
        raise No("wallet/not_broke", balance_cents=model.balance)
    model.move(GRANT_CENTS, "grant")
    return shown.wallet(model)


def needed(model: Model) -> int:
    """Return the smallest main stake of any table, or the dearest option of an open question."""
    most = min(
        sheet.spots[bet].min_cents
        for sheet in (model.tables.today(model.day, game) for game in SHIPPED)
        for bet, place in sheet.layout.items()
        if place.main
    )
    for each in model.open_rounds():
        question = model.play(each).transcript.waiting
        options = question.options if isinstance(question, Asked) else ()
        most = max([most, *(each.stake_cents for each in options if each.why_not is None)])
    return most


# Who asks -------------------------------------------------------------------------------------

Rule = Callable[[Model, Task], Any]


def with_session(rule: Rule, model: Model, task: Task) -> Any:
    """Refuse an invalid token."""
    if task.owner not in model.books.get("tokens", ()):
        raise No("session/missing")
    return rule(model, task)


def with_key(rule: Rule, model: Model, task: Task) -> Any:
    """Run a player's command once."""
    if task.owner not in model.books.get("tokens", ()):
        raise No("session/missing")
    try:
        return model.once(task, "player", lambda: rule(model, task))
    except Unproven as unknown:  # in an order that will not do, a round that was never dealt
        if task.code == GRANTED:
            raise
        raise No("request/failed", why=str(unknown)) from None


ASKED: dict[str, Rule] = {
    "seat": seat,
    "wallet": lambda model, task: shown.wallet(model),
    "rounds": shown.rounds,
    "round": shown.one_round,
    "recall": shown.recall,
    "proof": shown.proof,
    "seen": shown.seen,
    "transfers": shown.transfers,
}
COMMANDS: dict[str, Rule] = {"open": open_round, "choose": choose, "more": more}
PLAYER_RULES: dict[str, Rule] = {
    "guest": guest,
    **{kind: partial(with_session, rule) for kind, rule in ASKED.items()},
    **{kind: partial(with_key, rule) for kind, rule in COMMANDS.items()},
}
