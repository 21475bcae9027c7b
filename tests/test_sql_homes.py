"""SQL on a table stands in one module, its home (docs/design.md, "Tables and modules")."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import tapisvert
from stores import sqlite_only, store_at

SOURCE = Path(tapisvert.__file__).parent
LEARNING = "learning/practice_repository.py"
HOMES = {
    "accounts": "bank/ledger.py",
    "awards": "bank/awards.py",
    "commands": "rounds/command_records.py",
    "contributions": "bank/jackpot.py",
    "facts": "rounds/audit_trail.py",
    "jackpots": "bank/jackpot.py",
    "keys": "bank/keys.py",
    "operator_commands": "rounds/command_records.py",
    "operators": "players/repository.py",
    "own_rules": "rounds/own_rules.py",
    "players": "players/repository.py",
    "practice_answers": LEARNING,
    "practice_cards": LEARNING,
    "practice_questions": LEARNING,
    "practice_streaks": LEARNING,
    "rates": "bank/rate_repository.py",
    "reversals": "rounds/reversal_repository.py",
    "rounds": "rounds/repository.py",
    "seals": "bank/seals.py",
    "sessions": "players/repository.py",
    "sheets": "rounds/stored_sheets.py",
    "significant_events": "bank/journal.py",
    "switches": "rounds/switches.py",
    "tails": "store/tail_repository.py",
    "transfers": "bank/ledger.py",
}
# The store adds to the tails in each commit, each database in its own way.
ALSO_WRITTEN = {"store/sqlite.py": {"tails"}, "store/postgres_tail.py": {"tails"}}
# A read that joins another table to the module's own, because two statements would cost more.
JOINED = {
    "players/repository.py": {"own_rules"},  # a session with the rules its player has chosen
    # The wallet: what the open rounds hold. The player of a round, with the currency.
    "rounds/repository.py": {"accounts", "players"},
}
# Modules that put the name of a table in at run time.
NAMED_AT_RUN_TIME = {
    "bank/covered_tables.py": {"reads"},  # every table that seals cover
    "bank/seals.py": {"reads"},
    "players/repository.py": {"reads", "writes"},  # sessions and operators, which have marks
    "rounds/command_records.py": {"writes"},  # the keys of players and of operators
    "store/postgres_tx.py": {"writes"},  # the methods `insert` and `update`
    "store/sqlite_tx.py": {"writes"},
}
_WRITES = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+|\{\})")
_READS = re.compile(r"(?<!DELETE )\b(?:FROM|JOIN)\s+(\w+|\{\})")
_WORDS = re.compile(r"\b(FROM|JOIN|INSERT|UPDATE|DELETE)\b|tx\.(insert|insert_missing|update)\(")
_ANY = "{}"


class Use(NamedTuple):
    """A table as a module uses it; `{}` for one that is named at run time."""

    table: str
    verb: str


def literals(tree: ast.Module) -> Iterator[str]:
    """Yield the strings of a module without its docstrings; values put in are shown as `{}`."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    skipped = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, documented) and isinstance(node.body[0], ast.Expr):
            skipped.add(id(node.body[0].value))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else _ANY for part in node.values
            )
        elif isinstance(node, ast.Constant) and id(node) not in skipped:
            yield str(node.value)


def calls(tree: ast.Module) -> Iterator[str]:
    """Yield the tables that a module passes to methods of a transaction."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            writes = node.func.attr in ("insert", "insert_missing", "update")
            if writes and ast.unparse(node.func.value).endswith("tx"):
                table = node.args[0]
                yield str(table.value) if isinstance(table, ast.Constant) else _ANY


def uses(source: str, tables: set[str]) -> set[Use]:
    """Return the tables that a module reads and writes."""
    tree = ast.parse(source)
    found = {Use(table, "writes") for table in calls(tree)}
    for text in literals(tree):
        found |= {Use(table, "writes") for table in _WRITES.findall(text)}
        found |= {Use(table, "reads") for table in _READS.findall(text)}
    return {use for use in found if use.table in {*tables, _ANY}}


def may(path: str, use: Use) -> bool:
    """Tell whether a module may use a table: the rule and its exceptions."""
    audits = path.rpartition("/")[2].removesuffix(".py").endswith("audit")
    if use.verb == "reads" and (audits or path.startswith("history/")):
        return True
    if use.table == _ANY:
        return use.verb in NAMED_AT_RUN_TIME.get(path, ())
    if HOMES[use.table] == path or use.table in ALSO_WRITTEN.get(path, ()):
        return True
    return use.verb == "reads" and use.table in JOINED.get(path, ())


def strangers(sources: Mapping[str, str], tables: set[str]) -> list[str]:
    """Return what modules do to tables that are not theirs."""
    return sorted(
        f"{path} {use.verb} {use.table}"
        for path, source in sources.items()
        for use in uses(source, tables)
        if not may(path, use)
    )


@cache
def house() -> dict[str, str]:
    """Return the source of every module with the words of SQL, by its path."""
    texts = {path: path.read_text("utf-8") for path in SOURCE.rglob("*.py")}
    return {
        path.relative_to(SOURCE).as_posix(): text
        for path, text in texts.items()
        if _WORDS.search(text)
    }


@sqlite_only
def test_every_table_of_the_schema_has_a_home(tmp_path: Path) -> None:
    store = store_at(tmp_path / "tapis.db")
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    found = store.read(lambda tx: {row[0] for row in tx.rows(sql)}).result()
    store.close()
    assert found == HOMES.keys()


def test_every_module_leaves_the_tables_of_others_alone() -> None:
    assert strangers(house(), {*HOMES}) == []


def test_every_home_writes_its_table_and_every_exception_is_needed() -> None:
    sources = house()
    found = {path: uses(source, {*HOMES}) for path, source in sources.items()}
    for table, path in HOMES.items():
        verbs = {use.verb for use in found[path] if use.table in (table, _ANY)}
        assert "writes" in verbs, table
    for path, tables in (*ALSO_WRITTEN.items(), *JOINED.items()):
        assert tables <= {use.table for use in found[path]}, path
    for path, verbs in NAMED_AT_RUN_TIME.items():
        assert {use.verb for use in found[path] if use.table == _ANY} == verbs, path


def test_a_statement_in_another_module_is_found() -> None:
    """Control: planted in a module that has no table, and in an audit, which only reads."""
    planted = {
        "web/metrics.py": 'tx.row("SELECT MAX(id) FROM transfers")',
        "web/pages.py": 'tx.run(f"UPDATE players SET kind = {kind}")',
        "rounds/seats.py": 'tx.rows("SELECT 1 FROM rounds" " JOIN reversals ON round_id = id")',
        "rounds/load.py": 'tx.insert("switches", ("scope",), rows)',
        "rounds/save.py": "self.tx.update(table, names, keys, rows)",
        "bank/cashier.py": 'tx.run(f"DELETE FROM {table} WHERE id IN (SELECT id FROM {other})")',
        "bank/audit.py": 'tx.run("UPDATE accounts SET units = 0")',
        "history/round_queries.py": 'tx.run("UPDATE rounds SET seen = 1")',
    }
    assert strangers(planted, {*HOMES}) == [
        "bank/audit.py writes accounts",
        "bank/cashier.py reads {}",
        "bank/cashier.py writes {}",
        "history/round_queries.py writes rounds",
        "rounds/load.py writes switches",
        "rounds/save.py writes {}",
        "rounds/seats.py reads reversals",
        "rounds/seats.py reads rounds",
        "web/metrics.py reads transfers",
        "web/pages.py writes players",
    ]


def test_words_of_a_docstring_are_no_statement() -> None:
    source = (
        'def page():\n    """Return what is FROM players."""\n    return "UPDATE SET FROM given"'
    )
    assert uses(source, {*HOMES}) == set()
