"""`tapis replay`: rounds as JSON lines in, their transcripts out (docs/replay.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tapisvert.cards import Card, parse
from tapisvert.cli.json_lines import answered
from tapisvert.engine import Claim, Transcript, replay, view
from tapisvert.engine.sheet_file import keys, with_changes
from tapisvert.games.registry import current, known
from tapisvert.refusal import Refused
from tapisvert.sheets import load

_KEYS = {"game", "deck", "stakes", "choices", "jackpot_cents", "sheet"}
_REQUIRED = ("game", "deck", "stakes", "choices")
_JACKPOT_CENTS = 2_000_000
_JACKPOT_CENTS_MAX = 10**13


def answer_line(line: bytes) -> bytes:
    """Answer one round."""
    return answered(line, lambda request: shown(transcript(checked(request))))


def checked(request: dict[str, Any]) -> dict[str, Any]:
    """Return a request whose shape is that of a round."""
    for name in request:
        if name not in _KEYS:
            raise malformed(f"unknown key {name[:64]!r}")
    for name in _REQUIRED:
        if name not in request:
            raise malformed(f"{name!r} is missing")
    if not isinstance(request["game"], str):
        raise malformed("'game' must be a text")
    for name, kind in (("stakes", dict), ("choices", list), ("sheet", dict)):
        if not isinstance(request.get(name, kind()), kind):
            raise malformed(f"{name!r} must be {'an object' if kind is dict else 'a list'}")
    if not all(isinstance(choice, str) for choice in request["choices"]):
        raise malformed("'choices' must be a list of texts")
    return request


def transcript(request: Mapping[str, Any]) -> Transcript:
    """Play the round a request describes, as a real-money round."""
    game = known(request["game"])
    sheet = with_changes(load(game), request.get("sheet", {}))
    pot_cents = request.get("jackpot_cents", _JACKPOT_CENTS)
    if not isinstance(pot_cents, int) or isinstance(pot_cents, bool):
        raise malformed("'jackpot_cents' must be a whole number of cents")
    if not 0 <= pot_cents <= _JACKPOT_CENTS_MAX:
        raise malformed(f"'jackpot_cents' must be between 0 and {_JACKPOT_CENTS_MAX}")

    def bank(claim: Claim) -> int:
        return int(pot_cents * claim.share)

    deck = read_deck(request["deck"], len(sheet.deck))
    stakes, choices = request["stakes"], request["choices"]
    return replay(current(game).script, sheet, deck, stakes, choices, bank=bank)


def read_deck(written: object, cards: int) -> list[Card]:
    """Read a deck; that each card is there exactly once is the table's own check."""
    if not isinstance(written, list):
        raise Refused("deck/invalid", cards=cards)
    try:
        return [parse(card) for card in written]
    except ValueError:
        raise Refused("deck/invalid", cards=cards) from None


def shown(played: Transcript) -> dict[str, Any]:
    """Return the answer for a round: only what the player may see."""
    seen = view(played)
    ask = None
    if seen.ask:
        options = [
            {
                "id": option.id,
                "stake_cents": option.stake_cents,
                "legal": option.legal,
                "why_not": option.why_not,
                "suggested": option.suggested,
            }
            for option in seen.ask.options
        ]
        ask = {"step": seen.ask.step, "hand": seen.ask.hand, "options": options}
    lines = [
        {
            "bet": line.bet,
            "staked": line.staked_cents,
            "returned": line.returned_cents,
            "outcome": line.outcome,
            **({"capped": True} if line.capped else {}),
        }
        for line in seen.lines
    ]
    return {
        "status": seen.status,
        "ask": ask,
        "lines": lines,
        "staked": seen.staked_cents,
        "returned": seen.returned_cents,
        "hands": seen.hands,
    }


def sheet_keys(game: str) -> Iterator[str]:
    """Yield the keys that `sheet` may change, with the values they have, in JSON."""
    for key, value in keys(load(known(game))):
        yield f"{key} = {msgspec.json.encode(value).decode()}"


def malformed(reason: str) -> Refused:
    """Refuse a request that cannot be read."""
    return Refused("request/malformed", reason=reason)
