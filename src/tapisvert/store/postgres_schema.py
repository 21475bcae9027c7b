"""The schema of a PostgreSQL database, compared with that of a new one.

Servers print definitions in their own form, which differs between versions. So the same server
describes two schemas: the stored one, and one made by the migrations in a transaction that is
rolled back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg

from tapisvert.store.schema import Schema

Connection = psycopg.Connection[tuple[Any, ...]]
_EXPECTED = "tapis_expected"
_HERE = "current_schema()::regnamespace"
# Each query returns the kind, the name and the definition of objects.
_OBJECTS = (
    f"""SELECT 'column ' || c.relname || '.' || a.attname, concat_ws(' ',
            format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
            a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid))
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = {_HERE} AND c.relkind IN ('r', 'p', 'v', 'm')
            AND a.attnum > 0 AND NOT a.attisdropped""",
    f"""SELECT 'relation ' || relname, concat_ws(' ', relkind, relpersistence,
            relrowsecurity, relforcerowsecurity, reloptions, pg_get_viewdef(oid))
        FROM pg_class WHERE relnamespace = {_HERE} AND relkind NOT IN ('i', 'I', 'S', 't')""",
    f"""SELECT 'constraint ' || conname, concat_ws(' ', conrelid::regclass, convalidated,
            pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = {_HERE}""",
    f"""SELECT 'index ' || c.relname, concat_ws(' ', pg_get_indexdef(c.oid), i.indisvalid,
            i.indisunique) FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
        WHERE c.relnamespace = {_HERE}""",
    f"""SELECT 'trigger ' || t.tgname, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = {_HERE} AND NOT t.tgisinternal""",
    f"""SELECT 'trigger ' || t.tgconstraint::text || t.tgname, t.tgenabled::text
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = {_HERE} AND t.tgisinternal AND t.tgenabled <> 'O'""",
    f"""SELECT 'function ' || proname, concat_ws(' ', pg_get_function_arguments(oid),
            prolang, provolatile, prosecdef, proconfig, prosrc)
        FROM pg_proc WHERE pronamespace = {_HERE}""",
    f"""SELECT 'rule ' || r.rulename || ' ' || c.relname, pg_get_ruledef(r.oid)
        FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
        WHERE c.relnamespace = {_HERE} AND c.relkind = 'r'""",
    f"""SELECT 'policy ' || p.polname || ' ' || c.relname, concat_ws(' ', p.polcmd,
            pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE c.relnamespace = {_HERE}""",
    # An SQL operator with a closer match of types replaces the built-in one, even in an audit.
    f"""SELECT 'operator ' || oid::regoperator, oprcode::text
        FROM pg_operator WHERE oprnamespace = {_HERE}""",
    f"""SELECT 'type ' || typname, typtype::text
        FROM pg_type WHERE typnamespace = {_HERE} AND typtype IN ('d', 'e', 'r')""",
    f"""SELECT 'heir ' || inhrelid::regclass, inhparent::regclass::text
        FROM pg_inherits JOIN pg_class c ON c.oid = inhparent WHERE c.relnamespace = {_HERE}""",
)
_OF_THE_MIGRATIONS = ("relation schema_version", "column schema_version.number")


def described(connection: Connection) -> Schema:
    """Return the server's description of every object in the current schema.

    Triggers of different tables, and functions, may share a name: all definitions are listed.
    """
    row = connection.execute("SELECT current_schema()").fetchone()
    name = row[0] if row else ""
    found = defaultdict[str, list[str]](list)
    for query in _OBJECTS:
        for what, definition in connection.execute(query).fetchall():
            if what not in _OF_THE_MIGRATIONS:
                found[what].append(str(definition).replace(f"{name}.", ""))
    return {what: "\n".join(sorted(definitions)) for what, definitions in found.items()}


def expected(connection: Connection, migrations: Sequence[Path]) -> Schema:
    """Create the tables, describe them, and roll back."""
    with connection.transaction(force_rollback=True):
        connection.execute(f"CREATE SCHEMA {_EXPECTED}")
        connection.execute(f"SET LOCAL search_path TO {_EXPECTED}")
        for path in migrations:
            connection.execute(path.read_text(encoding="utf-8"))
        return described(connection)
