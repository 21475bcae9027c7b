"""The functions and values behind `import tapisvert` (docs/python.md).

`tapisvert/__init__.py` names them and loads this package when one is first used. The command line
is built on the same functions. NumPy and Numba are imported by the functions that count.
"""

from tapisvert.engine.sheet import Sheet as Sheet
from tapisvert.engine.sheet_file import keys
from tapisvert.lab.bankroll_store import BankrollTable as BankrollTable
from tapisvert.lab.cluster import Cluster as Cluster
from tapisvert.library.advising import OptionValues as OptionValues
from tapisvert.library.advising import StrategyChart as StrategyChart
from tapisvert.library.advising import advise as advise
from tapisvert.library.advising import strategy as strategy
from tapisvert.library.bankrolls import Bankroll as Bankroll
from tapisvert.library.bankrolls import bankroll as bankroll
from tapisvert.library.bet_proof import BetProof as BetProof
from tapisvert.library.bet_proof import Outcome as Outcome
from tapisvert.library.playing import ReplayedRound as ReplayedRound
from tapisvert.library.playing import Verification as Verification
from tapisvert.library.playing import replay as replay
from tapisvert.library.playing import verify as verify
from tapisvert.library.proving import Proof as Proof
from tapisvert.library.proving import prove as prove
from tapisvert.library.ranking import rank as rank
from tapisvert.library.sheets import GameEntry as GameEntry
from tapisvert.library.sheets import games as games
from tapisvert.library.sheets import sheet as sheet
from tapisvert.library.simulating import SimulatedBet as SimulatedBet
from tapisvert.library.simulating import Simulation as Simulation
from tapisvert.library.simulating import simulate as simulate
from tapisvert.library.strategies import Mistake as Mistake
from tapisvert.library.strategies import RuleValue as RuleValue
from tapisvert.library.strategies import ShortStrategies as ShortStrategies
from tapisvert.library.strategies import ShortStrategy as ShortStrategy
from tapisvert.library.strategies import StrategyEntry as StrategyEntry
from tapisvert.library.strategies import StrategyProof as StrategyProof
from tapisvert.library.strategies import prove_strategy as prove_strategy
from tapisvert.library.strategies import short_strategies as short_strategies
from tapisvert.library.strategies import strategy_files as strategy_files
from tapisvert.library.sweeping import SweptFigure as SweptFigure
from tapisvert.library.sweeping import cluster as cluster
from tapisvert.library.sweeping import sweep as sweep
from tapisvert.library.tables import Rows as Rows
from tapisvert.library.tables import show_as_table
from tapisvert.par.measures import Measures as Measures
from tapisvert.refusal import Refused as Refused

# Classes of lower layers, which know no HTML.
show_as_table(Sheet, lambda sheet: dict(keys(sheet)))
show_as_table(Measures, Measures.cells)
show_as_table(BankrollTable, BankrollTable.cells)
