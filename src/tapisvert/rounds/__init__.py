"""Rounds: what a player does. Games, bank, dealing and store meet here."""

from tapisvert.rounds.player_service import PlayerService as PlayerService
from tapisvert.rounds.seed_source import Dealer as Dealer
