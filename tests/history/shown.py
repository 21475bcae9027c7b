"""The model's views for a player: wallet, rounds, lists, recalls, proofs."""

from __future__ import annotations

from typing import Any

import msgspec

from history.model import Model, No, Task
from history.tables import Round
from tapisvert.games.registry import current

PAGE = 50
FORMAT = "tapisvert/round/1"


def wallet(model: Model) -> dict[str, Any]:
    """Return the player's balance, and the amount open rounds hold."""
    return {
        "currency": model.books.get("currency"),
        "balance_cents": model.balance,
        "held_cents": model.held,
    }


def round_view(model: Model, each: Round, balance_cents: int, since: int) -> dict[str, Any]:
    play, fact = model.play(each), model.facts.get
    reversal = None
    if each.reversal is not None:
        why, given, taken, owed = each.reversal
        reversal = {"at": fact("round", each.id, "reversed_at"), "reason": why}
        reversal |= {"given_cents": given, "taken_cents": taken, "debt_cents": owed}
    return {
        "id": each.id,
        "game": each.game,
        "edition": current(each.game).number,
        "sheet_hash": each.sheet,
        "commitment": fact("round", each.id, "commitment"),
        "client_seed": each.client_seed,
        "state": each.state,
        "opened_at": fact("round", each.id, "opened_at"),
        "ended_at": fact("round", each.id, "ended_at") if each.over else None,
        "void_after_s": model.tables.sheet(each.sheet).void_after_s,
        "stakes": dict(each.stakes),
        "ask": play.ask(balance_cents),
        **play.shown,
        "events": play.events[since:],
        "reversal": reversal,
    }


def own_round(model: Model, task: Task, *, over: bool = False) -> Round:
    """Return the player's own round that a request names."""
    round_id = task.args["round_id"]
    found = model.round(round_id)
    if found is None:
        raise No("round/unknown", round_id=round_id)
    if over and not found.over:
        raise No("round/not_ended", round_id=round_id)
    return found


def one_round(model: Model, task: Task) -> Any:
    """`round`: a round and the wallet."""
    found = own_round(model, task)
    view = round_view(model, found, model.balance, task.args["since"])
    return {"round": view, "wallet": wallet(model), "seat": None}


def recall(model: Model, task: Task) -> Any:
    """`recall`: a finished round, replayed."""
    found = own_round(model, task, over=True)
    return {
        "replay": True,
        "round": round_view(model, found, 0, 0),
        "choices": [each for each in found.answers if isinstance(each, str)],
        "balance_before_cents": found.before_cents,
        "balance_after_cents": found.after_cents,
        "seen": found.seen,
    }


def proof(model: Model, task: Task) -> Any:
    """`proof`: all data to verify a finished round."""
    found = own_round(model, task, over=True)
    sheet = model.tables.sheet(found.sheet)
    return {
        "format": FORMAT,
        "game": found.game,
        "edition": current(found.game).number,
        "sheet_hash": found.sheet,
        "sheet": msgspec.json.decode(sheet.body),
        "round_id": found.id,
        "client_seed": found.client_seed,
        "server_seed": model.facts.seed.get(found.id),
        "commitment": model.facts.get("round", found.id, "commitment"),
        "deck": model.tables.deck_text(found),
        "stakes": dict(found.stakes),
        "answers": list(found.answers),
        "lines": model.play(found).shown["lines"],
        "void_reason": found.void,
    }


def seen(model: Model, task: Task) -> Any:
    """`seen`: the player has seen how a round ended."""
    model.keep(own_round(model, task, over=True)._replace(seen=True))


def rounds(model: Model, task: Task) -> Any:
    """`rounds`: a page of the player's rounds, newest seat first."""
    status, before = task.args["status"], task.args["before"]
    if status not in (None, "open", "unseen"):
        raise No("request/malformed", reason="status must be open or unseen")
    every = [model.round(each) for each in model.facts.rounds[model.whose or ""]]
    found = [each for each in every if each is not None and _wanted(each, status)]
    if before is not None:
        last = model.round(model.facts.round_of_seq[before])
        found = [each for each in found if last is None or each.order < last.order]
    found = sorted(found, key=lambda each: each.order, reverse=True)[:PAGE]
    told = task.told["next"] if task.code == "granted" else None
    more = len(found) == PAGE
    return {
        "rounds": [_summary(model, each) for each in found],
        "next": told if more and isinstance(told, int) else None,
    }


def transfers(model: Model, task: Task) -> Any:
    """`transfers`: a page of the player's statement, newest first."""
    ids, before = model.facts.transfers[model.whose or ""], task.args["before"]
    count = model.books.get("transfers", 0)
    if before is not None:
        count = min(count, model.facts.position(ids, before))
    if count > len(ids):
        return f"{count} transfers; only {len(ids)} were ever shown"
    shown = range(count - 1, max(count - PAGE, 0) - 1, -1)
    return {
        "transfers": [_transfer(model, ids[place], place) for place in shown],
        "next": ids[shown[-1]] if len(shown) == PAGE else None,
    }


def _transfer(model: Model, number: int, place: int) -> dict[str, Any]:
    cents, reason, round_id, bet = model.books.get(("transfers", place))
    at = model.facts.get("transfer", number)["at"]
    told = {"id": number, "at": at, "cents": cents, "reason": reason}
    return {**told, "round_id": round_id, "bet": bet}


def _wanted(each: Round, status: str | None) -> bool:
    return {None: True, "open": not each.over, "unseen": each.over and not each.seen}[status]


def _summary(model: Model, each: Round) -> dict[str, Any]:
    shown = model.play(each).shown
    return {
        "id": each.id,
        "game": each.game,
        "state": each.state,
        "opened_at": model.facts.get("round", each.id, "opened_at"),
        "ended_at": model.facts.get("round", each.id, "ended_at") if each.over else None,
        "staked_cents": shown["staked_cents"],
        "returned_cents": shown["returned_cents"] if each.over else None,
        "seen": each.seen,
        "reversed": each.reversal is not None,
        "rules": None,  # by the rules of the house
    }
