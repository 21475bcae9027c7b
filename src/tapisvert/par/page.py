"""The par sheet of a game: one self-contained page, for paper or screen."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from tapisvert import __version__
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import keys
from tapisvert.lab import bankroll_store, chart_store, proof_store
from tapisvert.lab.bankroll_store import BankrollTable
from tapisvert.lab.proof_store import StoredProof
from tapisvert.par.bankrolls import bankrolls
from tapisvert.par.figures import distribution, figures, pay_tables
from tapisvert.par.markup import section, tag
from tapisvert.par.measures import MEASURES as MEASURES
from tapisvert.par.measures import measures
from tapisvert.par.strategy import strategy
from tapisvert.par.tables import caps, intervals, key_figures, skill
from tapisvert.refusal import Refused
from tapisvert.words import Catalogue, catalogue

_STYLE = Path(__file__).with_name("page.css")


def kept_par_sheet(sheet: Sheet, language: str, folder: Path | None = None) -> str:
    """Return the par sheet of a game from the stored proofs of exactly this sheet."""
    found = proof_store.find(sheet, folder)
    if not found:
        raise Refused("par/not_proved", game=sheet.game)
    chart, tables = chart_store.find(sheet, folder), bankroll_store.find(sheet, folder)
    return par_sheet(sheet, language, found, chart, tables)


def kept_strategy(sheet: Sheet, language: str, folder: Path | None = None) -> str:
    """Return the best play of a game as a page, from the stored chart of exactly this sheet."""
    chart = chart_store.find(sheet, folder)
    if chart is None:
        raise Refused("par/not_proved", game=sheet.game)
    words, game = catalogue(language), sheet.game
    drawn = section(words.write("par.strategy"), strategy(words, game, chart))
    title = words.write("par.strategy-title", {"game": words.write("title", {}, game)})
    return _document(language, title, [drawn])


def par_sheet(
    sheet: Sheet,
    language: str,
    found: list[StoredProof],
    chart: Any,
    tables: Sequence[BankrollTable] = (),
) -> str:
    """Return the par sheet of a game from its proofs, and its chart and bankrolls if known."""
    words, game = catalogue(language), sheet.game
    title = words.write("par.title", {"game": words.write("title", {}, game)})
    measured = measures(sheet, found)
    shown = [each for each in measured if each.strategy in MEASURES and each.rows]
    by_proof = zip(found, measured, strict=True)
    parts = [
        tag("p", words.write("par.lead", {"hash": sheet.hash[:16], "version": __version__})),
        section(words.write("par.rules"), rules(words, sheet)),
        section(words.write("par.pays"), pay_tables(words, sheet)),
        section(words.write("returns.title"), figures(words, sheet, found)),
        section(words.write("par.measures"), key_figures(words, game, shown)),
        section(
            words.write("par.how-often"),
            *(distribution(words, sheet, *each) for each in by_proof if each[1] in shown),
        ),
        section(words.write("par.intervals"), intervals(words, game, shown)),
        section(words.write("par.skills"), skill(words, game, measured)),
        section(words.write("par.caps-title"), caps(words, sheet, shown)),
    ]
    if tables:
        parts.append(section(words.write("par.bankroll"), bankrolls(words, game, tables)))
    if chart is not None:
        parts.append(section(words.write("par.strategy"), strategy(words, game, chart)))
    parts.append(section(words.write("par.again"), again(words, game)))
    return _document(language, title, parts)


def _document(language: str, title: str, parts: Sequence[str]) -> str:
    """Return a page that needs no other file."""
    style = _STYLE.read_text(encoding="utf-8")
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><main>{tag('h1', title)}{''.join(parts)}</main></body></html>"
    )


def rules(words: Catalogue, sheet: Sheet) -> str:
    """Return the rules in the words of the table, with the figures of its sheet."""
    # Templates expect booleans as JSON text.
    flat = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in keys(sheet)
    }
    lines = []
    number = 1
    while words.find(f"help.{number}", sheet.game):
        lines.append(tag("li", words.write(f"help.{number}", flat, sheet.game)))
        number += 1
    return f"<ol>{''.join(lines)}</ol>"


def again(words: Catalogue, game: str) -> str:
    """Return the section on how to reproduce the figures."""
    commands = (f"tapis prove {game} --json", f"tapis strategy {game} --json")
    shown = "".join(tag("li", command, class_="code") for command in commands)
    return f"{tag('p', words.write('par.again-lead'))}<ul>{shown}</ul>"
