"""Tapis Vert: five casino table games to play, to prove and to operate.

The names in `__all__` are the public surface (docs/python.md). Each is loaded when it is first
used, so that importing the package costs nothing.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from tapisvert.library import Bankroll as Bankroll
    from tapisvert.library import BankrollTable as BankrollTable
    from tapisvert.library import BetProof as BetProof
    from tapisvert.library import Cluster as Cluster
    from tapisvert.library import GameEntry as GameEntry
    from tapisvert.library import Measures as Measures
    from tapisvert.library import Mistake as Mistake
    from tapisvert.library import OptionValues as OptionValues
    from tapisvert.library import Outcome as Outcome
    from tapisvert.library import Proof as Proof
    from tapisvert.library import ReplayedRound as ReplayedRound
    from tapisvert.library import Rows as Rows
    from tapisvert.library import RuleValue as RuleValue
    from tapisvert.library import Sheet as Sheet
    from tapisvert.library import ShortStrategies as ShortStrategies
    from tapisvert.library import ShortStrategy as ShortStrategy
    from tapisvert.library import SimulatedBet as SimulatedBet
    from tapisvert.library import Simulation as Simulation
    from tapisvert.library import StrategyChart as StrategyChart
    from tapisvert.library import StrategyEntry as StrategyEntry
    from tapisvert.library import StrategyProof as StrategyProof
    from tapisvert.library import SweptFigure as SweptFigure
    from tapisvert.library import Verification as Verification
    from tapisvert.library import advise as advise
    from tapisvert.library import bankroll as bankroll
    from tapisvert.library import cluster as cluster
    from tapisvert.library import games as games
    from tapisvert.library import prove as prove
    from tapisvert.library import prove_strategy as prove_strategy
    from tapisvert.library import rank as rank
    from tapisvert.library import replay as replay
    from tapisvert.library import sheet as sheet
    from tapisvert.library import short_strategies as short_strategies
    from tapisvert.library import simulate as simulate
    from tapisvert.library import strategy as strategy
    from tapisvert.library import strategy_files as strategy_files
    from tapisvert.library import sweep as sweep
    from tapisvert.library import verify as verify
    from tapisvert.refusal import Refused as Refused


class _Games(ModuleType):
    """`tapisvert.games` is a package, and a function of the public surface."""

    def __call__(self) -> object:
        """Return the installed games."""
        from tapisvert import library

        return library.games()


class _Surface(ModuleType):
    """The class of this package: it makes the package `games` callable once that is imported."""

    _games = _Games

    def __setattr__(self, name: str, value: "Any") -> None:
        if name == "games":
            value.__class__ = self._games
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Surface
del sys, ModuleType, TYPE_CHECKING, _Games, _Surface  # not part of the surface

__version__ = "0.1.0"
__all__ = [
    "Bankroll",
    "BankrollTable",
    "BetProof",
    "Cluster",
    "GameEntry",
    "Measures",
    "Mistake",
    "OptionValues",
    "Outcome",
    "Proof",
    "Refused",
    "ReplayedRound",
    "Rows",
    "RuleValue",
    "Sheet",
    "ShortStrategies",
    "ShortStrategy",
    "SimulatedBet",
    "Simulation",
    "StrategyChart",
    "StrategyEntry",
    "StrategyProof",
    "SweptFigure",
    "Verification",
    "advise",
    "bankroll",
    "cluster",
    "games",
    "prove",
    "prove_strategy",
    "rank",
    "replay",
    "sheet",
    "short_strategies",
    "simulate",
    "strategy",
    "strategy_files",
    "sweep",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'tapisvert' has no attribute {name!r}")
    from tapisvert import library

    # The library has imported the package `games`, which calls the function.
    found: object = globals()["games"] if name == "games" else getattr(library, name)
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
