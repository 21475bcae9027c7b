"""Opening a PostgreSQL database: check tables, schema version and durability."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from psycopg import conninfo
from psycopg.adapt import Loader

from tapisvert.refusal import Refused
from tapisvert.store import postgres_arrays, postgres_schema, schema

Connection = psycopg.Connection[tuple[Any, ...]]
_MIGRATIONS = Path(__file__).parent / "migrations" / "postgresql"
_MIGRATING = "SELECT pg_advisory_xact_lock(1413566537, 1)"  # "TAPI"; postgres_tail.py: "TAPJ"
# Time-outs for a silent connection, unless the address sets its own.
_PATIENCE = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "application_name": "tapis",
}
# A unit waits this long for a lock. If a server hangs inside a transaction, PostgreSQL closes its
# connection and frees its locks, so that no player is blocked for ever.
_LIMITS = "-c lock_timeout=5s -c idle_in_transaction_session_timeout=20s"
# Settings for statements that look rows up by key. Each is planned once per connection; by default
# PostgreSQL would plan it again for every command. A plan made while a table is small must not scan
# the table when it has grown, so scans are off. PostgreSQL gives a scan without an alternative a
# cost so high that it would compile the plan, so `jit` is off too.
_BY_KEY = (
    "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off"
    " -c enable_mergejoin=off -c jit=off"
)
# Without this, an SQL operator in another schema of the search path, with a closer match of types,
# would replace the built-in one and could make an audit's comparisons succeed.
_ONE_SCHEMA = (
    "SELECT pg_catalog.set_config('search_path',"
    " pg_catalog.quote_ident(pg_catalog.current_schema()), false)"
)


def connect(url: str, *, reading: bool = False, by_key: bool = False) -> Connection:
    """Open a connection that acknowledges only durable commits; for `reading`, a standby suffices.

    With `by_key`, statements are planned once, and find their rows by index (docs/adr/0039).
    `fsync` can change while the connection is open, so every commit checks it again.
    """
    given = conninfo.conninfo_to_dict(url)
    options = f"{_LIMITS} {_BY_KEY if by_key else ''} {given.pop('options', '')}"
    everything = {**_PATIENCE, **given, "options": options, "client_encoding": "UTF8"}
    connection = psycopg.connect(conninfo.make_conninfo("", **everything), autocommit=True)
    try:
        connection.adapters.register_loader("numeric", _Whole)
        postgres_arrays.register(connection.adapters)
        connection.execute(_ONE_SCHEMA)
        if not reading:
            _check_server(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def prepare(url: str, *, new: bool = True) -> str:
    """Check the database and migrate its tables; with `new` it may be empty.

    Return the digest of its schema.
    """
    name = shown(url)
    try:
        connection = connect(url)
        try:
            with connection.transaction():  # one server migrates, others wait
                connection.execute("SET LOCAL lock_timeout = '5min'")  # migrating takes time
                connection.execute(_MIGRATING)
                _migrate(connection, name, new)
                found = postgres_schema.described(connection)
                wanted = postgres_schema.expected(connection, migrations())
            schema.must_be(found, wanted, name)
            return schema.digest(found)
        finally:
            connection.close()
    except psycopg.Error as error:
        raise Refused("store/unreadable", file=name, reason=one_line(error)) from None


def migrations() -> list[Path]:
    """Return the forward-only migrations, first to last."""
    return sorted(_MIGRATIONS.glob("*.sql"))


def shown(url: str) -> str:
    """Return a database's address for display: without user, password and options.

    >>> shown("postgresql://anne:secret@db.example:5433/tapis?sslmode=require")
    'postgresql://db.example:5433/tapis'
    """
    try:
        given = conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        return "postgresql://"
    host, name = str(given.get("host", "")), given.get("dbname", "")
    if host.startswith("/"):  # the directory of a Unix socket
        return f"postgresql:///{name}?host={host}"
    port = f":{given['port']}" if "port" in given else ""
    return f"postgresql://{host}{port}/{name}"


class _Whole(Loader):
    """Load sums of integers as int: PostgreSQL returns them as numeric."""

    def load(self, data: Any) -> int:
        return int(bytes(data))


def _check_server(connection: Connection) -> None:
    """Refuse a standby, and a server without durable commits, UTF-8 or triggers."""
    row = connection.execute(
        "SELECT current_setting('fsync'), current_setting('synchronous_commit'),"
        " current_setting('server_encoding'), pg_is_in_recovery(),"
        " current_setting('session_replication_role')"
    ).fetchone()
    assert row is not None
    fsync, commit, encoding, standby, role = row
    for setting, value in (("fsync", fsync), ("synchronous_commit", commit)):
        if value == "off":
            raise Refused("store/not_durable", setting=setting, value=value)
    if encoding != "UTF8":
        raise psycopg.NotSupportedError(f"its encoding is {encoding}, not UTF8")
    if role != "origin":  # triggers would not fire, so balances would not change
        raise Refused("store/altered", file="", what=f"session_replication_role = {role}")
    # Fixed for this connection: a later change on the server does not weaken it.
    connection.execute("SELECT set_config('synchronous_commit', %s, false)", (commit,))
    if standby:
        raise psycopg.NotSupportedError("it is a standby, which only reads")


def _migrate(connection: Connection, name: str, new: bool) -> None:
    """Run the missing migrations; refuse a database that is not ours, or newer."""
    known, found = migrations(), _version(connection)
    if found is None:
        if _tables(connection):
            raise Refused("store/not_ours", file=name)
        if not new:
            raise Refused("store/unreadable", file=name, reason="it is empty")
        connection.execute("CREATE TABLE schema_version (number BIGINT NOT NULL)")
        connection.execute("INSERT INTO schema_version VALUES (0)")
        found = 0
    if found > len(known):
        raise Refused("store/newer", file=name, found=found, known=len(known))
    for path in known[found:]:
        connection.execute(path.read_text(encoding="utf-8"))
    if found < len(known):
        connection.execute("UPDATE schema_version SET number = %s", (len(known),))


def must_be_current(connection: Connection, name: str) -> None:
    """Refuse a database that is not ours, or whose schema version is not current."""
    found, known = _version(connection), len(migrations())
    if not _tables(connection):
        raise Refused("store/unreadable", file=name, reason="it is empty")
    if found is None:
        raise Refused("store/not_ours", file=name)
    if found > known:
        raise Refused("store/newer", file=name, found=found, known=known)
    if found < known:
        raise Refused("store/older", file=name, found=found, known=known)


def _tables(connection: Connection) -> int:
    row = connection.execute(
        "SELECT COUNT(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
    ).fetchone()
    return int(row[0]) if row else 0


def _version(connection: Connection) -> int | None:
    """Return the number of migrations applied; None if the database has no version table."""
    row = connection.execute("SELECT to_regclass('schema_version') IS NOT NULL").fetchone()
    if not row or not row[0]:
        return None
    row = connection.execute("SELECT number FROM schema_version").fetchone()
    return int(row[0]) if row else None


def one_line(error: psycopg.Error) -> str:
    """Return the message of an error in one line."""
    return " ".join(str(error).split()) or type(error).__name__
