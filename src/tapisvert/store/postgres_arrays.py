"""Binary arrays for PostgreSQL: each column of many rows is sent as one parameter.

psycopg's own dumper inspects every element for its type and sends it as quoted text. Here the
column determines the type.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import ClassVar

from psycopg.adapt import AdaptersMap, Dumper
from psycopg.pq import Format

from tapisvert.refusal import Refused

_header = struct.Struct(">iiIii").pack  # dimensions, nulls, element type, length, lower bound
_number = struct.Struct(">iq").pack
_length = struct.Struct(">i").pack
_NULL = _length(-1)


class Array:
    """The values of one column."""

    oid: ClassVar[int]  # OIDs of the element type and of its array type
    array_oid: ClassVar[int]

    def __init__(self, values: Sequence[object]) -> None:
        self.values = values

    @staticmethod
    def element(value: object) -> bytes:
        """Return an element, prefixed with its length."""
        raise NotImplementedError


class _Texts(Array):
    oid, array_oid = 25, 1009

    @staticmethod
    def element(value: object) -> bytes:
        assert isinstance(value, str)
        encoded = value.encode()
        return _length(len(encoded)) + encoded


class _Numbers(Array):
    oid, array_oid = 20, 1016

    @staticmethod
    def element(value: object) -> bytes:
        try:
            return _number(8, value)
        except struct.error:  # exceeds 64 bits
            raise Refused("ledger/overflow") from None


class _Bytes(Array):
    oid, array_oid = 17, 1001

    @staticmethod
    def element(value: object) -> bytes:
        assert isinstance(value, bytes)
        return _length(len(value)) + value


class _ArrayDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Array) -> bytes:
        values, element = obj.values, obj.element
        head = _header(1, 1, obj.oid, len(values), 1)
        return head + b"".join([_NULL if each is None else element(each) for each in values])


_OF_TYPE: dict[str, type[Array]] = {"text": _Texts, "bigint": _Numbers, "bytea": _Bytes}


def register(adapters: AdaptersMap) -> None:
    """Register the array types on a connection."""
    for array in _OF_TYPE.values():
        dumper = type(f"{array.__name__}Dumper", (_ArrayDumper,), {"oid": array.array_oid})
        adapters.register_dumper(array, dumper)


def columns_of(types: Sequence[str], rows: Sequence[Sequence[object]]) -> list[Array]:
    """Transpose rows to columns, each an array of its type."""
    columns = zip(*rows, strict=True)
    return [_OF_TYPE[kind](column) for kind, column in zip(types, columns, strict=True)]
