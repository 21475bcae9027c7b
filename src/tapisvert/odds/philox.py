"""Philox4x64-10: random numbers computed from a key and a counter, without state.

The generator is that of J. Salmon, M. Moraes, R. Dror and D. Shaw, "Parallel random numbers: as
easy as 1, 2, 3" (2011). Its output is a function of the counter, so that any round of a simulation
can be dealt without the rounds before it. NumPy's `Philox` gives the same numbers; a test compares.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

ROUNDS = 10
_MULTIPLY = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_WEYL = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)


def _product(context: Any, one: Any, other: Any) -> Any:
    """Multiply in 128 bits, which Numba has no integers for."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir  # type: ignore[import-untyped]

        wide, narrow = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(each, wide) for each in arguments))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), narrow)
        halves = [high, builder.trunc(product, narrow)]
        return context.make_tuple(builder, signature.return_type, halves)

    halves: Any = types.UniTuple
    return halves(types.uint64, 2)(types.uint64, types.uint64), code


multiply: Callable[[np.uint64, np.uint64], tuple[np.uint64, np.uint64]] = cast(
    Any, intrinsic(_product)
)
"""Return the high and the low 64 bits of a product of two 64-bit numbers."""


@numba.njit(cache=True, nogil=True, inline="always")
def philox(
    zero: np.uint64,
    one: np.uint64,
    two: np.uint64,
    three: np.uint64,
    key: np.uint64,
    other_key: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return four random words for a counter of four words and a key of two."""
    for _ in range(ROUNDS):
        high, low = multiply(_MULTIPLY[0], zero)
        other_high, other_low = multiply(_MULTIPLY[1], two)
        zero, two = other_high ^ one ^ key, high ^ three ^ other_key
        one, three = other_low, low
        key += _WEYL[0]
        other_key += _WEYL[1]
    return zero, one, two, three
