"""Invariants of every reply: exact money, and no hidden card."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from simulation.letters import Request, Unit
from simulation.model import Model
from simulation.tables import HOUSE_CARDS_SHOWN, is_stacked
from simulation.unit_checks import Check
from tapisvert.history.round_proof import check_proof, read_proof
from tapisvert.refusal import Refused
from tapisvert.rounds.schemas import Seat

Said = Callable[[Model, Request, object, Any], Iterator[str]]  # the last is the reply, read
FACE_DOWN = "??"
_CARD = re.compile(r'(?<!"joker":)"([2-9TJQKA][cdhs]|Jk)"')  # not what a joker stands for


def read(outcome: object) -> Any:
    """Decode a reply."""
    if outcome is None or isinstance(outcome, BaseException):
        return None
    return json.loads(_raw(outcome))


# Of a unit, after it --------------------------------------------------------------------------


def wallet_told_is_true(model: Model, unit: Unit) -> Iterator[str]:
    """The balance in a reply is the actual balance."""
    if not unit.done or not unit.effect:
        return
    if unit.request.kind not in ("open", "choose", "more", "deposit", "withdraw", "pay-debt"):
        return
    reply, player = read(unit.outcome), unit.request.player_id or unit.request.owner
    wallet = reply.get("wallet", reply)
    debt = model.debt(player)
    told = wallet["balance_cents"], wallet["held_cents"], wallet.get("debt_cents", debt)
    there = model.balance(player), model.held_by(player), debt
    if told != there:
        yield f"{unit.request} was told {told}; there are {there}"


def seat_told_is_pending(model: Model, unit: Unit) -> Iterator[str]:
    """A seat in a reply is the player's own, pending, with the right commitment."""
    seat: Any = None
    if isinstance(unit.outcome, Seat):
        seat = msgspec.to_builtins(unit.outcome)
    elif unit.request.kind in ("open", "choose") and unit.done and unit.effect:
        seat = read(unit.outcome)["seat"]
    if seat is None:
        return
    stored = model.rounds.get(seat["round_id"])
    if stored is None or stored.state != "seated" or stored.player_id != unit.request.owner:
        yield f"{unit.request} was given seat {seat['round_id']}, which is no pending deal"
    elif (seat["commitment"], seat["sheet_hash"]) != (stored.commitment, stored.sheet_hash):
        yield f"seat {stored.id} was told with another promise"


# Of everything that leaves the house ----------------------------------------------------------


def no_internal_error(model: Model, request: Request, outcome: object, reply: Any) -> Iterator[str]:
    """Every request gets an answer or a refusal."""
    if isinstance(outcome, BaseException) and not isinstance(outcome, Refused):
        yield f"{request} got {outcome!r}"


def seed_told_only_at_end(
    model: Model, request: Request, outcome: object, reply: Any
) -> Iterator[str]:
    """No seed of a pending or open round is in any reply."""
    if reply is None:
        return
    text = _raw(outcome).decode()
    for stored in model.rounds.values():
        if stored.state in ("seated", "open") and model.seed(stored).hex() in text:
            yield f"{request} was told the seed of round {stored.id}, which is {stored.state}"


def hidden_cards_stay_hidden(
    model: Model, request: Request, outcome: object, reply: Any
) -> Iterator[str]:
    """While a round is open its player sees only the house's cards that are face up."""
    if not isinstance(reply, dict) or reply.get("round", {}).get("state") != "open":
        return
    hands = reply["round"]["hands"]
    shown = {card for cards in hands.values() for card in cards if card != FACE_DOWN}
    of_house = [card for card in hands.get("house", ()) if card != FACE_DOWN]
    if len(of_house) > HOUSE_CARDS_SHOWN[reply["round"]["game"]]:
        yield f"{request} sees {of_house} of the house"
    if others := sorted(set(_CARD.findall(_raw(outcome).decode())) - shown):
        yield f"{request} was told of {others}, which do not lie open"


def own_rounds_only(model: Model, request: Request, outcome: object, reply: Any) -> Iterator[str]:
    """A player's replies contain no other player's round."""
    if not isinstance(reply, dict) or request.token is None:
        return
    rounds = [reply["round"]] if "round" in reply else reply.get("rounds", [])
    for told in rounds:
        if model.rounds[told["id"]].player_id != request.owner:
            yield f"{request} was told of round {told['id']}"


def history_never_changes(
    model: Model, request: Request, outcome: object, reply: Any
) -> Iterator[str]:
    """An event of a round, once shown, never changes."""
    if not isinstance(reply, dict) or "round" not in reply:
        return
    told = model.told[reply["round"]["id"]]
    for event in reply["round"]["events"]:
        now = json.dumps(event)
        if told.setdefault(event["n"], now) != now:
            yield f"event {event['n']} of round {reply['round']['id']} has become {now}"


def proof_verifies(model: Model, request: Request, outcome: object, reply: Any) -> Iterator[str]:
    """A proof verifies; only a stacked deck fails its deck check."""
    if request.kind != "proof" or not isinstance(outcome, bytes):
        return
    proof = read_proof(outcome, "round.json")
    seed = bytes.fromhex(proof.server_seed)
    for check, true in check_proof(proof, "round.json").checks.items():
        if not true and not (check == "deck" and is_stacked(seed)):
            yield f"the {check} of round {proof.round_id} does not check"


def statement_adds_up(model: Model, request: Request, outcome: object, reply: Any) -> Iterator[str]:
    """The transfers a player is shown add up to the balance."""
    if request.kind != "transfers" or reply is None or reply["next"] is not None:
        return
    total, balance = sum(each["cents"] for each in reply["transfers"]), model.balance(request.owner)
    if total != balance:
        yield f"{request} was shown movements of {total}; there are {balance}"


def _raw(outcome: object) -> bytes:
    return outcome if isinstance(outcome, bytes) else msgspec.json.encode(outcome)


TOLD_CHECKS: dict[str, Check] = {
    "wallet-told-is-true": wallet_told_is_true,
    "seat-told-is-pending": seat_told_is_pending,
}
REPLY_CHECKS: dict[str, Said] = {
    "no-internal-error": no_internal_error,
    "seed-revealed-only-at-end": seed_told_only_at_end,
    "hidden-cards-stay-hidden": hidden_cards_stay_hidden,
    "own-rounds-only": own_rounds_only,
    "history-never-changes": history_never_changes,
    "proof-verifies": proof_verifies,
    "statement-adds-up": statement_adds_up,
}
