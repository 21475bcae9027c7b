"""Writes the certificate: data, words and program in one page."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tapisvert.coach.decisions import DecisionValue
from tapisvert.games.game import Game
from tapisvert.games.registry import GAMES, known
from tapisvert.history.round_proof import Proof
from tapisvert.rounds.schemas import ReversalView
from tapisvert.web.bundle import allowed, bundle, put
from tapisvert.words import LANGUAGES, catalogue

FORMAT = "tapisvert/certificate/1"
_FOLDER = Path(__file__).parent
_MAIN = "certificate/main.js"
_VALUE_DIGITS = 12
_COMMON = re.compile(
    r"(certificate|rank|ranks|of-ranks|to-rank|rank-list|suit|card|joker|money|outcome|why)\..*"
    r"|verifier\.index\..*"
    r"|verifier\.(pass|fail|open|no-crypto)"
)
_OF_THE_GAME = re.compile(r"title|(bet|zone|option|hand|event\.asked)\..*")


class HouseSays(Struct, frozen=True):
    """Facts from the house that are not in a proof; None if unknown, as for a saved proof file."""

    opened_at: str | None = None
    reversal: ReversalView | None = None


def certificate_page(
    proof: Proof, language: str, house: HouseSays, values: list[DecisionValue] | None
) -> str:
    """Write the certificate of a round; `values` is None where decisions are not valued."""
    frame = _frame(language, proof.game)
    page = put(frame, "{words}", _block(_words(language, proof.game)))
    return put(page, "{certificate}", _block(data(proof, house, values)))


def data(proof: Proof, house: HouseSays, values: list[DecisionValue] | None) -> dict[str, Any]:
    """Return the data of a certificate: proof, house facts, values, and a digest of each field."""
    record: dict[str, Any] = msgspec.to_builtins(proof)
    written = None if values is None else _written(values)
    beside = {"house": msgspec.to_builtins(house), "values": written}
    fields = {**beside, **record, "round.json": sorted(record)}
    digests = {field: _digest(value) for field, value in fields.items()}
    return {"format": FORMAT, "proof": record, **beside, "digests": digests}


def _written(values: list[DecisionValue]) -> list[dict[str, Any]]:
    """Return values with decimals as text: a proof contains no floats."""
    plain: list[dict[str, Any]] = msgspec.to_builtins(values)
    for each in plain:
        options = each["options"].items()
        each["options"] = {option: f"{value:.{_VALUE_DIGITS}f}" for option, value in options}
    return plain


def _digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


def program(game: Game) -> str:
    """Return the program of a certificate, with the settlement of its own game only."""
    settlement = f"certificate/games/{game.id}/settle.js"
    main = (
        f"import settlement from './games/{game.id}/settle.js';\n"
        "import { examine as examineAny } from './examine.js';\n"
        "import { start } from './page.js';\n"
        "export const examine = (text) =>"
        f" examineAny(text, settlement, {len(game.sheet_type.deck)});\n"
        "start(examine);\n"
    )
    written = {_MAIN: main, settlement: (game.folder / "settle.js").read_text(encoding="utf-8")}

    def read(path: str) -> str:
        return written.get(path) or (_FOLDER.parent / path).read_text(encoding="utf-8")

    return bundle(_MAIN, read)


@cache
def _frame(language: str, game: str) -> str:
    """Return the page without data; its policy allows only its own style and script, by hash."""
    style = (_FOLDER / "page.css").read_text(encoding="utf-8")
    script = program(GAMES[known(game)])
    page = (_FOLDER / "page.html").read_text(encoding="utf-8")
    page = put(page, "{language}", language)
    page = put(page, "{style-hash}", allowed(style))
    page = put(page, "{script-hash}", allowed(script))
    told = [(each, catalogue(each).write("certificate.no-script")) for each in LANGUAGES]
    notices = (f'<p lang="{each}">{escape(text)}</p>' for each, text in told)
    page = put(page, "{no-script}", "".join(notices))
    page = put(page, "{style}", style)
    return put(page, "{script}", script)


def _words(language: str, game: str) -> dict[str, str]:
    found = {}
    for key, text in catalogue(language).templates.items():
        first, _, rest = key.partition(".")
        if _COMMON.fullmatch(key) or (first == game and _OF_THE_GAME.fullmatch(rest)):
            found[key] = text
    return found


def _block(value: object) -> str:
    """Write JSON in which no text can close the enclosing script element."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
