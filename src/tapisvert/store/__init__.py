"""The database behind a small interface: plain SQL, forward-only migrations. It knows no game."""

from tapisvert.store.port import Row as Row
from tapisvert.store.port import Store as Store
from tapisvert.store.port import Tx as Tx
from tapisvert.store.sqlite import SqliteStore as SqliteStore
