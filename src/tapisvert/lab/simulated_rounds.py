"""One block of simulated rounds as a pure function, for work that is cut into blocks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import load_body
from tapisvert.games.registry import GAMES
from tapisvert.lab.mathematics import simulated_player

if TYPE_CHECKING:
    from tapisvert.odds.simulation import SimulatedPlayer
    from tapisvert.odds.tally import Tally


def simulate_block(sheet: Sheet, strategy: str, seed: int, first_round: int, rounds: int) -> Tally:
    """Play rounds `first_round`, `first_round` + 1, ... of a seed on one core.

    The tally depends on the arguments only; tallies of consecutive blocks add up (`odds.tally`). A
    process caches the last two players.
    """
    player = _player(sheet.game, sheet.body, strategy)
    from tapisvert.odds.simulation import play_block

    return play_block(player, seed, first_round, rounds)


@lru_cache(maxsize=2)
def _player(game: str, body: bytes, strategy: str) -> SimulatedPlayer:
    return simulated_player(load_body(body, GAMES[game].sheet_type), strategy)
