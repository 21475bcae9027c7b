"""A histogram as a self-contained picture, for a page, a notebook or a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tapisvert.par.drawing import Box, Colour, Drawing, Label

_WIDTH, _HEIGHT, _BOTTOM, _TOP, _SIDE = 640, 220, 26, 22, 8
_LABEL_ROOM = 40  # half the width of a label, at most
_LABELS_MAX = 7
_COLOURS: dict[str, Colour] = {
    "won": (0x2E, 0x7D, 0x4F),
    "lost": (0xA6, 0x3D, 0x2F),
    "even": (0x8A, 0x8A, 0x8A),
}


class HistogramBar(NamedTuple):
    """A bar: its label, its height as a probability, and `won`, `lost` or `even`."""

    label: str
    probability: float
    kind: str


def histogram(title: str, bars: Sequence[HistogramBar]) -> Drawing:
    """Return bars of equal width under a title; some of them are labelled."""
    most = max(bar.probability for bar in bars) or 1.0
    step = (_WIDTH - 2 * _SIDE) / len(bars)
    every = -(-len(bars) // _LABELS_MAX)
    boxes = []
    labels = [Label(_SIDE, 14, "start", title)]
    for place, bar in enumerate(bars):
        height = (_HEIGHT - _BOTTOM - _TOP) * bar.probability / most
        told = f"{bar.label}: {100 * bar.probability:.4g} %"
        left, top = _SIDE + step * place + 0.5, _HEIGHT - _BOTTOM - height
        boxes.append(Box(left, top, step - 1, height, _COLOURS[bar.kind], told))
        middle = left + step / 2
        fits = _LABEL_ROOM <= middle <= _WIDTH - _LABEL_ROOM
        if place % every == every // 2 and fits:
            labels.append(Label(middle, _HEIGHT - 8, "middle", bar.label))
    return Drawing(title, _WIDTH, _HEIGHT, boxes, labels, _HEIGHT - _BOTTOM)
