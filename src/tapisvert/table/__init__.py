"""The table: what a script may do, the events it makes, and what a player sees of them."""

from tapisvert.table.events import AnyEvent as AnyEvent
from tapisvert.table.events import HandName as HandName
from tapisvert.table.events import Option as Option
from tapisvert.table.script import Answer as Answer
from tapisvert.table.script import Claim as Claim
from tapisvert.table.script import Game as Game
from tapisvert.table.script import Script as Script
from tapisvert.table.script import Table as Table
from tapisvert.table.script import Transcript as Transcript
from tapisvert.table.script import replay as replay
from tapisvert.table.settlement import Line as Line
from tapisvert.table.view import View as View
from tapisvert.table.view import view as view
