"""Invariants of every committed unit: permissions, idempotency, and transitions of rounds.

Each check gets the model before the unit, and yields errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from simulation.letters import Unit, code_of
from simulation.model import Model
from tapisvert.engine import Answer
from tapisvert.refusal import Refused
from tapisvert.rounds.round import Round

Check = Callable[[Model, Unit], Iterator[str]]

_STEPS = {
    (None, "seated"): ("seat", "open", "choose"),
    ("seated", "retired"): ("seat", "open", "choose"),
    ("seated", "open"): ("open",),
    ("seated", "settled"): ("open",),  # a round that ends at the deal
    ("open", "open"): ("choose",),
    ("open", "settled"): ("choose",),
    ("open", "voided"): ("tick", "void"),
    ("settled", "settled"): ("seen", "void"),
    ("voided", "voided"): ("seen", "void"),
}
_OUTSIDE_KEYS = ("session/missing", "operator/missing")


def own_session(model: Model, unit: Unit) -> Iterator[str]:
    """A session accesses only its own player's rounds and money."""
    if unit.request.token is None:
        return
    player = model.sessions.get(unit.request.token)
    if player is None and (unit.effect or code_of(unit.outcome) != "session/missing"):
        yield f"a token that opens nothing got {code_of(unit.outcome)}"
    touched = [moved.player_id for moved in unit.transfers if moved.reason != "fold"]
    touched += [stored.player_id for stored in unit.rounds.values()]
    if any(each != player for each in touched):
        yield f"the session of {player} touched {touched}"


def no_internal_error(model: Model, unit: Unit) -> Iterator[str]:
    """A unit succeeds or is refused, also one of housekeeping, whose answer is ignored."""
    if isinstance(unit.outcome, BaseException) and not isinstance(unit.outcome, Refused):
        yield f"{unit.request} came to {unit.outcome!r}"


def one_effect_per_key(model: Model, unit: Unit) -> Iterator[str]:
    """A key has at most one effect."""
    if _first(model, unit) is not None and unit.effect:
        yield f"key {unit.request.key} had its effect again: {_told(unit)}"


def same_reply_per_key(model: Model, unit: Unit) -> Iterator[str]:
    """The same request gets the same reply byte for byte; another body under its key is refused."""
    first = _first(model, unit)
    if first is None or code_of(unit.outcome) in _OUTSIDE_KEYS:
        return
    if unit.request.body != first.request.body:
        if code_of(unit.outcome) != "idempotency/reused":
            yield f"key {unit.request.key} was taken for something else"
    elif _reply(unit.outcome) != _reply(first.outcome):
        yield f"key {unit.request.key} got {_reply(first.outcome)!r}, now {_reply(unit.outcome)!r}"


def stopped_means_stopped(model: Model, unit: Unit) -> Iterator[str]:
    """No round is opened in a stopped scope."""
    for stored in _opened(unit):
        scopes = ["all", f"game:{stored.game}", f"player:{stored.player_id}"]
        if "royal" in stored.stakes and model.currency[stored.player_id] != "FUN":
            scopes.append(f"jackpot:{stored.game}")
        for scope in scopes:
            if scope in model.stops:
                yield f"round {stored.id} was opened while {scope} is stopped"


def failed_source_deals_nothing(model: Model, unit: Unit) -> Iterator[str]:
    """A server whose entropy source has failed makes no seat and opens no round."""
    for step in unit.steps if unit.source_failed else ():
        if step.now == "seated" or step.opens:
            yield f"round {step.round_id} became {step.now}"


def one_answer_per_step(model: Model, unit: Unit) -> Iterator[str]:
    """A choice answers the step it names, once; nothing else changes a round's answers."""
    for stored in unit.rounds.values():
        was = model.rounds.get(stored.id)
        before: Sequence[Answer] = was.answers if was else ()
        expected = _said(before)
        request = unit.request
        if request.kind == "choose" and request.round_id == stored.id and unit.done:
            if request.asked.step != len(expected):
                yield f"step {request.asked.step} was answered where {len(expected)} was asked"
            expected = [*expected, request.asked.choice]
        if _said(stored.answers) != expected or stored.answers[: len(before)] != [*before]:
            yield f"round {stored.id} has answers {stored.answers}, not {expected}"


def rounds_move_forward(model: Model, unit: Unit) -> Iterator[str]:
    """A round is seated, opened and ended in that order, each by a permitted sender."""
    for step in unit.steps:
        if unit.request.kind not in _STEPS.get((step.was, step.now), ()):
            yield f"{unit.request.kind} took round {step.round_id} from {step.was} to {step.now}"


def seat_is_kept(model: Model, unit: Unit) -> Iterator[str]:
    """A pending deal is replaced only after it was opened or its sheet has changed."""
    for step in unit.steps:
        if step.was is None:
            new = unit.rounds[step.round_id]
            for old in model.of_player(new.player_id, "seated", new.game):
                now = unit.rounds.get(old.id, old)
                if now.state == "seated" or (
                    now.state == "retired" and _figures(now) == _figures(new)
                ):
                    yield f"seat {new.id} was given beside {old.id}"


def swept_when_due(model: Model, unit: Unit) -> Iterator[str]:
    """Housekeeping voids open rounds past their delay, and no others.

    A server started after a round was opened knows only the wall clock, which may have been set
    meanwhile. So only rounds opened while it ran are checked against the monotonic clock.
    """
    if unit.request.kind != "tick":
        return
    for step in unit.steps:
        was, opened_ms = model.rounds[step.round_id], model.opened_ms.get(step.round_id)
        if was.state != "open" or opened_ms is None:
            yield f"round {was.id} was {was.state} and swept"
        elif unit.started_ms < opened_ms:
            early = opened_ms + 1000 * model.sheet(was).void_after_s - unit.at_ms
            if early > 0:
                yield f"round {was.id} was voided {early} ms early"


def _first(model: Model, unit: Unit) -> Unit | None:
    return model.first.get((unit.request.owner, unit.request.key or ""))


def _opened(unit: Unit) -> list[Round]:
    return [unit.rounds[step.round_id] for step in unit.steps if step.opens]


def _said(answers: Sequence[Answer]) -> list[Answer]:
    """Return a player's own answers, without the bank's."""
    return [answer for answer in answers if isinstance(answer, str)]


def _figures(stored: Round) -> tuple[int, str]:
    return stored.edition, stored.sheet_hash


def _reply(outcome: object) -> object:
    return (outcome.code, outcome.details) if isinstance(outcome, Refused) else outcome


def _told(unit: Unit) -> str:
    moved = [f"{each.reason} {each.units}" for each in unit.transfers]
    return ", ".join([*moved, *(f"{step.was}-{step.now}" for step in unit.steps)])


UNIT_CHECKS: dict[str, Check] = {
    "own-session": own_session,
    "no-internal-error": no_internal_error,
    "one-effect-per-key": one_effect_per_key,
    "same-reply-per-key": same_reply_per_key,
    "stopped-means-stopped": stopped_means_stopped,
    "failed-source-deals-nothing": failed_source_deals_nothing,
    "one-answer-per-step": one_answer_per_step,
    "rounds-move-forward": rounds_move_forward,
    "seat-is-kept": seat_is_kept,
    "swept-when-due": swept_when_due,
}
