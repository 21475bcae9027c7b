"""The certificate's program in a folder layout in which node can run it."""

from __future__ import annotations

import shutil
from pathlib import Path

from node import WEB
from tapisvert.games.registry import GAMES

SHARED = WEB / "certificate/settle"


def lay_out(folder: Path) -> Path:
    """Copy the shared modules and every game's settlement; return their folder."""
    shutil.copytree(SHARED, folder / "settle")
    for game in GAMES.values():
        own = folder / "games" / game.id
        own.mkdir(parents=True)
        shutil.copy(game.folder / "settle.js", own)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder
