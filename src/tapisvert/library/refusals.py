"""Refusals with their sentence: every public function raises `Refused` with code and message."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from tapisvert.library.kinds import check_kinds
from tapisvert.refusal import Refused
from tapisvert.words import LANGUAGES, Catalogue, catalogue, explain

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def explained(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Check the kinds of the arguments, and set the English message of every refusal."""

    @wraps(function)
    def call(*args: Parameters.args, **named: Parameters.kwargs) -> Result:
        try:
            check_kinds(function, args, named)
            return function(*args, **named)
        except Refused as refusal:
            refusal.message = explain(catalogue("en"), refusal)
            raise

    return call


def check_whole(name: str, value: int, least: int, most: int) -> None:
    """Refuse a value that is not a whole number between two bounds."""
    whole = type(value) is int  # `True` is an `int` to isinstance
    if not (whole and least <= value <= most):
        reason = f"{name!r} must be a whole number from {least} to {most}"
        raise Refused("request/malformed", reason=reason)


def words_in(language: str) -> Catalogue:
    """Return the words of a language; refuse an unknown language."""
    if language not in LANGUAGES:
        reason = f"'language' must be {' or '.join(LANGUAGES)}"
        raise Refused("request/malformed", reason=reason)
    return catalogue(language)
