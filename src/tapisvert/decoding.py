"""Typed decoding, safe in threads: JSON, MessagePack and plain values to a given type.

msgspec compiles a type at its first use, and other threads can see it half-compiled: two first uses
at once end the process with a segmentation fault (0.22). Here each type is compiled before it is
used, one at a time. Decode to a type with this module only; decoding without a type is safe.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")
Hook = Callable[[type, Any], Any] | None

_compiling = threading.Lock()
_compiled: set[Any] = set()


def compile_type(kind: Any) -> None:
    """Compile a type before its first use."""
    if kind in _compiled:
        return
    with _compiling:
        msgspec.json.Decoder(kind)
        _compiled.add(kind)


@overload
def read_json(content: bytes | str, kind: type[T], hook: Hook = None) -> T: ...
@overload
def read_json(content: bytes | str, kind: Any, hook: Hook = None) -> Any: ...
def read_json(content: bytes | str, kind: Any, hook: Hook = None) -> Any:
    """Decode JSON to a type; `hook` converts what msgspec does not know.

    >>> read_json('{"ante": 100}', dict[str, int])
    {'ante': 100}
    """
    compile_type(kind)
    return msgspec.json.decode(content, type=kind, dec_hook=hook)


@overload
def read_msgpack(content: bytes, kind: type[T]) -> T: ...
@overload
def read_msgpack(content: bytes, kind: Any) -> Any: ...
def read_msgpack(content: bytes, kind: Any) -> Any:
    """Decode MessagePack to a type."""
    compile_type(kind)
    return msgspec.msgpack.decode(content, type=kind)


@overload
def convert(value: object, kind: type[T], hook: Hook = None) -> T: ...
@overload
def convert(value: object, kind: Any, hook: Hook = None) -> Any: ...
def convert(value: object, kind: Any, hook: Hook = None) -> Any:
    """Convert a plain value, as decoded without a type, to a type."""
    compile_type(kind)
    return msgspec.convert(value, kind, dec_hook=hook)
