"""S4: on PostgreSQL a dropped, changed or added schema object is found.

The objects come from the catalogue: a new one is tested without being listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import psycopg
import pytest

from rounds.guest_seat import Seated
from rounds.house_with_operator import Operator, open_tables, played
from stores import POSTGRESQL, url_of
from tapisvert.operations.audit import Given, audit, check_schema
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.refusal import Refused
from tapisvert.store.postgres import PostgresStore
from tapisvert.store.postgres_database import Connection, connect, migrations
from tapisvert.store.postgres_schema import described, expected
from tapisvert.store.postgres_tx import PostgresTx
from tapisvert.store.reading import open_read_only
from tapisvert.store.schema import Schema, first_difference

pytestmark = pytest.mark.parametrize("engine", [POSTGRESQL], indirect=True)

_HERE = "current_schema()::regnamespace"
_OURS = f"""c.relnamespace = {_HERE} AND c.relname <> 'schema_version'"""
# Every object that can be dropped, and how.
DROPS = f"""
    SELECT format('DROP TRIGGER %I ON %I', t.tgname, c.relname)
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE {_OURS} AND NOT t.tgisinternal
    UNION ALL SELECT format('ALTER TABLE %I DISABLE TRIGGER %I', c.relname, t.tgname)
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE {_OURS}
    UNION ALL SELECT format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', c.relname, t.tgname)
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE {_OURS}
    UNION ALL SELECT format('DROP INDEX %I', c.relname)
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE {_OURS} AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid)
    UNION ALL SELECT format('ALTER TABLE %I DROP CONSTRAINT %I CASCADE', c.relname, k.conname)
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE {_OURS}
    UNION ALL SELECT format('DROP FUNCTION %I CASCADE', proname)
        FROM pg_proc WHERE pronamespace = {_HERE}
    UNION ALL SELECT format('ALTER FUNCTION %I SECURITY DEFINER', proname)
        FROM pg_proc WHERE pronamespace = {_HERE}
    UNION ALL SELECT format('ALTER FUNCTION %I SET search_path = elsewhere', proname)
        FROM pg_proc WHERE pronamespace = {_HERE}
    UNION ALL SELECT format('ALTER TABLE %I DROP COLUMN %I CASCADE', c.relname, a.attname)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE {_OURS} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL SELECT format('ALTER TABLE %I ALTER %I DROP NOT NULL', c.relname, a.attname)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_constraint p ON p.conrelid = c.oid AND p.contype = 'p'
        WHERE {_OURS} AND c.relkind = 'r' AND a.attnum > 0 AND a.attnotnull AND NOT a.attisdropped
            AND a.attidentity = '' AND NOT a.attnum = ANY (COALESCE(p.conkey, '{{}}'))
    UNION ALL SELECT format('ALTER TABLE %I DISABLE TRIGGER ALL', c.relname)
        FROM pg_class c WHERE {_OURS} AND c.relkind = 'r' AND c.relhastriggers
    UNION ALL SELECT format('DROP TABLE %I CASCADE', c.relname)
        FROM pg_class c WHERE {_OURS} AND c.relkind = 'r'
"""
FUNCTION = "CREATE FUNCTION {}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
GIFT = "CREATE TRIGGER {} BEFORE DELETE ON switches EXECUTE FUNCTION append_only()"
# An operator for comparing an account with its sum that never finds a difference.
NEVER = """CREATE SCHEMA elsewhere; CREATE FUNCTION elsewhere.never(BIGINT, NUMERIC)
    RETURNS boolean LANGUAGE sql AS 'SELECT FALSE'; """
OPERATOR = (
    "CREATE OPERATOR {}.<> (LEFTARG = BIGINT, RIGHTARG = NUMERIC, FUNCTION = elsewhere.never)"
)
# Objects a forger may add. An object whose name is taken is created first and the genuine one again
# after it, so that the genuine one is listed last.
PUT_IN = {
    "table": "CREATE TABLE more (n BIGINT)",
    "column": "ALTER TABLE players ADD COLUMN vip BIGINT",
    "view": "CREATE VIEW more AS SELECT * FROM players",
    "trigger": GIFT.format("gift"),
    "trigger named like the table of versions": GIFT.format("schema_version_gift"),
    "function named like the table of versions": FUNCTION.format("schema_version_gift"),
    "trigger of a taken name": GIFT.format("keys_are_never_changed")
    + "; DROP TRIGGER keys_are_never_changed ON keys; CREATE TRIGGER keys_are_never_changed"
    " BEFORE UPDATE OR DELETE OR TRUNCATE ON keys EXECUTE FUNCTION append_only()",
    "function of a taken name": "CREATE FUNCTION keep_tail(INT, BYTEA, BYTEA, BYTEA)"
    " RETURNS void LANGUAGE sql AS ''; ALTER FUNCTION keep_tail(BIGINT, BYTEA, BYTEA, BYTEA)"
    " RENAME TO away; ALTER FUNCTION away RENAME TO keep_tail",
    "constraint": "ALTER TABLE switches ADD CONSTRAINT none CHECK (scope = '')",
    "index": "CREATE INDEX more ON players (kind)",
    "rule": "CREATE RULE none AS ON DELETE TO switches DO INSTEAD NOTHING",
    "row security": "ALTER TABLE transfers ENABLE ROW LEVEL SECURITY",
    "policy": "CREATE POLICY few ON transfers USING (id < 5)",
    "no log": "ALTER TABLE tails SET UNLOGGED",
    "default": "ALTER TABLE players ALTER kind SET DEFAULT 'account'",
    "type": "ALTER TABLE players ALTER kind TYPE VARCHAR(9)",
    "numbering": "ALTER TABLE transfers ALTER id SET GENERATED BY DEFAULT",
    "domain": "CREATE DOMAIN more AS BIGINT",
    "operator": NEVER + OPERATOR.format("public"),
    "heir": "CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.heir () INHERITS (transfers)",
}


@pytest.fixture(scope="module")
def url(engine: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a database that was served and sealed."""
    path = tmp_path_factory.mktemp("schema") / "tapis.db"
    house = open_tables(path)
    Operator(house).create_player("CAD")
    played(Seated(house), "casino-stud")
    Housekeeping(house).seal()
    house.store.close()
    return url_of(path)


@pytest.fixture(scope="module")
def wanted(url: str) -> Schema:
    """Return the schema that the migrations make."""
    line = connect(url)
    made = expected(line, migrations())
    line.close()
    return made


@pytest.fixture
def line(url: str) -> Iterator[Connection]:
    """Return a connection of the owner; changes are rolled back."""
    with psycopg.connect(url, autocommit=True) as made, made.transaction(force_rollback=True):
        yield made


def seen(line: Connection, wanted: Schema) -> tuple[bool, bool]:
    """Tell whether a start is refused now, and whether an audit finds the change or fails."""
    schema = described(line)
    refused = first_difference(schema, wanted) is not None
    try:
        found = bool(list(check_schema(PostgresTx(line), Given(schema=schema))))
    except (psycopg.errors.UndefinedColumn, psycopg.errors.UndefinedTable):
        found = True  # of the seals themselves: `store/unreadable`
    return refused, found


def test_S4_whatever_is_dropped_or_turned_off_is_found(line: Connection, wanted: Schema) -> None:
    assert seen(line, wanted) == (False, False)
    every = [sql for (sql,) in line.execute(DROPS).fetchall()]
    assert len(every) > 300
    missed, impossible = [], []
    for sql in every:
        with line.transaction(force_rollback=True):
            try:
                line.execute(sql.encode())
            except psycopg.Error as error:
                impossible.append((sql, str(error)))
                continue
            if seen(line, wanted) != (True, True):
                missed.append(sql)
    print(len(every), impossible)
    assert missed == []
    assert impossible == []


@pytest.mark.parametrize("what", PUT_IN)
def test_S4_whatever_is_put_in_is_found(line: Connection, wanted: Schema, what: str) -> None:
    line.execute(PUT_IN[what].encode())
    assert seen(line, wanted) == (True, True)


@pytest.mark.parametrize("where", ["public", "elsewhere"])
def test_S4_no_operator_of_a_forger_hides_what_an_audit_compares(
    tmp_path: Path, where: str
) -> None:
    """A forged transfer is found, although the forged operator compares sums as equal."""
    house = open_tables(tmp_path / "tapis.db")
    poorer, richer = Seated(house), Seated(house)
    Housekeeping(house).seal()
    url = url_of(tmp_path / "tapis.db")
    with psycopg.connect(url, autocommit=True) as line:
        line.execute((NEVER + OPERATOR.format(where)).encode())
        name = url.partition("?")[0].rpartition("/")[2]
        line.execute(f"ALTER DATABASE {name} SET search_path = public, elsewhere".encode())
        for player, units in ((poorer, -100_000), (richer, 100_000)):
            account = f"player:{player.player_id}"
            line.execute("UPDATE accounts SET units = units + %s WHERE id = %s", (units, account))
    with open_read_only(url) as view:
        told = audit(view.tx, house.dealer, Given(schema=view.schema)).findings
    assert {found.table for found in told} & {"schema", "accounts"}
    with pytest.raises(Refused, match="store/altered") if where == "public" else nullcontext():
        PostgresStore(url).close()
