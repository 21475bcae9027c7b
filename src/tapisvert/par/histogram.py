"""A histogram as an SVG picture that stands alone: in a page, a notebook or a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tapisvert.par.markup import tag

_WIDTH, _HEIGHT, _BOTTOM, _TOP = 640, 220, 26, 18
_LABELS_MAX = 7
_COLOURS = {"won": "#2e7d4f", "lost": "#a63d2f", "even": "#8a8a8a"}


class HistogramBar(NamedTuple):
    """A bar: its label, its height as a probability, and `won`, `lost` or `even`."""

    label: str
    probability: float
    kind: str


def histogram(title: str, bars: Sequence[HistogramBar]) -> str:
    """Return bars of equal width under a title; some of them are labelled."""
    most = max(bar.probability for bar in bars) or 1.0
    step = _WIDTH / len(bars)
    every = -(-len(bars) // _LABELS_MAX)
    parts = []
    for place, bar in enumerate(bars):
        height = (_HEIGHT - _BOTTOM - _TOP) * bar.probability / most
        told = tag("title", f"{bar.label}: {100 * bar.probability:.4g} %")
        parts.append(
            f'<rect x="{step * place + 0.5:.1f}" y="{_HEIGHT - _BOTTOM - height:.1f}"'
            f' width="{step - 1:.1f}" height="{height:.1f}" fill="{_COLOURS[bar.kind]}">'
            f"{told}</rect>"
        )
        if place % every == every // 2:
            parts.append(_text(step * (place + 0.5), _HEIGHT - 8, "middle", bar.label))
    base = _HEIGHT - _BOTTOM
    parts.append(f'<line x1="0" x2="{_WIDTH}" y1="{base}" y2="{base}" stroke="currentColor"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' width="{_WIDTH}" height="{_HEIGHT}" role="img">{tag("title", title)}'
        f"{_text(0, 12, 'start', title)}{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, anchor: str, content: str) -> str:
    return tag(
        "text",
        content,
        **{
            "x": f"{x:.1f}",
            "y": f"{y:.1f}",
            "text-anchor": anchor,
            "font-size": "12",
            "font-family": "sans-serif",
            "fill": "currentColor",
        },
    )
