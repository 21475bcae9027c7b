"""Deciding players' commands: a loaded state in, rows to write and a reply out.

`decide` is a pure function: no SQL, no clock, no randomness, no input or output. The same state and
command give the same outcome. A refusal is an outcome too.

An answer may continue the run that this server has in memory instead of replaying the round
(docs/adr/0037-runs-in-memory.md). The outcome is the same: the cache key of a run holds every value
that its events depend on. The tests decide every command twice, continued and replayed, and
compare.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from tapisvert.engine import Transcript
from tapisvert.refusal import Refused
from tapisvert.rounds import play_money
from tapisvert.rounds.draft import CommandRow, Draft, Writes
from tapisvert.rounds.idempotency import check_key, fingerprint, is_stored, outcome, repeated
from tapisvert.rounds.playing import choose, open_round
from tapisvert.rounds.pot_bets import PotNotLocked
from tapisvert.rounds.replies import reply_of
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, Seat, SeatRequest
from tapisvert.rounds.seats import take_seat
from tapisvert.rounds.state import CommandState

Answer = bytes | Seat | Refused


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Take a seat. Repeating it returns the same seat, so it needs no idempotency key."""

    request: SeatRequest


@dataclass(frozen=True, slots=True)
class Open:
    """Stake on the pending deal and deal."""

    key: str | None
    request: OpenRequest

    def fingerprint(self) -> bytes:
        """Return the hash that distinguishes this command from another under the same key."""
        return fingerprint("open", self.request)


@dataclass(frozen=True, slots=True)
class Choose:
    """Answer the question a round waits on; the reply has the events from `since` on."""

    key: str | None
    round_id: str
    request: ChoiceRequest
    since: int

    def fingerprint(self) -> bytes:
        """Return the hash that distinguishes this command from another under the same key."""
        return fingerprint(f"choose {self.round_id}", self.request)


@dataclass(frozen=True, slots=True)
class MorePlayMoney:
    """Grant play money to a guest who is broke, or cannot afford a listed option."""

    key: str | None

    def fingerprint(self) -> bytes:
        """Return the hash that distinguishes this command from another under the same key."""
        return fingerprint("more play money", None)


Command = TakeSeat | Open | Choose | MorePlayMoney


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a command: the answer, and the rows to commit before it is sent."""

    answer: Answer
    writes: Writes | None = None  # None: no change


@dataclass(frozen=True, slots=True)
class NeedsPot:
    """The command claims a share of this pot: decide it again alone, with the pot locked."""

    pot: str


def decide(state: CommandState, command: Command) -> Outcome | NeedsPot:
    """Decide one command of one player."""
    if isinstance(command, TakeSeat):
        return _seat(state, command)
    command_hash = command.fingerprint()
    try:
        key = check_key(command.key)
        if state.record is not None:
            return Outcome(repeated(state.record, command_hash))
    except Refused as refusal:  # a bad key is not an outcome of the command: store nothing
        return Outcome(refusal)
    draft = Draft(state)
    answer: bytes | Refused
    try:
        answer = _effect(draft, command)
    except PotNotLocked as needed:
        return NeedsPot(needed.pot)
    except Refused as refusal:
        if not is_stored(refusal):
            return Outcome(refusal)
        draft, answer = Draft(state), refusal  # discard the draft
    row = CommandRow(state.player.id, key, command_hash, state.now_ms, *outcome(answer))
    return Outcome(answer, draft.writes(row))


def _seat(state: CommandState, command: TakeSeat) -> Outcome:
    draft = Draft(state)
    try:
        seat = take_seat(draft, command.request.game)
    except Refused as refusal:
        return Outcome(refusal)
    return Outcome(seat, draft.writes())


def _effect(draft: Draft, command: Open | Choose | MorePlayMoney) -> bytes:
    """Execute a command; return its reply, encoded as it is stored and sent."""
    match command:
        case Open():
            return _reply(draft, *open_round(draft, command.request), since=0)
        case Choose():
            try:
                done = choose(draft, command.round_id, command.request)
                return _reply(draft, *done, since=command.since)
            except Refused as refusal:
                details = {**refusal.details, "round_id": command.round_id}
                raise Refused(refusal.code, **details) from None
        case MorePlayMoney():
            return msgspec.json.encode(play_money.more(draft))


def _reply(draft: Draft, stored: Round, played: Transcript, *, since: int) -> bytes:
    """Return the reply to a command on a round; when the round is over, with the next seat."""
    reply = reply_of(stored, played, draft.state.sheet_of(stored), draft.wallet(), since)
    if played.settled:
        reply = replace(reply, seat=_next_seat(draft, stored.game))
    return msgspec.json.encode(reply)


def _next_seat(draft: Draft, game: str) -> Seat | None:
    """Return the next seat, or None: a round can end without one (R10)."""
    state = draft.state
    if isinstance(state.drawn, Refused) or game not in state.tables.offered:
        return None
    return take_seat(draft, game)
