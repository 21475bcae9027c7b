"""Pictures: the PNG is the same picture as the SVG, read back by another decoder."""

from __future__ import annotations

import re
import string
import struct
import zlib

import pytest

from tapisvert.par import lettering
from tapisvert.par.drawing import INK, SCALE, Box, Drawing, Label
from tapisvert.par.histogram import HistogramBar, histogram

RED, GREEN, WHITE = (200, 30, 20), (10, 120, 60), (255, 255, 255)
Pixels = list[list[tuple[int, ...]]]


def decoded(png: bytes) -> Pixels:
    """Read a PNG of eight bits in red, green and blue, without filters; check every checksum."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    found: dict[bytes, bytes] = {}
    place = 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        kind, content = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        (check,) = struct.unpack(">I", png[place + 8 + length : place + 12 + length])
        assert check == zlib.crc32(kind + content)
        found[kind] = content
        place += 12 + length
    assert list(found) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *form = struct.unpack(">IIBBBBB", found[b"IHDR"])
    assert form == [8, 2, 0, 0, 0]
    rows = zlib.decompress(found[b"IDAT"])
    assert len(rows) == height * (1 + 3 * width)
    read = []
    for line in range(height):
        row = rows[line * (1 + 3 * width) : (line + 1) * (1 + 3 * width)]
        assert row[0] == 0
        read.append([tuple(row[at : at + 3]) for at in range(1, len(row), 3)])
    return read


def drawn(*boxes: Box, labels: tuple[Label, ...] = ()) -> Pixels:
    return decoded(Drawing("title", 20, 16, boxes, labels, 15.0).png())


def test_a_box_covers_its_pixels_and_mixes_at_its_edges() -> None:
    pixels = drawn(Box(2, 3, 4, 5, RED), Box(10.25, 4, 1, 1, GREEN))
    assert (len(pixels), len(pixels[0])) == (16 * SCALE, 20 * SCALE)
    inside = {
        (row, column)
        for row, line in enumerate(pixels)
        for column, pixel in enumerate(line)
        if pixel == RED
    }
    assert inside == {(row, column) for row in range(6, 16) for column in range(4, 12)}
    half = tuple(round((part + 255) / 2) for part in GREEN)
    assert [pixels[8][column] for column in range(19, 24)] == [
        WHITE, pytest.approx(half, abs=1), GREEN, pytest.approx(half, abs=1), WHITE,
    ]  # fmt: skip


def test_a_box_over_the_edge_is_cut() -> None:
    pixels = drawn(Box(-2, -2, 3, 3, RED), Box(18.25, 8, 9, 2, GREEN))
    assert pixels[0][0] == pixels[1][1] == RED
    assert pixels[2][2] == WHITE
    assert pixels[17][39] == GREEN


def test_the_baseline_goes_from_edge_to_edge() -> None:
    line = drawn()[15 * SCALE]
    assert set(line) == {INK}


def test_a_text_is_ink_where_its_strokes_are() -> None:
    pixels = drawn(labels=(Label(2, 12, "start", "l"),))
    dark = [(row, column) for row, line in enumerate(pixels[:28]) for column, pixel in
            enumerate(line) if pixel != WHITE]  # fmt: skip
    columns = {column for _, column in dark}
    assert max(columns) - min(columns) <= 3  # one upright stroke
    assert 3 <= min(columns) <= 4  # half of the pen is left of it
    rows = {row for row, _ in dark}
    assert 5 <= min(rows) <= 7
    assert 22 <= max(rows) <= 26


def test_every_letter_and_figure_has_a_shape_of_its_own() -> None:
    signs = string.ascii_lowercase + string.digits + ".,:-+/'()$%_"
    shapes = {each: tuple(lettering.strokes(each)) for each in (*signs, "\u20ac")}
    assert len(set(shapes.values())) == len(shapes)
    assert all(shapes.values())
    assert lettering.strokes("A") == lettering.strokes("a")
    assert lettering.strokes("\u2212") == lettering.strokes("-")  # the sign of a loss
    assert lettering.strokes("\u20ac") == lettering.strokes("\u00e9")  # a box: no such letter
    assert lettering.strokes(" ") == []
    assert lettering.width("") == 0
    assert lettering.width("ab") > lettering.width("a") + lettering.width("b")


def test_both_forms_of_a_histogram_show_the_same_bars() -> None:
    bars = [HistogramBar("-$5", 0.25, "lost"), HistogramBar("0", 0.5, "even"),
            HistogramBar("$5", 0.25, "won")]  # fmt: skip
    picture = histogram("a coin & more", bars)
    svg = picture.svg()
    assert "a coin &amp; more" in svg
    assert "-$5: 25 %" in svg
    pixels = decoded(picture.png())
    places = re.findall(
        r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="#(\w+)"', svg
    )
    assert len(places) == 3
    for *place, colour in places:
        x, y, width, height = map(float, place)
        rgb = tuple(bytes.fromhex(colour))
        assert pixels[int((y + height / 2) * SCALE)][int((x + width / 2) * SCALE)] == rgb
        assert pixels[int((y - 2) * SCALE)][int((x + width / 2) * SCALE)] == WHITE
