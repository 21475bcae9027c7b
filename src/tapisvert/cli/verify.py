"""`tapis verify`: check a finished round and print it in words."""

from __future__ import annotations

from pathlib import Path

from tapisvert.history.round_proof import check_proof, read_proof
from tapisvert.refusal import Refused
from tapisvert.words import LANGUAGES, catalogue, tell


def report(file: Path, language: str, commitment: str | None) -> tuple[list[str], bool]:
    """Return what there is to say about a proof, and whether it is true.

    `commitment` is the one the player noted before the stake; a file alone cannot know it.
    """
    words = catalogue(language if language in LANGUAGES else "en")
    try:
        written = file.read_bytes()
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise Refused("proof/unreadable", file=str(file), reason=reason) from None
    proof = read_proof(written, str(file))
    verdict = check_proof(proof, str(file))
    lines = [tell(words, proof.game, event) for event in verdict.transcript.events]
    lines.append("")
    checks = dict(verdict.checks)
    if commitment is not None:
        checks["promised"] = commitment.strip().lower() == proof.commitment
    for name, holds in checks.items():
        said = words.write(f"verify.{name}", {"commitment": proof.commitment})
        lines.append(f"{'✓' if holds else '✗'} {said}")
    true = all(checks.values())
    lines.append(words.write("verify.true" if true else "verify.false"))
    return lines, true
