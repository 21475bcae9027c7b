"""The proofs that `prove` on a cluster need not count again: of an interrupted run, or stored.

A command that proves several sheets writes each proof to the folder of `--keep` as it ends. The
name of this part contains a hash of all sheets and of the code: no other command reads it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from tapisvert.decoding import read_msgpack
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.lab import proof_store
from tapisvert.lab.cluster_work import code_id
from tapisvert.lab.proof_store import StoredProof
from tapisvert.lab.sweep_blocks import FinishedBlocks
from tapisvert.refusal import Refused


class TimedProof(NamedTuple):
    """The figures of a sheet, and the seconds that the counting took."""

    seconds: float
    figures: list[StoredProof]


class FinishedProofs:
    """The proofs of these sheets that lie in a folder."""

    def __init__(self, folder: Path, sheets: Sequence[Sheet]) -> None:
        self._folder, self._sheets = folder, sheets
        content = [[code_id(sheet.game), sheet.hash] for sheet in sheets]
        identity = hashlib.sha256(msgspec.json.encode(content)).hexdigest()
        self._parts = FinishedBlocks(folder / "prove", identity)

    def find(self, number: int) -> TimedProof | None:
        """Return the proof of a sheet; None if it must be counted."""
        content = self._parts.read(number)
        if content is not None:
            return read_msgpack(content, TimedProof)
        sheet = self._sheets[number]
        if not _is_whole(sheet, proof_store.find(sheet)):  # a shipped sheet is counted
            stored = proof_store.find(sheet, self._folder)
            if _is_whole(sheet, stored):
                return TimedProof(0.0, stored)
        return None

    def keep(self, number: int, proof: TimedProof) -> None:
        """Store a proof until the command has ended."""
        if len(self._sheets) == 1:  # no other sheet is left that an interruption could stop
            return
        try:
            self._parts.write(number, msgspec.msgpack.encode(proof))
        except OSError as error:
            reason = error.strerror or "cannot be written"
            raise Refused("store/unwritable", file=str(self._folder), reason=reason) from None

    def remove(self) -> None:
        """Remove the stored proofs after the command has ended."""
        self._parts.remove()


def _is_whole(sheet: Sheet, found: Sequence[StoredProof]) -> bool:
    return {each.bet for each in found} == set(GAMES[sheet.game].bets)
