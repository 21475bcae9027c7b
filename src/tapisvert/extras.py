"""The optional parts of an installation: `pip install 'tapisvert[prove]'` and their like.

Playing needs none of them. Code that does need one refuses in one sentence that names it.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

from tapisvert.refusal import Refused

Extra = Literal["prove", "operate", "lab"]
PACKAGES: dict[Extra, tuple[str, ...]] = {
    "prove": ("numpy", "numba", "xlsxwriter"),
    "operate": ("psycopg",),
    "lab": ("distributed", "pyarrow"),
}


def installed(extra: Extra) -> bool:
    """Whether the packages of an extra can be imported; imports none of them."""
    return all(map(_found, PACKAGES[extra]))


def need(extra: Extra) -> None:
    """Refuse unless an extra is installed."""
    if not installed(extra):
        raise Refused("extra/missing", extra=extra)


def _found(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # an import hook that hides it
        return False
