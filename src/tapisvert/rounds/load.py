"""Loading the states for a group of commands, in a few statements for the whole group."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from tapisvert.bank import jackpot, ledger, rate_repository
from tapisvert.bank.money import PLAY_MONEY
from tapisvert.engine.sheet import Sheet
from tapisvert.players.player import Player
from tapisvert.players.repository import players_of
from tapisvert.refusal import Refused
from tapisvert.rounds import command_records, repository, stored_sheets, switches
from tapisvert.rounds.decide import Choose, Command, MorePlayMoney, Open, TakeSeat
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.eligibility import scopes
from tapisvert.rounds.idempotency import is_usable
from tapisvert.rounds.round import Round
from tapisvert.rounds.state import CommandState, Drawn, HouseTables, KeyRecord
from tapisvert.store import Tx


@dataclass(frozen=True, slots=True)
class PreparedCommand:
    """A command with the inputs known before loading: token, time, random bytes."""

    token: str | None
    command: Command
    now_ms: int
    drawn: Drawn | Refused


@dataclass(frozen=True, slots=True)
class LaterGroup:
    """Deferred to a later group: the player is locked elsewhere, or has an earlier command here."""

    elsewhere: bool


@dataclass(frozen=True, slots=True)
class SharedState:
    """The state shared by all commands: the house's games, sheets and key."""

    offered: tuple[str, ...]
    sheet_of: Callable[[str], Sheet]
    decks: Decks


Loaded = CommandState | Refused | LaterGroup


def load(
    tx: Tx, group: Sequence[PreparedCommand], shared: SharedState, *, wait: bool = False
) -> list[Loaded]:
    """Load the state of every command of a group, each under its player's lock.

    A command whose player is locked elsewhere is deferred; with `wait`, it waits for the lock.
    """
    found = players_of(tx, [prepared.token for prepared in group])
    players = [found.get(prepared.token) for prepared in group]
    mine = _locked(tx, players, wait=wait)
    states: list[Loaded] = [
        LaterGroup(elsewhere=player.id not in mine) if player else Refused("session/missing")
        for player in players
    ]
    chosen = {
        place: (prepared, player)
        for place, (prepared, player) in enumerate(zip(group, players, strict=True))
        if player is not None and mine.get(player.id) == place
    }
    for place, state in zip(chosen, _states(tx, list(chosen.values()), shared), strict=True):
        states[place] = state
    return states


def state_of(
    tx: Tx,
    player: Player,
    round_id: str,
    now_ms: int,
    shared: SharedState,
    games: Container[str] = (),
) -> CommandState:
    """Load the state of a locked player and one round, for housekeeping and operators.

    `games` lists the games whose house sheets are needed; voiding needs none.
    """
    rounds = repository.rounds_for(tx, [(player.id, round_id)])
    of_player = {player.id: {stored.id: stored for stored in rounds}}
    return CommandState(
        player=player,
        now_ms=now_ms,
        drawn=Refused("dealing/unavailable"),  # voiding draws no deal
        rounds=of_player[player.id],
        balances=ledger.load(tx, [player.id], sorted({round_id, *_open_rounds(of_player)})),
        stopped={},
        record=None,
        tables=_tables(tx, shared, games, rounds, []),  # a void loads the pot it needs
    )


def _locked(tx: Tx, players: Sequence[Player | None], *, wait: bool) -> dict[str, int]:
    """Lock the players; return each locked player with the index of its first command."""
    first: dict[str, int] = {}
    for place, player in enumerate(players):
        if player is not None:
            first.setdefault(player.id, place)
    if wait:
        for player_id in first:
            tx.lock("players", player_id)
        return first
    taken = tx.try_lock("players", list(first))
    return {player_id: place for player_id, place in first.items() if player_id in taken}


def _states(
    tx: Tx, chosen: Sequence[tuple[PreparedCommand, Player]], shared: SharedState
) -> list[CommandState]:
    """Load the states of commands whose players are locked."""
    records = _records(tx, chosen)
    rounds = repository.rounds_for(
        tx, [(player.id, _named(prepared.command)) for prepared, player in chosen]
    )
    of_player: dict[str, dict[str, Round]] = {player.id: {} for _, player in chosen}
    for stored in rounds:
        of_player.setdefault(stored.player_id, {})[stored.id] = stored
    balances = ledger.load(tx, [player.id for _, player in chosen], _open_rounds(of_player))
    stopped = _stopped(tx, chosen, of_player)
    games = {
        game
        for prepared, player in chosen
        for game in _games(prepared.command, of_player[player.id], shared)
    }
    tables = _tables(tx, shared, games, rounds, [player for _, player in chosen])
    return [
        CommandState(
            player=player,
            now_ms=prepared.now_ms,
            drawn=prepared.drawn,
            rounds=of_player[player.id],
            balances=balances,
            stopped=stopped,
            record=records.get(player.id),
            tables=tables,
        )
        for prepared, player in chosen
    ]


def _records(tx: Tx, chosen: Sequence[tuple[PreparedCommand, Player]]) -> Mapping[str, KeyRecord]:
    keys = [
        (player.id, prepared.command.key)
        for prepared, player in chosen
        if not isinstance(prepared.command, TakeSeat) and is_usable(prepared.command.key)
    ]
    return command_records.key_records(tx, keys)


def _named(command: Command) -> str:
    """Return the id of the round a command names, or ""."""
    match command:
        case Open():
            return command.request.round_id
        case Choose():
            return command.round_id
    return ""


def _open_rounds(of_player: Mapping[str, Mapping[str, Round]]) -> list[str]:
    return [
        stored.id
        for rounds in of_player.values()
        for stored in rounds.values()
        if stored.state == "open"
    ]


def _stopped(
    tx: Tx,
    chosen: Sequence[tuple[PreparedCommand, Player]],
    of_player: Mapping[str, Mapping[str, Round]],
) -> Mapping[str, str]:
    """Return the switches that are off and affect the opening of a round here."""
    wanted: set[str] = set()
    for prepared, player in chosen:
        if isinstance(prepared.command, Open):
            stored = of_player[player.id].get(prepared.command.request.round_id)
            if stored is not None:
                wanted.update(scopes(player.id, stored.game))
    return switches.stopped_of(tx, sorted(wanted)) if wanted else {}


def _games(command: Command, rounds: Mapping[str, Round], shared: SharedState) -> Sequence[str]:
    """Return the games whose sheets a command may need: its own, or all."""
    match command:
        case TakeSeat():
            return [command.request.game]
        case MorePlayMoney():
            return shared.offered
    named = rounds.get(_named(command))
    return [] if named is None else [named.game]


def _tables(
    tx: Tx,
    shared: SharedState,
    games: Container[str],
    rounds: Sequence[Round],
    players: Sequence[Player],
) -> HouseTables:
    real = {player.currency for player in players} - {PLAY_MONEY}  # pots take real money only
    pots = {pot.id: pot for pot in jackpot.pots(tx)} if real else {}
    foreign = any(pot.currency != currency for pot in pots.values() for currency in real)
    return HouseTables(
        offered=shared.offered,
        house_sheets={game: _house_sheet(shared, game) for game in shared.offered if game in games},
        stored_sheets=stored_sheets.sheets_for(tx, rounds, players, games),
        pots=pots,
        rates=rate_repository.newest(tx) if foreign else {},
        decks=shared.decks,
    )


def _house_sheet(shared: SharedState, game: str) -> Sheet | Refused:
    """Return a house sheet, or the refusal if it is unreadable: other games stay open."""
    try:
        return shared.sheet_of(game)
    except Refused as refusal:
        return refusal
