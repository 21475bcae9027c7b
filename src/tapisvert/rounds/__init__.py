"""Rounds: the commands of players. This package joins games, bank, dealing and store."""

from tapisvert.rounds.player_service import PlayerService as PlayerService
from tapisvert.rounds.seed_source import Dealer as Dealer
