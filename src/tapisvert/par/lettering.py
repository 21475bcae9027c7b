"""A plain single-stroke alphabet for pictures in PNG, which have no fonts of their own.

A letter is drawn with lines and arcs on a grid: y = 0 is the baseline, 5 the top of small letters,
7 the top of capitals and figures. `x,y x,y` is a line through points; `@x,y,rx,ry,from,to` is an
arc around a centre, in degrees, counter-clockwise from the right.
"""

from __future__ import annotations

from functools import cache
from math import ceil, cos, radians, sin

Point = tuple[float, float]
Stroke = tuple[Point, ...]

HEIGHT = 7.0
_GAP = 1.5  # between two letters
_SPACE = 2.6
_MISSING = (4.0, "0,0 0,7 4,7 4,0 0,0")  # a box
_ARC_STEP = 15  # degrees

_FIGURES = {
    "0": (4, "@2,3.5,2,3.5,0,360"),
    "1": (4, "0.6,5.6 2.2,7 2.2,0"),
    "2": (4, "@2,5.1,1.9,1.9,165,-30 3.7,4.1 0.1,0 4,0"),
    "3": (4, "@1.9,5.3,1.7,1.7,150,-90 @1.9,1.8,2,1.8,90,-150"),
    "4": (4.2, "3,0 3,7 0,2 4.2,2"),
    "5": (4, "3.6,7 0.6,7 0.3,3.9 @1.8,2.2,2.1,2.2,125,-150"),
    "6": (4, "@2,2.1,1.9,2.1,0,360|@3.9,3.5,3.8,3.5,100,190"),
    "7": (4, "0,7 4,7 1.4,0"),
    "8": (4, "@2,5.3,1.6,1.7,0,360|@2,1.8,2,1.8,0,360"),
    "9": (4, "@2,4.9,1.9,2.1,0,360|@0.1,3.5,3.8,3.5,10,-80"),
}
_SMALL = {
    "a": (3.8, "@1.9,2.5,1.9,2.5,0,360|3.8,5 3.8,0"),
    "b": (3.8, "0,7 0,0|@1.9,2.5,1.9,2.5,0,360"),
    "c": (3.5, "@2,2.5,2,2.5,45,315"),
    "d": (3.8, "@1.9,2.5,1.9,2.5,0,360|3.8,7 3.8,0"),
    "e": (3.9, "0.1,2.6 3.8,2.6 @1.95,2.5,1.9,2.5,5,310"),
    "f": (2.4, "@2.2,5.5,1.4,1.5,80,180 0.8,0|0,5 2.3,5"),
    "g": (3.8, "@1.9,2.5,1.9,2.5,0,360|3.8,5 3.8,0 @2,0,1.8,2,0,-150"),
    "h": (3.6, "0,7 0,0|0,3 @1.8,3.1,1.8,1.9,180,0 3.6,0"),
    "i": (0.4, "0.2,5 0.2,0|0.2,6.8 0.2,7"),
    "j": (1.2, "1,5 1,-0.6 @0,-0.6,1,1.4,0,-90|1,6.8 1,7"),
    "k": (3.4, "0,7 0,0|3.1,5 0,2|1.2,3.1 3.4,0"),
    "l": (0.4, "0.2,7 0.2,0"),
    "m": (6, "0,5 0,0|0,3 @1.5,3.4,1.5,1.6,180,0 3,0|3,3.4 @4.5,3.4,1.5,1.6,180,0 6,0"),
    "n": (3.6, "0,5 0,0|0,3 @1.8,3.1,1.8,1.9,180,0 3.6,0"),
    "o": (4, "@2,2.5,2,2.5,0,360"),
    "p": (3.8, "0,5 0,-2|@1.9,2.5,1.9,2.5,0,360"),
    "q": (3.8, "@1.9,2.5,1.9,2.5,0,360|3.8,5 3.8,-2"),
    "r": (2.2, "0,5 0,0|0,2.8 @1.9,2.9,1.9,2.1,180,80"),
    "s": (3.2, "@1.6,3.75,1.4,1.25,40,270 @1.6,1.25,1.5,1.25,90,-140"),
    "t": (2.4, "0.8,6.7 0.8,1.3 @2.1,1.3,1.3,1.3,180,280|0,5 2.3,5"),
    "u": (3.6, "0,5 0,1.9 @1.8,1.9,1.8,1.9,180,360 3.6,1.9|3.6,5 3.6,0"),
    "v": (3.8, "0,5 1.9,0 3.8,5"),
    "w": (5.6, "0,5 1.4,0 2.8,5 4.2,0 5.6,5"),
    "x": (3.6, "0,5 3.6,0|3.6,5 0,0"),
    "y": (3.8, "0,5 1.9,0|3.8,5 1.9,0 1.2,-1.6 0.3,-2"),
    "z": (3.4, "0,5 3.4,5 0,0 3.4,0"),
}
_SIGNS = {
    " ": (_SPACE - _GAP, ""),
    ".": (0.4, "0.2,0 0.2,0.2"),
    ",": (0.6, "0.4,0.2 0,-1.2"),
    ":": (0.4, "0.2,0 0.2,0.2|0.2,4 0.2,4.2"),
    "-": (2.2, "0,2.6 2.2,2.6"),
    "+": (4, "0,3 4,3|2,1 2,5"),
    "/": (2.8, "0,-0.6 2.8,7.4"),
    "'": (0.4, "0.2,7 0.2,5.4"),
    "(": (1.4, "@4.2,3,4.2,5,130,230"),
    ")": (1.4, "@-2.8,3,4.2,5,50,-50"),
    "$": (4, "@2,5,1.8,1.5,30,270 @2,2,1.9,1.5,90,-150|2,7.6 2,-0.7"),
    "%": (6.4, "@1.4,5.4,1.4,1.6,0,360|@5,1.6,1.4,1.6,0,360|5.2,7 1.2,0"),
    "_": (4, "0,-0.8 4,-0.8"),
}
_LETTERS: dict[str, tuple[float, str]] = {**_FIGURES, **_SMALL, **_SIGNS}


def width(text: str) -> float:
    """Return the width of a text on the grid."""
    return sum(_letter(each)[0] + _GAP for each in text) - _GAP if text else 0.0


def strokes(text: str) -> list[Stroke]:
    """Return the strokes of a text that begins at 0. Capitals are drawn as small letters.

    >>> strokes("l.")[0]
    ((0.2, 7.0), (0.2, 0.0))
    """
    found: list[Stroke] = []
    place = 0.0
    for each in text:
        wide, drawn = _letter(each)
        found += [tuple((x + place, y) for x, y in stroke) for stroke in drawn]
        place += wide + _GAP
    return found


@cache
def _letter(letter: str) -> tuple[float, tuple[Stroke, ...]]:
    """Return the width and the strokes of one letter."""
    wide, written = _LETTERS.get(letter.lower().replace("−", "-"), _MISSING)
    return wide, tuple(_stroke(part) for part in written.split("|") if part)


def _stroke(written: str) -> Stroke:
    points: list[Point] = []
    for part in written.split():
        numbers = [float(each) for each in part.lstrip("@").split(",")]
        if part.startswith("@"):
            points += _arc(*numbers)
        else:
            points.append((numbers[0], numbers[1]))
    return tuple(points)


def _arc(x: float, y: float, rx: float, ry: float, begin: float, end: float) -> list[Point]:
    steps = max(1, ceil(abs(end - begin) / _ARC_STEP))
    angles = [radians(begin + (end - begin) * step / steps) for step in range(steps + 1)]
    return [(x + rx * cos(angle), y + ry * sin(angle)) for angle in angles]
