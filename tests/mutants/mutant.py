"""Mutants: copies of a module in memory, each with one mutation. Nothing is written to disk.

`planting` activates them.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import CodeType

from mutants.changes import changes, is_code, is_sql, sql_changes

SOURCE = Path(__file__).parents[2] / "src"
_AROUND = 32  # how much is shown before and after a change


@dataclass(frozen=True)
class Mutant:
    """One mutation: its place, the original text, and the replacement."""

    path: Path
    line: int
    place: str  # the function or class it is in
    before: str
    after: str
    planted_in: str | None  # the function that gets the mutant's code; None: at import
    nth: int = 1  # ordinal among mutants with the same text in one place
    site: Site = field(compare=False, repr=False, kw_only=True)

    @property
    def file(self) -> str:
        """Return its module as the page writes it."""
        return self.path.relative_to(SOURCE / "tapisvert").as_posix()

    @property
    def name(self) -> str:
        """Return its name, which is independent of line numbers."""
        number = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.file} {self.place}: {self.before} -> {self.after}{number}"


@dataclass(frozen=True)
class Site:
    """A place in a module's tree where a node is replaced."""

    tree: ast.Module
    holder: ast.AST
    field: str
    index: int | None
    child: ast.AST
    new: ast.AST

    def put(self, node: ast.AST) -> None:
        """Put a node in this place."""
        if self.index is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.index] = node

    def code(self, path: Path) -> CodeType:
        """Compile the module with the new node in its place."""
        self.put(self.new)
        try:
            return compile(ast.fix_missing_locations(self.tree), path, "exec", dont_inherit=True)
        finally:
            self.put(self.child)

    def difference(self) -> tuple[str, str]:
        """Return the text before and after, cut to the difference."""
        alone = isinstance(self.child, ast.stmt) or hasattr(self.holder, "body")
        shown = not alone and isinstance(self.holder, ast.expr | ast.stmt | ast.keyword)
        before = ast.unparse(self.holder if shown else self.child)
        self.put(self.new)
        after = ast.unparse(self.holder if shown else self.new)
        self.put(self.child)
        return _cut(before, after)


def definition_version(mutant: Mutant) -> str:
    """Return a digest of the top-level function, class or statement that a mutant is in.

    Docstrings do not count, so that prose can be rewritten without a new run.
    """
    return next(
        f"{_digest(node)} {mutant.file}"
        for node in mutant.site.tree.body
        if _first_line(node) <= mutant.line <= (node.end_lineno or node.lineno)
    )


def _first_line(node: ast.stmt) -> int:
    """Return the line where a statement begins, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


@cache
def _digest(node: ast.stmt) -> str:
    bare = _WithoutDocstrings().visit(copy.deepcopy(node))
    return hashlib.sha256(ast.dump(bare).encode()).hexdigest()[:16]


class _WithoutDocstrings(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node


def mutants_of(path: Path, code: str | None = None) -> list[Mutant]:
    """Return every mutant of a module, or of other code in its place."""
    tree = ast.parse(path.read_text(encoding="utf-8") if code is None else code)
    names: Counter[str] = Counter()
    found = []
    for each in _walk(path, tree, tree, (), None, {}, line=1):
        names[each.name] += 1
        found.append(replace(each, nth=names[each.name]))
    return found


def _walk(
    path: Path,
    tree: ast.Module,
    node: ast.AST,
    place: tuple[str, ...],
    planted_in: str | None,
    bound: dict[str, int],
    line: int,
) -> Iterator[Mutant]:
    """Walk the tree below a node; `bound` is the line where the function first binds each name."""
    text_is_sql = isinstance(node, ast.JoinedStr) and is_sql(node)
    for name, index, child in _children(node):
        here = getattr(child, "lineno", line)
        inner = planted_in
        if inner is None and name == "body" and isinstance(node, ast.FunctionDef):
            inner = ".".join(place)
        sql_text = text_is_sql or (isinstance(child, ast.Constant) and is_sql(child))
        rebound = inner is not None and _is_rebound(child, bound)
        for new in sql_changes(child) if sql_text else changes(node, name, child, rebound):
            site = Site(tree, node, name, index, child, new)
            yield Mutant(path, here, ".".join(place), *site.difference(), inner, site=site)
        inner_place = place
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner_place = (*place, child.name)
        names = _bindings(child) if isinstance(child, ast.FunctionDef) else bound
        yield from _walk(path, tree, child, inner_place, inner, names, here)


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            found: list[tuple[int | None, object]] = [*enumerate(value)]
        else:
            found = [(None, value)]
        for index, child in found:
            if isinstance(child, ast.AST) and is_code(node, name, child):
                yield name, index, child


def _bindings(function: ast.FunctionDef) -> dict[str, int]:
    """Return the line on which a function first binds each name."""
    bound: dict[str, int] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            bound[node.arg] = 0
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[node.id] = min(bound.get(node.id, node.lineno), node.lineno)
    return bound


def _is_rebound(child: ast.AST, bound: dict[str, int]) -> bool:
    """Tell whether an assignment binds only names that were bound before."""
    if not isinstance(child, ast.Assign | ast.AnnAssign):
        return False
    names = (node for node in ast.walk(child) if isinstance(node, ast.Name))
    stored = [node.id for node in names if isinstance(node.ctx, ast.Store)]
    return all(bound[name] < child.lineno for name in stored)


def _cut(before: str, after: str) -> tuple[str, str]:
    """Cut two texts to their difference, with a little context."""
    before, after = " ".join(before.split()), " ".join(after.split())
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    tail = 0
    while tail < min(len(before), len(after)) - same and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    first = max(0, same - _AROUND)

    def cut(text: str) -> str:
        last = min(len(text), len(text) - tail + _AROUND)
        return f"{'…' * (first > 0)}{text[first:last]}{'…' * (last < len(text))}"

    return cut(before), cut(after)
