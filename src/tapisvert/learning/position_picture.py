"""A position as a picture, in SVG: its cards, its options and their values.

The picture has no style sheet and no script, so that it looks alike wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from tapisvert.learning.position_address import AddressedPosition
from tapisvert.learning.position_names import field_name, option_name
from tapisvert.par.markup import tag
from tapisvert.words import Catalogue

# The pips of the cards on the page (js/cards.js), within 50 of their middle.
PIPS = {
    "s": "M0-50C10-28 47-9 47 19c0 15-12 24-24 24-9 0-16-4-19-11 1 9 5 15 14 18H-18c9-3 13-9 14-18"
    "-3 7-10 11-19 11-12 0-24-9-24-24C-47-9-10-28 0-50Z",
    "h": "M0 48C-10 27-49 5-49-21c0-17 12-27 25-27 12 0 20 8 24 19C4-40 12-48 24-48c13 0 25 10 25"
    " 27C49 5 10 27 0 48Z",
    "d": "M0-50C9-31 22-15 40 0 22 15 9 31 0 50-9 31-22 15-40 0-22-15-9-31 0-50Z",
    "c": "M0-50A23 23 0 0 1 18-13 22.5 22.5 0 1 1 4 20C5 36 9 46 18 50H-18C-9 46-5 36-4 20A22.5"
    " 22.5 0 1 1-18-13 23 23 0 0 1 0-50Z",
}
WIDTH = 720
_EDGE, _CARD, _TALL, _GAP = 32, 64, 90, 8
_ROW = 40  # height of an option
_OPTIONS_MAX = 6  # shown; the others are worth less
_FELT, _PAPER, _TEXT, _DIM, _GOLD = "#0b4438", "#fffdf6", "#f3efe4", "#b9c7c0", "#e8c474"
_BLACK, _RED = "#16161d", "#c3162b"


def draw_position(
    words: Catalogue,
    found: AddressedPosition,
    options: Mapping[str, float],
    best: Sequence[str | None],
) -> str:
    """Return the picture of a position with the values of its options."""
    game, drawn = found.sheet.game, []
    height = _EDGE + 24
    drawn.append(_text(_EDGE, height, words.write("title", {}, game), 24, _TEXT, bold=True))
    rules = _rules(words, found)
    if rules:
        drawn.append(_text(WIDTH - _EDGE, height, rules, 15, _GOLD, end=True))
    for name, cards in found.cards.items():
        if cards:
            height += 38
            drawn.append(_text(_EDGE, height, field_name(words, game, name), 15, _DIM))
            height += 10
            drawn += _cards(words, cards, height)
            height += _rows(cards) * (_TALL + _GAP) - _GAP
    height += 18
    shown = sorted(options, key=lambda option: -options[option])[:_OPTIONS_MAX]
    for option in shown:
        drawn.append(_option(words, game, option, options[option], height, option in best))
        height += _ROW
    if not options:
        drawn.append(_text(_EDGE, height + 20, words.write("position.no-choice"), 17, _TEXT))
        height += _ROW
    height += 30
    drawn.append(_text(_EDGE, height, words.write("position.unit"), 13, _DIM))
    drawn.append(_text(WIDTH - _EDGE, height, words.write("page.house"), 13, _DIM, end=True))
    height += 24
    title = tag("title", words.write("position.of", {"game": words.write("title", {}, game)}))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        f' height="{height}" role="img" lang="{words.language}" font-family="system-ui,sans-serif">'
        f'{title}<rect width="{WIDTH}" height="{height}" rx="18" fill="{_FELT}"/>'
        f"{''.join(drawn)}</svg>"
    )


def _rules(words: Catalogue, found: AddressedPosition) -> str:
    if found.rules is None:
        return ""
    named = words.find(f"variant.{found.rules}", found.sheet.game)
    return named or words.write("rules.own")


def _in_a_row() -> int:
    return (WIDTH - 2 * _EDGE + _GAP) // (_CARD + _GAP)


def _rows(cards: Sequence[str]) -> int:
    return -(-len(cards) // _in_a_row())


def _cards(words: Catalogue, cards: Sequence[str], top: int) -> Iterator[str]:
    for place, card in enumerate(cards):
        row, column = divmod(place, _in_a_row())
        x, y = _EDGE + column * (_CARD + _GAP), top + row * (_TALL + _GAP)
        yield f'<g transform="translate({x} {y})">{_card(words, card)}</g>'


def _card(words: Catalogue, card: str) -> str:
    """Return a card: a large rank and one suit symbol, or the word JOKER."""
    paper = f'<rect width="{_CARD}" height="{_TALL}" rx="7" fill="{_PAPER}"/>'
    named = tag("title", words.card(card))
    if card == "Jk":
        return f"{named}{paper}{_middle(15, _RED, 'JOKER', _TALL // 2 + 5)}"
    rank, suit = card[0], card[1]
    colour = _RED if suit in "dh" else _BLACK
    index = _middle(36, colour, words.find(f"verifier.index.{rank}") or rank, 38)
    return (
        f'{named}{paper}{index}<path d="{PIPS[suit]}" fill="{colour}"'
        f' transform="translate({_CARD // 2} 66) scale(.36)"/>'
    )


def _middle(size: int, colour: str, text: str, y: int) -> str:
    return (
        f'<text x="{_CARD // 2}" y="{y}" text-anchor="middle" font-size="{size}"'
        f' font-weight="700" fill="{colour}">{escape(text)}</text>'
    )


def _option(words: Catalogue, game: str, option: str, value: float, top: int, is_best: bool) -> str:
    """Return the row of an option: its name, whether it is the best, and its value."""
    wide = WIDTH - 2 * _EDGE
    frame = f'x="{_EDGE}" y="{top}" width="{wide}" height="{_ROW - 6}" rx="8"'
    box = f'<rect {frame} fill="#000" fill-opacity="{".35" if is_best else ".15"}"/>'
    colour = _GOLD if is_best else _TEXT
    name = option_name(words, game, option)
    if is_best:
        name += f" · {words.write('coach.best')}"
    figure = words.signed_figure(f"{value:+.4f}")
    line = top + 23
    return (
        box
        + _text(_EDGE + 12, line, name, 17, colour, bold=is_best)
        + _text(WIDTH - _EDGE - 12, line, figure, 17, colour, bold=is_best, end=True)
    )


def _text(
    x: int, y: int, text: str, size: int, colour: str, *, bold: bool = False, end: bool = False
) -> str:
    weight = ' font-weight="700"' if bold else ""
    anchor = ' text-anchor="end"' if end else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{weight}{anchor}>'
        f"{escape(text)}</text>"
    )
