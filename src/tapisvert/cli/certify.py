"""`tapis certify`: the certificate of a round, from its proof."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from tapisvert.coach.advice import advise
from tapisvert.coach.decisions import DecisionValue, value
from tapisvert.history.round_proof import Proof, decisions_of
from tapisvert.refusal import Refused
from tapisvert.web.certificate import HouseSays, certificate_page


def file_name(proof: Proof) -> Path:
    """Return the default file name; a round id cannot contain a path."""
    named = re.fullmatch(r"[\w-]{1,64}", proof.round_id)
    return Path(f"certificate-{proof.round_id}.html" if named else "certificate.html")


def certified(proof: Proof, language: str, *, valued: bool) -> str:
    """Return the certificate of a proof; a proof has no date, so neither has this certificate."""
    return certificate_page(proof, language, HouseSays(), _values(proof) if valued else None)


def _values(proof: Proof) -> list[DecisionValue] | None:
    try:
        return [
            value(each, msgspec.structs.asdict(advise(_as_written(each.position))))
            for each in decisions_of(proof)
        ]
    except Refused:  # no proof exists for this sheet
        return None


def _as_written(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position as JSON types, as `tapis advise` reads it."""
    written: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(position))
    return written
