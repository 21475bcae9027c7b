"""The table: the operations of a script, the events it makes, and the player's view of them."""

from tapisvert.engine.events import AnyEvent as AnyEvent
from tapisvert.engine.events import HandName as HandName
from tapisvert.engine.events import Option as Option
from tapisvert.engine.replay import Run as Run
from tapisvert.engine.replay import Transcript as Transcript
from tapisvert.engine.replay import replay as replay
from tapisvert.engine.script import Answer as Answer
from tapisvert.engine.script import Claim as Claim
from tapisvert.engine.script import GameScript as GameScript
from tapisvert.engine.script import Script as Script
from tapisvert.engine.script import Table as Table
from tapisvert.engine.settlement import Line as Line
from tapisvert.engine.view import View as View
from tapisvert.engine.view import view as view
