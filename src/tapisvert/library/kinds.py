"""The kinds of the arguments of the public functions, checked against their annotations.

Only the outermost kind of an argument is checked: that stakes are a mapping, not what is in it. The
functions check the content, and have codes for what is wrong with it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from tapisvert.refusal import Refused, storable

_NAMES = {
    bool: "true or false",
    bytes: "bytes",
    int: "a whole number",
    str: "a text",
    NoneType: "None",
    Path: "a path",
    Callable: "a function",
    Iterable: "a list",
    Mapping: "a mapping",
    Sequence: "a list",
}
_ANY = (Any, object)
_LISTS = (Iterable, Sequence)
_GAME = "game"
_DECK = "deck"  # `replay` refuses a wrong deck itself, with the number of its cards


def check_kinds(
    function: Callable[..., object], args: tuple[object, ...], named: Mapping[str, object]
) -> None:
    """Refuse an argument that is not of the kind its annotation names, or a text with a NUL."""
    signature, hints = _annotated(function)
    for name, value in signature.bind(*args, **named).arguments.items():
        if name in hints and name != _DECK:
            check_kind(name, value, hints[name])


def check_kind(name: str, value: object, hint: object) -> None:
    """Refuse a value that is not of a kind.

    >>> from typing import Optional
    >>> check_kind("goal", None, Optional[int])
    >>> check_kind("goal", "5", Optional[int])
    Traceback (most recent call last):
    tapisvert.refusal.Refused: request/malformed (reason='goal' must be a whole number or None)
    """
    if not is_kind(value, hint):
        if name == _GAME:
            raise Refused("request/unknown_game", game=type(value).__name__)
        raise Refused("request/malformed", reason=f"{name!r} must be {_written(hint)}")
    if isinstance(value, str | Path):
        storable(str(value))


def is_kind(value: object, hint: object) -> bool:
    """Tell whether a value is of the kind an annotation names.

    >>> is_kind(7, int), is_kind(True, int), is_kind(["As"], Sequence[str]), is_kind("As", Sequence)
    (True, False, True, False)
    """
    kind: Any = get_origin(hint) or hint
    if kind in _ANY:
        return True
    if kind in (Union, UnionType):
        return any(is_kind(value, each) for each in get_args(hint))
    if kind is None:
        return value is None
    if kind is int and isinstance(value, bool):
        return False
    if kind in _LISTS and isinstance(value, str | bytes):
        return False
    return isinstance(value, kind)


def _written(hint: object) -> str:
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return " or ".join(map(_written, get_args(hint)))
    return _NAMES.get(kind) or f"a {getattr(kind, '__name__', kind)}"


@cache
def _annotated(function: Callable[..., object]) -> tuple[inspect.Signature, dict[str, object]]:
    """Return the signature of a function and the kinds of its single parameters.

    The annotation of the result is left out: it may need a package that is not installed.
    """
    assert isinstance(function, FunctionType)
    signature = inspect.signature(function)
    single = {
        name: each.annotation
        for name, each in signature.parameters.items()
        if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
        and each.annotation is not each.empty
    }
    bare = FunctionType(function.__code__, function.__globals__)
    bare.__annotations__ = single
    return signature, get_type_hints(bare)
