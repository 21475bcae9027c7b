"""Pictures of rectangles, lines and texts, written as SVG or as PNG.

The PNG is drawn here, with smooth edges, so that no imaging library is needed.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, hypot

from tapisvert.par import lettering
from tapisvert.par.markup import tag

Colour = tuple[int, int, int]
Segment = tuple[lettering.Point, lettering.Point]

SCALE = 2  # pixels of a PNG for each unit of a picture
INK: Colour = (0x2A, 0x33, 0x2F)
_PAPER: Colour = (255, 255, 255)
_FONT_SIZE = 12  # units
_CAPITAL = 0.72 * _FONT_SIZE  # the height of a figure
_PEN = 1.1  # the width of a stroke, in units


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; `told` is its tooltip."""

    x: float
    y: float
    width: float
    height: float
    fill: Colour
    told: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A text; `anchor` is `start` or `middle`."""

    x: float
    y: float
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture with a title. The unit is a CSS pixel, 1/96 inch."""

    title: str
    width: int
    height: int
    boxes: Sequence[Box]
    labels: Sequence[Label]
    baseline: float
    """The y coordinate of a line from the left to the right edge."""

    def svg(self) -> str:
        """Return the picture as SVG; texts have the colour of the text around it."""
        base = f'y1="{self.baseline:g}" y2="{self.baseline:g}" stroke="currentColor"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}"'
            f' width="{self.width}" height="{self.height}" role="img">{tag("title", self.title)}'
            f"{''.join(map(_svg_box, self.boxes))}"
            f'<line x1="0" x2="{self.width}" {base}/>'
            f"{''.join(map(_svg_label, self.labels))}</svg>"
        )

    def png(self) -> bytes:
        """Return the picture as PNG, with two pixels to the unit, on white."""
        canvas = _Canvas(self.width * SCALE, self.height * SCALE)
        for box in self.boxes:
            canvas.fill(box.x, box.y, box.width, box.height, box.fill)
        canvas.fill(0, self.baseline - 0.5, self.width, 1, INK)
        for label in self.labels:
            for begin, end in _segments(label):
                canvas.stroke(begin, end)
        return canvas.png()


def _svg_box(box: Box) -> str:
    colour = "#" + "".join(f"{part:02x}" for part in box.fill)
    place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    return f'<rect {place} fill="{colour}">{tag("title", box.told)}</rect>'


def _svg_label(label: Label) -> str:
    return tag(
        "text",
        label.text,
        **{
            "x": f"{label.x:.1f}",
            "y": f"{label.y:.1f}",
            "text-anchor": label.anchor,
            "font-size": str(_FONT_SIZE),
            "font-family": "sans-serif",
            "fill": "currentColor",
        },
    )


def _segments(label: Label) -> Iterator[Segment]:
    """Yield the strokes of a text in units of the picture."""
    size = _CAPITAL / lettering.HEIGHT
    left = label.x - (lettering.width(label.text) * size / 2 if label.anchor == "middle" else 0)
    for stroke in lettering.strokes(label.text):
        points = [(left + x * size, label.y - y * size) for x, y in stroke]
        yield from pairwise(points)


class _Canvas:
    """Pixels in red, green and blue, row by row."""

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        self._rows = [bytearray(bytes(_PAPER) * width) for _ in range(height)]

    def fill(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        """Fill a rectangle; pixels it covers in part are mixed."""
        left, right = x * SCALE, (x + width) * SCALE
        top, bottom = y * SCALE, (y + height) * SCALE
        for row in range(max(0, floor(top)), min(self._height, ceil(bottom))):
            down = min(bottom, row + 1) - max(top, row)
            first, last = max(0, ceil(left)), min(self._width, floor(right))
            if down == 1 and first < last:  # pixels it covers whole
                self._rows[row][3 * first : 3 * last] = bytes(colour) * (last - first)
                columns = {first - 1, last} if first > 0 else {last}
            else:
                columns = set(range(max(0, floor(left)), min(self._width, ceil(right))))
            for column in columns:
                across = min(right, column + 1) - max(left, column)
                if across > 0 and column < self._width:
                    self._mix(row, column, colour, down * across)

    def stroke(self, begin: lettering.Point, end: lettering.Point) -> None:
        """Draw a line with round ends, by the distance of each pixel from it."""
        (x1, y1), (x2, y2) = ((x * SCALE, y * SCALE) for x, y in (begin, end))
        reach = _PEN * SCALE / 2
        square = (x2 - x1) ** 2 + (y2 - y1) ** 2
        far = reach + 1
        for row in range(max(0, floor(min(y1, y2) - far)), ceil(max(y1, y2) + far)):
            for column in range(max(0, floor(min(x1, x2) - far)), ceil(max(x1, x2) + far)):
                if row >= self._height or column >= self._width:
                    continue
                x, y = column + 0.5 - x1, row + 0.5 - y1
                along = (x * (x2 - x1) + y * (y2 - y1)) / square if square else 0.0
                near = min(1.0, max(0.0, along))
                distance = hypot(x - near * (x2 - x1), y - near * (y2 - y1))
                self._darken(row, column, reach + 0.5 - distance)

    def _mix(self, row: int, column: int, colour: Colour, share: float) -> None:
        pixels = self._rows[row]
        for place, part in enumerate(colour, 3 * column):
            pixels[place] = round(pixels[place] + share * (part - pixels[place]))

    def _darken(self, row: int, column: int, share: float) -> None:
        """Mix in ink, but never lighten: strokes of one letter meet without a seam."""
        pixels, share = self._rows[row], min(1.0, share)
        if share > 0:
            for place, part in enumerate(INK, 3 * column):
                pixels[place] = min(pixels[place], round(255 + share * (part - 255)))

    def png(self) -> bytes:
        """Return the pixels as a PNG file."""
        head = struct.pack(">IIBBBBB", self._width, self._height, 8, 2, 0, 0, 0)
        rows = b"".join(b"\0" + row for row in self._rows)
        chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*each) for each in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
