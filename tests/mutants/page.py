"""The page of mutants: the number killed in each module, and the reason of each survivor."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from mutants.mutant import Mutant
from mutants.plan import SURVIVED, Outcome

LEFT = Path(__file__).with_name("left.toml")
_HEAD = """# Mutants: the mistakes the tests notice, and the few they do not (F8)

Written by `make mutants`. Every mutant is one of the modules below with one small mistake in it: a
comparison, an operator, a condition or a result turned around, a number or a text changed, a call,
a raise or an assignment left out, an argument made nothing, a condition of an SQL statement dropped
or turned around ([changes.py](../tests/mutants/changes.py), [sql.py](../tests/mutants/sql.py)). It
is tried by the tests that reach its line until one of them fails.
"""


def reasons(path: Path = LEFT) -> dict[str, str]:
    """Return the reasons of surviving mutants, by name."""
    left = tomllib.loads(path.read_text(encoding="utf-8")).get("left", [])
    return {name: each["why"] for each in left for name in each["mutants"]}


class Page:
    """The page, written from the outcomes."""

    def __init__(
        self,
        mutants: Sequence[Mutant],
        outcomes: Mapping[str, Outcome],
        why: Mapping[str, str],
        one_in: int = 1,
        made: str = "",
    ) -> None:
        self._why, self._one_in, self._made = why, one_in, made
        self._outcomes = {each.name: outcomes.get(each.name, Outcome(SURVIVED)) for each in mutants}
        self._mutants, self._tried = mutants, outcomes.keys()
        self.survivors = [each for each in mutants if not self._outcomes[each.name].killed]

    def figures(self) -> str:
        """Summarise the killed mutants in one line."""
        total, left = len(self._mutants), len(self.survivors)
        killed = f"{total - left:,} of {total:,} killed ({(total - left) / total:.1%}), {left} left"
        return killed if self._one_in == 1 else f"{killed}; a sample, one mutant in {self._one_in}"

    def problems(self) -> list[str]:
        """Return the errors in the list of reasons: it must name exactly the survivors."""
        left = {each.name for each in self.survivors}
        missing = [f"no reason is given for {name}" for name in sorted(left - self._why.keys())]
        known = self._outcomes.keys() & self._why.keys()
        gone = [f"is noticed by now: {name}" for name in sorted(known - left)]
        return missing + gone

    def text(self) -> str:
        """Return the page as Markdown."""
        made = f"{self._made}\n" if self._made else ""
        parts = [_HEAD, f"**{self.figures()}.**\n", made, self._table(), "## What is left\n"]
        for each in self.survivors:
            parts.append(f"- {each.file}:{each.line} {_code(each.before)} → {_code(each.after)}")
            tried = "NOT LOOKED AT" if each.name in self._tried else "NOT TRIED"
            parts.append(f"  {self._why.get(each.name, tried)}")
        return "\n".join([*parts, ""])

    def _table(self) -> str:
        rows = ["| module | mutants | killed | | left |", "|---|--:|--:|--:|--:|"]
        for file in dict.fromkeys(each.file for each in self._mutants):
            total = sum(each.file == file for each in self._mutants)
            left = sum(each.file == file for each in self.survivors)
            share = (total - left) / total
            rows.append(f"| {file} | {total} | {total - left} | {share:.1%} | {left} |")
        return "\n".join(rows) + "\n"


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"
