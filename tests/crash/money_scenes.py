"""Commands that move or seal money, prepared for a failing disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from crash.reference import Reference, all_scenes, copied, prepare, refer
from crash.stage import DATABASE, Give, Scene, set_town

# At least one of each command that moves money, and the seal.
MONEY = (
    "casino-stud: open and go on",
    "blackjack: open and end",
    "blackjack: open a claim and go on",
    "casino-stud: play-or-fold play and end",
    "blackjack: play split and go on",
    "players: guest",
    "players: more play money",
    "office: deposit",
    "office: withdraw",
    "office: pay debt",
    "office: void casino-stud, open",
    "office: void casino-stud, settled",
    "office: void, all of it a debt",
    "keeper: sweep blackjack",
    "keeper: seal",
    "jackpot: open",
    "jackpot: open, royal-flush",
    "jackpot: fold",
)
NO_MONEY = {
    *("PlayerService.seat", "PlayerService.mark_seen", "Housekeeping.watch_clock"),
    *("PlayerService.choose_rules", "PlayerService.change"),
    *(
        "OperatorCommands.create_player",
        "OperatorCommands.new_token",
        "OperatorCommands.create_operator",
    ),
    "OperatorCommands.revoke",
    *(
        "OperatorCommands.stop",
        "OperatorCommands.resume",
        "OperatorCommands.set_jackpot",
        "OperatorCommands.set_rate",
    ),
    "Housekeeping.tick",  # sweeps, folds and seals, each of which is given
}


@dataclass(frozen=True)
class Staged:
    """A prepared command, its house, and its outcome without faults."""

    scene: Scene
    give: Give
    base: Path
    found: Reference

    def copy(self, to: Path) -> Path:
        return copied(self.base, to) / DATABASE

    @property
    def refusal(self) -> bytes:
        """Return the answer while nothing can be written; a sweeper returns the number of rounds
        voided.
        """
        return (
            b"0"
            if self.scene.command == "Housekeeping.sweep"
            else b'{"refused":"store/unavailable"}'
        )


class Theatre:
    """Prepares scenes in a folder, each once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "town").mkdir()
        set_town(folder / "town" / DATABASE)
        self._scenes = {scene.name: scene for scene in all_scenes()}
        self._staged: dict[str, Staged] = {}

    def __getitem__(self, name: str) -> Staged:
        if name not in self._staged:
            scene, number = self._scenes[name], len(self._staged)
            base = self._folder / f"base-{number}"
            give = prepare(self._folder / "town", base, scene)
            found = refer(copied(base, self._folder / f"reference-{number}"), scene, give)
            self._staged[name] = Staged(scene, give, base, found)
        return self._staged[name]
