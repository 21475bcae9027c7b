"""Modules of the browser put into one script, for pages that are kept and opened from a disk."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

_IMPORT = re.compile(r"^import .* from '([^']+)';\n", re.MULTILINE)
_EXPORT = re.compile(r"^((?:/\*\*.*\*/ )?)export (?=async |const |function |class )", re.MULTILINE)


def bundle(entry: Path) -> str:
    """Return a module and all it imports as the text of one script, what is imported first."""
    found: dict[Path, str] = {}
    _gather(entry.resolve(), found)
    return "\n".join(inline(module) for module in found.values())


def _gather(path: Path, found: dict[Path, str]) -> None:
    module = path.read_text(encoding="utf-8")
    for target in _IMPORT.findall(module):
        imported = (path.parent / target).resolve()
        if imported not in found:
            _gather(imported, found)
    found[path] = module


def inline(module: str) -> str:
    r"""Return a module as part of an inline script.

    >>> print(inline("export const end = '</script>';"))
    const end = '<\/script>';
    """
    plain = _EXPORT.sub(r"\1", _IMPORT.sub("", module))
    return plain.replace("</", "<\\/").replace("<!--", "<\\!--")


def put(page: str, marker: str, text: str) -> str:
    """Return a page with a text in the place of its marker."""
    before, found, after = page.partition(marker)
    if not found or marker in after:
        raise ValueError(f"the page must hold {marker} once")
    return before + text + after


def allowed(text: str) -> str:
    """Return how a content policy names an inline script or style, so that it takes no other.

    >>> allowed("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
