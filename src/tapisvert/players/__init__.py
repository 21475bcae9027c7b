"""Players and their sessions."""

from tapisvert.players.guests import FIRST_GRANT_CENTS as FIRST_GRANT_CENTS
from tapisvert.players.guests import Player as Player
from tapisvert.players.guests import create_guest as create_guest
from tapisvert.players.guests import player_of as player_of
