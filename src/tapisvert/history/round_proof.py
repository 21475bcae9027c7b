"""The proof of a finished round: the data needed to check the deal and the settlement."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec
from msgspec import Struct

from tapisvert import dealing
from tapisvert.cards import parse, text
from tapisvert.coach.decisions import PastDecision, decisions
from tapisvert.dealing import Deal
from tapisvert.decoding import read_json
from tapisvert.engine import Answer, Transcript, replay, view
from tapisvert.engine.sheet_file import load_body
from tapisvert.engine.view import LineView
from tapisvert.games.registry import edition
from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.repository import load_round, transcript_of
from tapisvert.rounds.schemas import Text
from tapisvert.rounds.stored_sheets import stored_body, stored_sheet

FORMAT = "tapisvert/round/1"


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `round.json`."""

    format: str
    game: Text
    edition: int
    sheet_hash: Text
    sheet: dict[str, Any]
    round_id: Text
    client_seed: Text
    server_seed: Text
    commitment: Text
    deck: tuple[str, ...]
    stakes: dict[str, int]
    answers: list[Answer]
    lines: tuple[LineView, ...]
    void_reason: Literal["expired", "operator"] | None  # unsettled stakes were returned


class Verdict(Struct, frozen=True):
    """Result of checking a proof."""

    checks: dict[str, bool]
    transcript: Transcript

    @property
    def true(self) -> bool:
        """Whether every check passes."""
        return all(self.checks.values())


def proof_of(context: QueryContext, round_id: str) -> Proof:
    """Return the proof of a player's finished round; refuse while the round is open."""
    stored = load_round(context.tx, context.player.id, round_id)
    if stored.server_seed is None or stored.client_seed is None:
        raise Refused("round/not_ended", round_id=round_id)
    sheet = stored_sheet(context.tx, stored.sheet_hash, edition(stored.game, stored.edition))
    return Proof(
        format=FORMAT,
        game=stored.game,
        edition=stored.edition,
        sheet_hash=stored.sheet_hash,
        sheet=msgspec.json.decode(stored_body(context.tx, stored.sheet_hash)),
        round_id=stored.id,
        client_seed=stored.client_seed,
        server_seed=stored.server_seed.hex(),
        commitment=stored.commitment,
        deck=tuple(text(card) for card in context.dealer.decks.of(stored, sheet)),
        stakes=stored.stakes,
        answers=stored.answers,
        lines=view(transcript_of(context.tx, context.dealer.decks, stored)).lines,
        void_reason=stored.void_reason,
    )


def decisions_of(proof: Proof) -> list[PastDecision]:
    """Return the decisions of a round, each question as its player saw it."""
    played_by = edition(proof.game, proof.edition)
    sheet = load_body(msgspec.json.encode(proof.sheet), played_by.sheet_type)
    deck = [parse(card) for card in proof.deck]
    return decisions(played_by.script, sheet, deck, proof.stakes, proof.answers)


def read_proof(written: bytes, file: str) -> Proof:
    """Parse `round.json`."""
    try:
        proof = read_json(written, Proof)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("proof/unreadable", file=file, reason=str(error)) from None
    if proof.format != FORMAT:
        raise Refused("proof/unreadable", file=file, reason=f"format {proof.format!r}")
    return proof


def check_proof(proof: Proof, file: str) -> Verdict:
    """Check a proof from its own content and the scripts alone."""
    played_by = edition(proof.game, proof.edition)
    sheet = load_body(msgspec.json.encode(proof.sheet), played_by.sheet_type)
    try:
        seed = bytes.fromhex(proof.server_seed)
        deck = [parse(card) for card in proof.deck]
    except ValueError as error:
        raise Refused("proof/unreadable", file=file, reason=str(error)) from None
    if len(seed) != dealing.SEED_BYTES:
        raise Refused("proof/unreadable", file=file, reason="server_seed is not 32 bytes")
    deal = Deal(proof.game, proof.sheet_hash, proof.round_id, proof.client_seed)
    before = replay(played_by.script, sheet, deck, proof.stakes, proof.answers)
    played = replay(
        played_by.script, sheet, deck, proof.stakes, proof.answers, void=proof.void_reason
    )
    # A round is voided only while it waits for an answer.
    ended_so = before.settled == (proof.void_reason is None)
    return Verdict(
        checks={
            "commitment": dealing.commitment(seed) == proof.commitment,
            "deck": dealing.shuffle(seed, deal, sheet.deck) == deck,
            "sheet": sheet.game == proof.game and _hash(proof.sheet) == proof.sheet_hash,
            "settlement": ended_so and played.settled and view(played).lines == proof.lines,
        },
        transcript=played,
    )


def _hash(sheet: dict[str, Any]) -> str:
    """Return the hash of a stored sheet, without converting it to the current sheet type."""
    return hashlib.sha256(msgspec.json.encode(sheet, order="sorted")).hexdigest()
