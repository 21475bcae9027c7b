"""Refusals: the exception for bad input and forbidden moves.

Every refusal carries a stable code (`stake/over_limit`) and the arguments of its sentence. The
sentence itself lives in the catalogues (`words`), in the reader's language; `docs/errors.md`
lists all codes. Codes never change meaning.
"""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")
Arg = str | int
_ARG_LENGTH_MAX = 256  # echoed input is cut to this length


class Refused(Exception):
    """Bad input or a move the rules forbid. Nothing has changed.

    >>> raise Refused("stake/over_limit", bet="ante", max_cents=10000)
    Traceback (most recent call last):
    tapisvert.refusal.Refused: stake/over_limit (bet=ante, max_cents=10000)
    """

    def __init__(self, code: str, **args: Arg) -> None:
        self.code = code
        self.details: dict[str, Arg] = {
            name: value[:_ARG_LENGTH_MAX] if isinstance(value, str) else value
            for name, value in args.items()
        }
        self.message = ""  # the sentence, in English, once `tapisvert.library` has set it
        told = ", ".join(f"{name}={value}" for name, value in self.details.items())
        super().__init__(f"{code} ({told})" if told else code)

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]" if self.message else super().__str__()


class Broken(AssertionError):
    """An invariant failed: a bug in the program. The transaction is rolled back."""


def storable(text: str) -> str:
    """Return the text if every database can store it, or refuse: PostgreSQL stores no NUL.

    >>> storable("the display froze")
    'the display froze'
    """
    if "\0" in text:
        raise Refused("request/malformed", reason="a text has a NUL character")
    return text


def invariant(holds: bool, promise: str) -> None:
    """Raise if an invariant fails, even under `python -O`."""
    if not holds:
        raise Broken(promise)


def unwrap(outcome: T | Refused) -> T:
    """Return the value, or raise it if it is a refusal."""
    if isinstance(outcome, Refused):
        raise outcome
    return outcome
