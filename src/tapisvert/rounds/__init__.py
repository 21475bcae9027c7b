"""Rounds: seat, open, choose, show, prove. Games, bank, dealing and store meet here."""

from tapisvert.rounds.player_service import House as House
from tapisvert.rounds.seed_source import Dealer as Dealer
