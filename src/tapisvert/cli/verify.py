"""`tapis verify`: check a finished round and print it in words."""

from __future__ import annotations

from pathlib import Path

from tapisvert.library import verify
from tapisvert.words import LANGUAGES, catalogue


def report(file: Path, language: str, commitment: str | None) -> tuple[list[str], bool]:
    """Return the report on a proof, as lines, and whether the proof is true.

    `commitment` is the one the player noted before the stake; a proof file alone cannot show it.
    """
    words = catalogue(language if language in LANGUAGES else "en")
    found = verify(file, commitment=commitment)
    lines = [*found.told(words.language), ""]
    for name, holds in found.checks.items():
        said = words.write(f"verify.{name}", {"commitment": found.proof.commitment})
        lines.append(f"{'✓' if holds else '✗'} {said}")
    lines.append(words.write("verify.true" if found.true else "verify.false"))
    return lines, found.true
