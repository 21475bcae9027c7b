"""Rounds: seat, open, choose, show, prove. Games, bank, dealing and store meet here."""

from tapisvert.rounds.player_service import PlayerService as PlayerService
from tapisvert.rounds.seed_source import Dealer as Dealer
