"""Mutations of Python code: the replacements of a node, each wrong in one way.

Imports, docstrings and annotations are not mutated; nor are `frozen`, `slots` and the `strict` of
`zip` (they protect the programmer, not the house), nor the first binding of a name (without it any
test fails with a NameError).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mutants import sql

# Only for the eyes of a type checker.
_TYPES = {"TypeVar", "Literal"}
_GUARDS = {"frozen", "slots", "strict"}
_ANNOTATIONS = {"annotation", "returns", "type_comment", "ctx"}
_SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv,),
    ast.FloorDiv: (ast.Mult,),
    ast.Div: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Break: (ast.Continue,),
    ast.Continue: (ast.Break,),
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


def is_code(holder: ast.AST, field: str, child: ast.AST) -> bool:
    """Tell whether a child node is executed; other nodes are not mutated."""
    match holder, child:
        case _, ast.keyword(arg=name) if name in _GUARDS:
            return False
        case _, ast.Call(func=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            return name not in _TYPES and field not in _ANNOTATIONS
        case ast.Subscript(), ast.BinOp(op=ast.BitOr()):
            return False  # a type
        case _, ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
            return False
    return field not in _ANNOTATIONS


def changes(holder: ast.AST, field: str, child: ast.AST, rebound: bool) -> Iterator[ast.AST]:
    """Yield the replacements of a child node. `rebound`: its names were bound before."""
    for other in _SWAPS.get(type(child), ()):
        yield other()
    match child:
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Call(func=ast.Name(id=name), args=args, keywords=words) if name in _CALLS:
            yield ast.Call(ast.Name(_CALLS[name], ast.Load()), args, words)
        case ast.Constant():
            yield from _constants(holder, child)
        case ast.keyword(arg=str() as name, value=value) if field == "keywords":
            if isinstance(holder, ast.Call) and not _is_none_or_bool(value):
                yield ast.keyword(name, ast.Constant(None))
        case ast.Return(value=None):
            yield ast.Pass()
        case ast.Return(value=ast.expr() as value) if not _is_none_or_bool(value):
            yield ast.Return(ast.Constant(None))
        case ast.Raise() | ast.AugAssign() | ast.Delete():
            yield ast.Pass()
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield ast.Pass()
        case ast.Assign() | ast.AnnAssign(value=ast.expr()) if rebound:
            yield ast.Pass()
    if isinstance(child, ast.expr) and _is_condition(holder, field) and not _is_negated_so(child):
        yield ast.UnaryOp(ast.Not(), child)


def sql_changes(child: ast.AST) -> Iterator[ast.AST]:
    """Yield an SQL text with one mutation, for every mutation."""
    if isinstance(child, ast.Constant) and isinstance(child.value, str):
        yield from (ast.Constant(text) for text in sql.changed(child.value))


def is_sql(node: ast.AST) -> bool:
    """Tell whether a string, formatted or not, is SQL."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    return sql.is_sql("?".join(text for text in texts if isinstance(text, str)))


def _constants(holder: ast.AST, child: ast.Constant) -> Iterator[ast.AST]:
    value = child.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield from (ast.Constant(value + by) for by in (1, -1) if by != _same_as(holder, value))
    elif isinstance(value, str):
        yield ast.Constant(f"XX{value}XX")
    elif isinstance(value, bytes):
        yield ast.Constant(b"XX" + value + b"XX")
    elif value is None and isinstance(holder, ast.arguments):
        yield ast.Constant("")


def _same_as(holder: ast.AST, value: int) -> int:
    """Return which change of a number is no other mutant: `< 1` is what `<= 0` is, and of a row
    with one column the last is the first.
    """
    match holder:
        case ast.Compare(ops=[ast.Lt() | ast.GtE()]):
            return 1
        case ast.Compare(ops=[ast.Gt() | ast.LtE()]):
            return -1
        case ast.Subscript() if value == 0:
            return -1
    return 0


def _is_condition(holder: ast.AST, field: str) -> bool:
    return field == "ifs" or (field == "test" and not isinstance(holder, ast.Assert))


def _is_negated_so(test: ast.expr) -> bool:
    """Tell whether another mutation already negates this condition."""
    match test:
        case ast.UnaryOp(op=ast.Not()) | ast.Constant():
            return True
        case ast.Compare(ops=[_]):
            return True
    return False


def _is_none_or_bool(value: ast.expr) -> bool:
    """Tell whether None here is no mutant of its own: of a bool the opposite is one already."""
    return isinstance(value, ast.Constant) and isinstance(value.value, bool | None)
