"""Mutations of SQL text that SQLite still accepts.

Any test kills a statement that SQLite cannot parse, so every mutation keeps the statement valid and
the number of its parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SQL = re.compile(
    r"\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|WHERE|ORDER BY|UNION ALL|IS NOT NULL)\b"
    r"|substr\(|\w = '|\w = 0 AND "
)
_VALUE = r"(?:\?\d*|'[^']*'(?: \|\| [\w.]+)?|\d+|[\w.]+(?:\([^()]*\))?)"
_CONDITION = re.compile(
    r"\b(?:WHERE|AND|ON) ([\w.]+(?:\([^()]*\))?"
    rf"(?: IS (?:NOT )?NULL| (?:NOT )?IN \([^()]*\)| (?:<>|<=|>=|=|<|>) {_VALUE}))"
)
_SET = re.compile(r"\bSET\b.*?(?=\bWHERE\b|$)", re.DOTALL)
_COMPARISONS = {"=": "<>", "<>": "=", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_COMPARISON = re.compile(r"(?<= )(?:<>|<=|>=|=|<|>)(?= )")
_LITERAL = re.compile(r"'([^']+)'")
# Not the 1 of LIMIT 1 and SELECT 1: only the first row is read, and only whether there is one.
_NUMBER = re.compile(r"(?<![\w?.'])(?<!LIMIT )(?<!SELECT )\d+(?![\w'])")
_WORDS = (
    (r"\bUNION ALL\b", "UNION"),
    (r"\bLEFT JOIN\b", "JOIN"),
    (r" DESC\b", ""),
    (r"(?<=ORDER BY )[\w.]++(?! DESC)", r"\g<0> DESC"),
    (r"\bIS NOT NULL\b", "IS NULL"),
    (r"\bIS NULL\b", "IS NOT NULL"),
    (r"\bNOT IN\b", "IN"),
    (r"(?<!NOT )\bIN\b", "NOT IN"),
    (r"\bEXISTS\b", "NOT EXISTS"),
    (r"\bAND\b", "OR"),
    (r"\bOR\b", "AND"),
    (r"\bSUM\(", "MAX("),
    (r"\bMAX\(", "MIN("),
    (r" ON CONFLICT DO NOTHING", ""),
    (r"(?<=[ (])-(?=\w)", ""),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"(GROUP BY [\w., ]+), \w+", r"\1"),
)


def is_sql(text: str) -> bool:
    """Tell whether a text is SQL, or a part of it."""
    return _SQL.search(text) is not None


def changed(text: str) -> Iterator[str]:
    """Yield the text with one mutation, for every mutation.

    >>> list(changed("DELETE FROM switches WHERE scope = ?"))
    ['DELETE FROM switches WHERE (scope = ? OR 1)', 'DELETE FROM switches WHERE scope <> ?']
    """
    for found in _CONDITION.finditer(text):
        yield _with(text, found.span(1), f"({found[1]} OR 1)")
    settings = [found.span() for found in _SET.finditer(text) if "UPDATE" in text]
    for found in _COMPARISON.finditer(text):
        if not any(first <= found.start() < last for first, last in settings):
            yield _with(text, found.span(), _COMPARISONS[found[0]])
    for found in _LITERAL.finditer(text):
        yield _with(text, found.span(1), f"XX{found[1]}XX")
    for found in _NUMBER.finditer(text):
        yield _with(text, found.span(), str(int(found[0]) + 1))
    for pattern, instead in _WORDS:
        for found in re.finditer(pattern, text):
            yield _with(text, found.span(), found.expand(instead))


def _with(text: str, span: tuple[int, int], new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]
