"""The proved figures of a game as tables, and the distribution of results as a chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import log10
from typing import Any

from tapisvert.engine.sheet import Sheet, content
from tapisvert.lab.proof_store import StoredProof
from tapisvert.par.markup import raised, scrolled, table, tag
from tapisvert.par.measures import Measures
from tapisvert.par.tables import bet_name, named, pay_rows
from tapisvert.words import Catalogue

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 220, 46, 26
_NETS_MAX = 24
_COLOURS = {"won": "#14705a", "lost": "#a33a2b", "even": "#7d8f88"}


def pay_tables(words: Catalogue, sheet: Sheet) -> str:
    """Return the pay tables of every bet: one price, or rows in the order of the sheet."""
    found = []
    for bet, part in content(sheet).items():
        if not isinstance(part, dict):
            continue
        pays = part.get("pays", {})
        if isinstance(pays, str):
            found.append(tag("p", words.write("pays.flat", {"bet": bet, "odds": pays}, sheet.game)))
            continue
        rows = [
            *pays.items(),
            *part.get("shares", {}).items(),
            *part.get("prizes_cents", {}).items(),
        ]
        if rows:
            title = words.write("pays.title", {"bet": bet}, sheet.game)
            heads = (words.write("pays.hand"), words.write("pays.odds"))
            named = [(words.write(f"row.{row}", {}, sheet.game), row, price) for row, price in rows]
            told = [(name, _price(words, part, row, price)) for name, row, price in named]
            found.append(table(title, heads, told))
    return f'<div class="beside">{"".join(found)}</div>'


def _price(words: Catalogue, part: Mapping[str, Any], row: str, price: Any) -> str:
    """Return what a row pays, as text: odds, a share of the pot, or a prize."""
    if row in part.get("prizes_cents", {}):
        return words.money(price)
    if row in part.get("shares", {}):
        gain, _, stake = price.partition(":")
        return words.write(
            "pays.share", {"percent": words.percent(Fraction(int(gain), int(stake)), 0)}
        )
    return words.odds(price)


def figures(words: Catalogue, sheet: Sheet, proofs: list[StoredProof]) -> str:
    """Return a table of every proved figure, as a fraction and in percent."""
    heads = ("limits.bet", "returns.played", "par.return", "par.edge", "par.staked")
    rows = [
        (
            bet_name(words, sheet.game, proof.bet),
            words.write(f"strategy.{proof.strategy}", {}, sheet.game),
            words.write(
                "percent.format", {"value": words.number(100 * Fraction(proof.returned), 8)}
            ),
            proof.edge,
            words.number(Fraction(proof.staked), 6),
        )
        for proof in proofs
    ]
    more = [
        (
            bet_name(words, sheet.game, proof.bet),
            words.write(f"strategy.{proof.strategy}", {}, sheet.game),
            words.number(Fraction(proof.variance), 4),
            words.percent(Fraction(proof.hit), 4),
            proof.key[:16],
        )
        for proof in proofs
    ]
    spread = ("limits.bet", "returns.played", "par.variance", "par.hit", "par.key")
    return (
        table(words.write("par.figures"), [words.write(key) for key in heads], rows, kind="wide")
        + table(words.write("par.spread"), [words.write(key) for key in spread], more, kind="wide")
        + tag("p", words.write("par.base"))
    )


def nets(proof: StoredProof) -> dict[Fraction, int]:
    """Return the number of deals of each net result."""
    found: Counter[Fraction] = Counter()
    for outcome in proof.outcomes:
        if outcome.deals:
            found[Fraction(outcome.net)] += outcome.deals
    return dict(sorted(found.items()))


def distribution(words: Catalogue, sheet: Sheet, proof: StoredProof, found: Measures) -> str:
    """Return the distribution of a bet's results: a chart, and the rows."""
    title = named(words, sheet.game, found)
    drawn = scrolled("drawn", title, picture(words, nets(proof), title))
    return tag("h3", title) + drawn + pay_rows(words, sheet.game, found)


def picture(words: Catalogue, found: dict[Fraction, int], title: str) -> str:
    """Return a bar chart as SVG, on a logarithmic scale so that rare results stay visible.

    Colours and positions are attributes of the picture: a notebook has no style sheet for it.
    """
    deals = sum(found.values())
    shown = dict(sorted(sorted(found.items(), key=lambda each: -each[1])[:_NETS_MAX]))
    least = min(log10(count / deals) for count in shown.values())
    floor = min(-1.0, least) - 0.2
    step = (_WIDTH - _LEFT) / len(shown)
    parts = []
    for power in range(0, int(floor) - 1, -1):
        y = (_HEIGHT - _BOTTOM) * (power / floor)
        if y <= _HEIGHT - _BOTTOM:
            ten, across = f"10{raised(power)}", f'x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}"'
            parts.append(f'<line {across} y2="{y:.1f}" stroke="currentColor" opacity="0.2"/>')
            parts.append(_label(_LEFT - 6, y + 4, "end", ten))
    for place, (net, count) in enumerate(shown.items()):
        height = (_HEIGHT - _BOTTOM) * (1 - log10(count / deals) / floor)
        x, y = _LEFT + step * place, _HEIGHT - _BOTTOM - height
        label = words.signed_figure(f"{float(net):+.6g}") if net else "0"
        fill = _COLOURS["won" if net > 0 else "lost" if net < 0 else "even"]
        parts.append(
            f'<rect fill="{fill}" x="{x + 1:.1f}" y="{y:.1f}" width="{step - 2:.1f}"'
            f' height="{height:.1f}"/>' + _label(x + step / 2, _HEIGHT - 8, "middle", label)
        )
    size = f'viewBox="0 -8 {_WIDTH} {_HEIGHT + 12}" width="{_WIDTH}" height="{_HEIGHT + 12}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-size="10"'
        f' font-family="system-ui, sans-serif">{tag("title", title)}{"".join(parts)}</svg>'
    )


def _label(x: float, y: float, anchor: str, text: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="currentColor">{text}</text>'
