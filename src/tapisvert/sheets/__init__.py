"""The figures of each game, one TOML file per variant: typed, validated, named by content."""

from tapisvert.sheets.blackjack import Blackjack as Blackjack
from tapisvert.sheets.casino_stud import CasinoStud as CasinoStud
from tapisvert.sheets.high_card_flush import HighCardFlush as HighCardFlush
from tapisvert.sheets.loading import SHEETS as SHEETS
from tapisvert.sheets.loading import keys as keys
from tapisvert.sheets.loading import load as load
from tapisvert.sheets.loading import load_body as load_body
from tapisvert.sheets.loading import load_file as load_file
from tapisvert.sheets.loading import with_changes as with_changes
from tapisvert.sheets.pai_gow import HouseWay as HouseWay
from tapisvert.sheets.pai_gow import PaiGow as PaiGow
from tapisvert.sheets.sheet import Jackpot as Jackpot
from tapisvert.sheets.sheet import Place as Place
from tapisvert.sheets.sheet import Sheet as Sheet
from tapisvert.sheets.sheet import Spot as Spot
from tapisvert.sheets.sheet import content as content
from tapisvert.sheets.sheet import parse_odds as parse_odds
from tapisvert.sheets.sheet import write_odds as write_odds
from tapisvert.sheets.ultimate import Ultimate as Ultimate
