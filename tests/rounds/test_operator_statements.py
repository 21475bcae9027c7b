"""How many statements each command of an operator and each expiry sends to the database."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from houses import KEY
from rounds.gated_store import Gated
from rounds.guest_seat import PATIENCE_S
from rounds.house_with_operator import DAY_MS, Funded, Operator, Time, findings
from rounds.house_with_pot import GAME, dealt, named_deck, played
from stores import both, store_at
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.operations.operator_service import OperatorService, OperatorToken
from tapisvert.refusal import unwrap
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.sealing import Sealer

pytestmark = both

WHY = "a figure is being checked"
Work = Callable[[OperatorCommands], object]


class Counted(NamedTuple):
    """Statements of one command. A lock is a read."""

    reads: int
    writes: int


# The operator of the token, the lock on the operator's keys, the key; the new key is one write.
KEYED = Counted(3, 1)
# The lock on the journal, the last hash; the event.
JOURNAL = Counted(2, 1)
# What a command reads and writes beside its key and its event.
CASHIER = Counted(9, 1)  # player, lock, account, debt; shown: 5; transfers
STATEMENTS = {
    "deposit": CASHIER,
    "withdraw": CASHIER,
    "pay debt": CASHIER,
    "stop a game": Counted(3, 2),  # lock and switches, before and after; the old and the new row
    "resume a game": Counted(3, 1),
    "stop a pot": Counted(8, 5),  # gathers the contributions that wait: pot, transfer
    "resume a pot": Counted(4, 1),
    "revoke an operator": Counted(1, 1),
    "revoke a player": Counted(2, 1),
    "set a jackpot": Counted(7, 1),  # lock, pot, its account; shown: 4
    "set a rate": Counted(7, 1),
    # Reads: owner, lock, rounds, accounts. Writes: round, transfers, reversal.
    "void an open round": Counted(4, 3),
    # A reversal made before, and that the player has not seen the new end.
    "void a round that was seen": Counted(5, 3),
    # The award and its pot; the contribution that returns it.
    "void an award": Counted(6, 4),
}
VOID_MAX = 16  # with the key and the event, and without a pot
UNKEYED = {
    "create a player": Counted(1, 3),  # the operator; player, account, session
    "replace a token": Counted(3, 2),  # player and lock; the old sessions, the new one
    "create an operator": Counted(3, 1),  # lock, and that the name is free
}
EXPIRY = Counted(4, 2)  # as a void, without the operator


class Office:
    """A gated house with a pot, and an operator who acts as over HTTP: by token, under a key."""

    def __init__(self, path: Path) -> None:
        self.store, self.time = Gated(store_at(path)), Time()
        dealer = Dealer(Sealer(KEY), shuffle=named_deck)
        self.house = PlayerService(self.store, dealer, clock=self.time.wall)
        self.cli = Operator(self.house)
        self.cli.open_jackpot(GAME, "CAD")
        self.cli.set_rate(GAME, "EUR", "1.4700")
        token = OperatorToken(self.cli.create_operator("bert")["token"])
        self.service = OperatorService(self.house, token)
        self._keys = itertools.count()

    def counted(self, act: Callable[[], object]) -> Counted:
        """Return the statements of the one unit that this runs."""
        before = len(self.store.units)
        act()
        (counts,) = self.store.units[before:]
        return Counted(*counts.both())

    def keyed(self, work: Work) -> Counted:
        """Run a command under a new key."""
        key = f"key {next(self._keys)}"
        return self.counted(lambda: unwrap(self.service.once(key, key, work).result(PATIENCE_S)))

    def unkeyed(self, work: Work) -> Counted:
        """Run a command whose result has a secret."""
        return self.counted(lambda: unwrap(self.service.command(work).result(PATIENCE_S)))


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """Return a house whose units are counted; it must be in order at the end."""
    made = Office(tmp_path / "tapis.db")
    yield made
    assert findings(made.house) == ()
    made.store.close()


def finished(office: Office) -> str:
    """Return a round that is over, whose end its player has seen."""
    player = Funded(office.house)
    round_id = played(player, "nothing").round.id
    office.house.mark_seen(player.token, round_id).result(PATIENCE_S)
    return round_id


def in_debt(office: Office) -> str:
    """Return a player who owes, and has money again."""
    player = Funded(office.house)
    round_id = dealt(player, "royal-flush").round.id
    player_id = player.player_id
    office.cli.withdraw(player_id, player.purse()[0], "")
    office.cli.void(round_id, WHY)
    office.cli.deposit(player_id, 500, "")
    return player_id


def keyed_commands(office: Office) -> Iterator[tuple[str, Work]]:
    """Yield every command that takes a key, prepared as it is asked for."""
    mine, game, pot = Funded(office.house).player_id, f"game:{GAME}", f"jackpot:{GAME}"
    yield "deposit", lambda operator: operator.deposit(mine, 500, "wire")
    yield "withdraw", lambda operator: operator.withdraw(mine, 500, "wire")
    owing = in_debt(office)
    yield "pay debt", lambda operator: operator.pay_debt(owing)
    yield "stop a game", lambda operator: operator.stop(game, WHY)
    yield "resume a game", lambda operator: operator.resume(game, WHY)
    open_id = dealt(Funded(office.house), "nothing").round.id
    yield "stop a pot", lambda operator: operator.stop(pot, WHY)
    yield "resume a pot", lambda operator: operator.resume(pot, WHY)
    office.cli.create_operator("carol")
    yield "revoke an operator", lambda operator: operator.revoke("operator:carol", WHY)
    yield "revoke a player", lambda operator: operator.revoke(f"player:{mine}", WHY)
    yield (
        "set a jackpot",
        lambda operator: operator.set_jackpot(GAME, reset_cents=3_000_000, reason=WHY),
    )
    yield "set a rate", lambda operator: operator.set_rate(GAME, "USD", "1.3000")
    yield "void an open round", lambda operator: operator.void(open_id, WHY)
    over = finished(office)
    yield "void a round that was seen", lambda operator: operator.void(over, WHY)
    won = dealt(Funded(office.house, currency="EUR"), "royal-flush", 68).round.id
    yield "void an award", lambda operator: operator.void(won, WHY)


def plus(*counted: Counted) -> Counted:
    """Return the sum of statements."""
    return Counted(*map(sum, zip(*counted, strict=True)))


def test_every_command_under_a_key_has_its_number_of_statements(office: Office) -> None:
    found = {name: office.keyed(work) for name, work in keyed_commands(office)}
    assert found == {name: plus(KEYED, each, JOURNAL) for name, each in STATEMENTS.items()}
    for name in ("void an open round", "void a round that was seen"):
        assert sum(found[name]) <= VOID_MAX


def test_every_command_with_a_secret_has_its_number_of_statements(office: Office) -> None:
    mine = Funded(office.house).player_id
    found = {
        "create a player": office.unkeyed(lambda operator: operator.create_player("CAD")),
        "replace a token": office.unkeyed(lambda operator: operator.new_token(mine)),
        "create an operator": office.unkeyed(lambda operator: operator.create_operator("dora")),
    }
    assert found == {name: plus(each, JOURNAL) for name, each in UNKEYED.items()}


@pytest.mark.parametrize("currency", ["CAD", "EUR"])
def test_an_expiry_has_its_number_of_statements(office: Office, currency: str) -> None:
    cents = {"CAD": 100, "EUR": 68}[currency]
    assert dealt(Funded(office.house, currency=currency), "flush", cents).round.state == "open"
    keeper = Housekeeping(office.house, office.time.steady)
    office.time.passes(40 * DAY_MS)
    assert office.counted(keeper.sweep) == plus(EXPIRY, JOURNAL)


def test_a_repeated_command_reads_its_key_only(office: Office) -> None:
    mine = Funded(office.house).player_id

    def pay_in() -> object:
        asked = office.service.once("same", "asked", lambda each: each.deposit(mine, 500, ""))
        return unwrap(asked.result(PATIENCE_S))

    assert office.counted(pay_in) == plus(KEYED, CASHIER, JOURNAL)
    assert office.counted(pay_in) == Counted(KEYED.reads, 0)


def test_every_command_of_an_operator_is_counted() -> None:
    """A new command needs a row above."""
    counted = {"create_player", "new_token", "create_operator", "open_jackpot"}
    counted |= {"deposit", "withdraw", "pay_debt", "stop", "resume", "revoke"}
    counted |= {"set_jackpot", "set_rate", "void"}
    questions = {"player", "stopped", "jackpots", "events", "once"}
    public = {name for name in vars(OperatorCommands) if not name.startswith("_")}
    assert public - {"tx", "house", "by"} == counted | questions
