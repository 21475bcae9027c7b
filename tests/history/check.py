"""The checker: whether a recorded history is linearisable against a single-threaded model.

python tests/history/check.py history.jsonl
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

if __name__ == "__main__":  # then Python has put this folder first
    sys.path[0] = str(Path(__file__).parents[1])

from history.facts import Contradiction, Facts, learn
from history.model import Model, Task
from history.moments import Moments
from history.partition import Pieces, cut
from history.records import GRANTED, Operation, read_history
from history.refusals import REFUSED_WITH
from history.search import Found, Search
from history.tables import Tables, Unproven

ATTEMPTS = 4  # to find one order for all players
Progress = Callable[[int], None]  # called with the number of players checked


@dataclass
class Verdict:
    """The checker's verdict on a history, and its figures.

    Accepted: there is an order for every player. As a whole: these orders combine into one, with
    the same moment of every switch for all (moments.py). A history of a correct house is both.
    """

    accepted: bool = True
    reason: str = ""
    undecided: bool = False
    operations: int = 0
    players: int = 0
    states: int = 0  # states explored by the search
    as_a_whole: bool = False  # one order of all operations explains it, not one per player
    alone: int = 0  # players whose order contradicts the others' order of switches
    at_once: int = 0  # most concurrent operations in one piece
    lost: int = 0  # operations without an answer
    longest_lost: int = 0  # operations until a lost command was answered under its key
    kinds: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)

    def reject(self, reason: str, *, undecided: bool = False) -> Verdict:
        self.accepted, self.reason, self.undecided = False, reason, undecided
        return self


def check(operations: Sequence[Operation], progress: Progress = lambda done: None) -> Verdict:
    """Check a history; report the first part that no order explains."""
    verdict = Verdict(operations=len(operations))
    verdict.kinds.update(each.request.kind for each in operations)
    verdict.codes.update(each.code or "never answered" for each in operations)
    verdict.longest_lost = _longest_lost(operations)
    verdict.lost = sum(each.returned is None for each in operations)
    try:
        _refused_for_a_reason(operations)
        facts = learn(operations)
        _sweeps_add_up(operations, facts)
        pieces = cut(operations, facts)
    except Contradiction as contradiction:
        return verdict.reject(f"contradiction: {contradiction}")
    verdict.players = len(pieces) - 1
    return _search(verdict, facts, pieces, progress)


def _search(verdict: Verdict, facts: Facts, pieces: Pieces, progress: Progress) -> Verdict:
    """Search every piece for an order, the desk's first."""
    desk = _found(facts, None, pieces.pop(None))
    verdict.states += desk.states
    if not desk.accepted:
        return verdict.reject(f"the desk: {desk.reason}", undecided=desk.undecided)
    players = [player for player in pieces if player is not None]
    for _ in range(ATTEMPTS):
        moments, alone, undecided = Moments(desk.order), list[str](), ""
        for done, player in enumerate(players):
            piece = pieces[player]
            found = _found(facts, player, moments.narrowed(piece), moments.rank)
            verdict.states += found.states
            if found.accepted:
                moments.narrow(found.order)
            else:  # perhaps only because others have narrowed it so
                found = _found(facts, player, piece)
                verdict.states += found.states
                alone += [player] * found.accepted
            if found.undecided:
                undecided = f"player {player}: {found.reason}"
            elif not found.accepted:
                return verdict.reject(f"player {player}: {found.reason}")
            progress(done + 1)
        if undecided:
            return verdict.reject(undecided, undecided=True)
        verdict.alone, verdict.as_a_whole = len(alone), not alone and moments.agree()
        if verdict.as_a_whole:
            break
        players.sort(key=alone.__contains__, reverse=True)  # next time the others follow them
    verdict.at_once = max(map(_at_once, pieces.values()), default=0)
    return verdict


def _found(
    facts: Facts, player: str | None, piece: Sequence[Task], rank: dict[int, int] | None = None
) -> Found:
    try:
        return Search(Model(facts, Tables(facts), player), piece, rank or {}).run()
    except Unproven as unproven:
        return Found(False, 0, str(unproven), undecided=True)
    finally:
        for task in piece:
            task.forget()


def _refused_for_a_reason(operations: Sequence[Operation]) -> None:
    """Check that every operation got an answer, or a refusal valid for it."""
    for each in operations:
        if each.code not in (GRANTED, "", *REFUSED_WITH[each.request.kind]):
            raise Contradiction(f"{each} came to {each.code} {each.text[:200]}")


def _sweeps_add_up(operations: Sequence[Operation], facts: Facts) -> None:
    """Check that one sweep voided and counted every expired round."""
    swept = [each for each in operations if each.request.kind == "sweep"]
    counted = sum(int(msgspec.json.decode(each.text)) for each in swept)
    expired = sum(facts.get("round", round_id, "void") == "expired" for round_id in facts.owner)
    if counted != expired:
        raise Contradiction(f"sweeps voided {counted} rounds, but {expired} have expired")


def _longest_lost(operations: Sequence[Operation]) -> int:
    """Return the longest time until the outcome of a lost command was known."""
    longest = 0
    since: dict[tuple[str | None, str], int] = {}
    known = set[tuple[str | None, str]]()
    for each in operations:
        if each.request.key is not None:
            name = (each.request.token, each.request.key)
            if each.returned is not None:
                known.add(name)
                longest = max(longest, each.number - since.pop(name, each.number))
            elif name not in known:
                since.setdefault(name, each.number)
    return longest


def _at_once(tasks: Sequence[Task]) -> int:
    """Return the largest number of concurrent operations in a piece."""
    under_way: list[int] = []
    most = 0
    for task in tasks:
        under_way = [returned for returned in under_way if returned > task.invoked]
        if not task.optional and task.kind != "expire":
            under_way.append(task.returned)
        most = max(most, len(under_way))
    return most


def main() -> int:
    """Check a file; return 1 if it is rejected."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("history", type=Path)
    began = time.monotonic()
    verdict = check(list(read_history(parser.parse_args().history)))
    print(f"{'accepted' if verdict.accepted else 'REJECTED: ' + verdict.reason}")
    print(verdict)
    print(f"{time.monotonic() - began:.1f} s")
    return int(not verdict.accepted)


if __name__ == "__main__":
    sys.exit(main())
