"""Rounds: seat, open, choose, show, prove. Games, bank, dealing and store meet here."""

from tapisvert.rounds.dealer import Dealer as Dealer
from tapisvert.rounds.house import House as House
