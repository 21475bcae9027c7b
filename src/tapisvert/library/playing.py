"""A round from a given deck, and the check of a finished one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from tapisvert.cards import Card, parse
from tapisvert.engine import Answer, Claim, Transcript, view
from tapisvert.engine import replay as replay_script
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import current
from tapisvert.history.round_proof import Proof as RoundProof
from tapisvert.history.round_proof import Verdict, check_proof, read_proof
from tapisvert.library.refusals import check_whole, explained, words_in
from tapisvert.library.sheets import sheet_of
from tapisvert.library.tables import html
from tapisvert.refusal import Refused
from tapisvert.words import tell

JACKPOT_CENTS = 2_000_000
JACKPOT_CENTS_MAX = 10**13


@dataclass(frozen=True)
class ReplayedRound:
    """A round as its player sees it: settled, or waiting for an answer."""

    game: str
    transcript: Transcript

    @property
    def record(self) -> dict[str, Any]:
        """The same as `tapis replay` prints it (docs/replay.md)."""
        return _record(self.transcript)

    @property
    def settled(self) -> bool:
        """Whether the round is over."""
        return self.transcript.settled

    @property
    def options(self) -> tuple[str, ...]:
        """The legal options of the question the round waits on."""
        ask = view(self.transcript).ask
        return tuple(each.id for each in ask.options if each.legal) if ask else ()

    @property
    def staked_cents(self) -> int:
        """The money staked so far."""
        return view(self.transcript).staked_cents

    @property
    def returned_cents(self) -> int:
        """The money that came back so far."""
        return view(self.transcript).returned_cents

    @explained
    def told(self, language: str = "en") -> list[str]:
        """Return the round in words, a sentence for each event."""
        words = words_in(language)
        return [tell(words, self.game, event) for event in self.transcript.events]

    def __repr__(self) -> str:
        state = "settled" if self.settled else f"waits for {' or '.join(self.options)}"
        return f"ReplayedRound({state}, staked {self.staked_cents}, returned {self.returned_cents})"

    def _repr_html_(self) -> str:
        lines = self.record["lines"]
        names = ("bet", "staked", "returned", "outcome")
        return html({name: [line[name] for line in lines] for name in names})


@dataclass(frozen=True)
class Verification:
    """The verdict on a finished round, check by check."""

    proof: RoundProof
    verdict: Verdict
    checks: Mapping[str, bool]

    @property
    def true(self) -> bool:
        """Whether every check holds."""
        return all(self.checks.values())

    def __bool__(self) -> bool:
        return self.true

    def __repr__(self) -> str:
        found = ", ".join(f"{name} {holds}" for name, holds in self.checks.items())
        return f"Verification({self.proof.game}: {found})"

    @explained
    def told(self, language: str = "en") -> list[str]:
        """Return the round in words, a sentence for each event."""
        words = words_in(language)
        return [tell(words, self.proof.game, event) for event in self.verdict.transcript.events]

    def _repr_html_(self) -> str:
        marks = ["holds" if holds else "does not hold" for holds in self.checks.values()]
        return html({"check": list(self.checks), "result": marks})


@explained
def replay(
    game: str | Sheet,
    deck: Sequence[str],
    stakes: Mapping[str, int],
    choices: Sequence[Answer] = (),
    *,
    jackpot_cents: int = JACKPOT_CENTS,
) -> ReplayedRound:
    """Play a round from a deck, as real money: stakes in cents, cards as `As` or `Td`.

    The round stops where it waits for a choice that is not given.
    """
    sheet = sheet_of(game)
    check_whole("jackpot_cents", jackpot_cents, 0, JACKPOT_CENTS_MAX)

    def bank(claim: Claim) -> int:
        return int(jackpot_cents * claim.share)

    cards = read_deck(deck, len(sheet.deck))
    script = current(sheet.game).script
    played = replay_script(script, sheet, cards, stakes, choices, bank=bank)
    return ReplayedRound(sheet.game, played)


@explained
def verify(
    round_json: str | Path | bytes | Mapping[str, Any], *, commitment: str | None = None
) -> Verification:
    """Check a finished round: its commitment, its deck, its sheet and its settlement.

    `round_json` is the file `round.json`, its bytes, or the object in it. `commitment` is the one
    the player noted before the stake; the file alone cannot show that it is the same.
    """
    name = str(round_json) if isinstance(round_json, str | Path) else "round.json"
    proof = read_proof(_bytes_of(round_json), name)
    verdict = check_proof(proof, name)
    checks = dict(verdict.checks)
    if commitment is not None:
        checks["promised"] = commitment.strip().lower() == proof.commitment
    return Verification(proof, verdict, checks)


def _bytes_of(round_json: str | Path | bytes | Mapping[str, Any]) -> bytes:
    if isinstance(round_json, bytes):
        return round_json
    if isinstance(round_json, Mapping):
        try:
            return msgspec.json.encode(round_json)
        except (TypeError, ValueError) as error:
            reason = str(error) or "it cannot be written as JSON"
            raise Refused("proof/unreadable", file="round.json", reason=reason) from None
    try:
        return Path(round_json).read_bytes()
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise Refused("proof/unreadable", file=str(round_json), reason=reason) from None


def read_deck(written: object, cards: int) -> list[Card]:
    """Read a deck; that each card is there exactly once is the table's own check."""
    if not isinstance(written, Sequence) or isinstance(written, str):
        raise Refused("deck/invalid", cards=cards)
    try:
        return [parse(card) for card in written]
    except ValueError:
        raise Refused("deck/invalid", cards=cards) from None


def malformed(reason: str) -> Refused:
    """Refuse a request that cannot be read."""
    return Refused("request/malformed", reason=reason)


def _record(played: Transcript) -> dict[str, Any]:
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
