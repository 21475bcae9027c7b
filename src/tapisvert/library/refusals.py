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


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is no whole number, or too small or too large a one."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not least <= int(str(value)) <= most:
        reason = f"{name!r} must be a whole number from {least} to {most}"
        raise Refused("request/malformed", reason=reason)
