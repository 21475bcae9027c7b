"""Proofs of finished rounds of every game, dealt from a seed as the house does."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from functools import cache

from stakes import stakes_on_all
from tapisvert import dealing
from tapisvert.cards import text
from tapisvert.dealing import Deal
from tapisvert.engine import Answer, replay, view
from tapisvert.engine.events import Asked
from tapisvert.engine.script import Claim
from tapisvert.engine.sheet import content
from tapisvert.games.registry import SHIPPED, current
from tapisvert.history.round_proof import FORMAT, Proof
from tapisvert.sheets import load

GAMES = tuple(SHIPPED)
STAKES = {game: stakes_on_all(game, 1000, 600, 200) for game in GAMES}


def proof_of(game: str, number: int, void: str | None = None) -> Proof:
    """Play a round at random with a numbered seed; with `void`, void it at a later question."""
    sheet, script = load(game), current(game).script
    chance = random.Random(f"{game} {number}")
    seed = hashlib.sha256(f"{game} {number}".encode()).digest()
    deal = Deal(game, sheet.hash, f"0197{number:04x}-0000-7000-8000-000000000000", "été à Montréal")
    deck = dealing.shuffle(seed, deal, sheet.deck)
    answers: list[Answer] = []
    while True:
        played = replay(script, sheet, deck, STAKES[game], answers, bank=_pot)
        answers = list(played.answers)
        if not isinstance(played.waiting, Asked) or (void and len(answers) > 0):
            break
        legal = [option.id for option in played.waiting.options if option.why_not is None]
        answers.append(chance.choice(legal))
    ended = void if isinstance(played.waiting, Asked) else None
    played = replay(script, sheet, deck, STAKES[game], answers, void=ended)
    return Proof(
        format=FORMAT,
        game=game,
        edition=current(game).number,
        sheet_hash=sheet.hash,
        sheet=content(sheet),
        round_id=deal.round_id,
        client_seed=deal.client_seed,
        server_seed=seed.hex(),
        commitment=dealing.commitment(seed),
        deck=tuple(text(card) for card in deck),
        stakes=STAKES[game],
        answers=answers,
        lines=view(played).lines,
        void_reason=ended,  # type: ignore[arg-type]
    )


def _pot(claim: Claim) -> int:
    return int(2_000_000 * claim.share)


def first(game: str, wanted: Callable[[Proof], bool], void: str | None = None) -> Proof:
    """Return the first round of a game that satisfies `wanted`."""
    return next(proof for number in range(100_000) if wanted(proof := proof_of(game, number, void)))


@cache
def rich(game: str) -> Proof:
    """Return a round with several questions and several results."""

    def wanted(proof: Proof) -> bool:
        bets = {line.bet for line in proof.lines}
        outcomes = {line.outcome for line in proof.lines}
        if game == "blackjack":
            return {"split-1", "insurance-2"} <= bets
        if game == "ultimate":
            return len(proof.answers) == 3 and "play" in bets and "won" in outcomes
        return len(outcomes) > 1 and "won" in outcomes

    return first(game, wanted)
