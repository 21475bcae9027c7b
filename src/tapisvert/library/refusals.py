"""Refusals with their sentence: every public function raises `Refused` with code and message."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from tapisvert.refusal import Refused
from tapisvert.words import catalogue, explain

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def explained(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Set the message of every refusal that leaves a function."""

    @wraps(function)
    def call(*args: Parameters.args, **named: Parameters.kwargs) -> Result:
        try:
            return function(*args, **named)
        except Refused as refusal:
            refusal.message = explain(catalogue("en"), refusal)
            raise

    return call
