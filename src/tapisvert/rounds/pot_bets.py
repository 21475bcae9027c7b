"""A round's bets on its game's pot: their contributions, and claims of a share. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from tapisvert.bank import pot as pots
from tapisvert.bank.money import PLAY_MONEY, Purse
from tapisvert.bank.pot import Contribution, Pot, Stake
from tapisvert.engine import Claim
from tapisvert.refusal import Refused, invariant
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.jackpot_terms import Terms


class PotNotLocked(Exception):
    """A round claims a share of a pot: decide its command again, alone, with the pot locked."""

    def __init__(self, pot: str) -> None:
        super().__init__(pot)
        self.pot = pot


class PotBets:
    """A round's bets on its pot. Play money contributes nothing."""

    def __init__(self, draft: Draft, purse: Purse, terms: Terms, placed: Mapping[str, int]) -> None:
        """Refuse bets on a pot that does not run, before any money is held.

        The check uses the state of the bet's own commit: without its pot the bet would return
        little more than half (J6).
        """
        self._draft, self._purse = draft, purse
        self._sheet = terms.sheet
        self._pot: Pot | None = None
        self._gathered = 0
        bets = [bet for bet in terms.sheet.pot_bets if bet in placed]
        if not bets or purse.currency == PLAY_MONEY:
            return
        self._pot = _running(terms, draft.state.stopped)
        self._rate = pots.must_have_rate(self._pot, purse.currency, terms.rate)
        assert terms.sheet.jackpot is not None
        share = terms.sheet.jackpot.contribution
        self._stakes = [
            Stake(bet, terms.house.spots[bet].min_cents if self._rate else placed[bet], share)
            for bet in bets
        ]

    def contribute(self) -> None:
        """Add the bets' contributions; the next fold, or this round's claim, gathers them."""
        if self._pot is None:
            return
        locked = self._draft.state.locked_pot
        fold = None if locked is None else locked.folds + 1
        for stake in self._stakes:
            assert self._purse.round_id is not None
            rate_id = self._rate.id if self._rate else None
            part = (self._pot.id, self._purse.round_id, "stake", stake.price_cents, stake.units)
            self._draft.contribute(Contribution(*part, rate_id, fold))
            moved = pots.contribution(self._pot, self._purse, stake, self._rate)
            self._draft.move(self._purse, *moved)
            self._gathered += stake.units

    def claim(self, claim: Claim) -> int:
        """Answer a claim: from the pot, or with play money from the demonstration pot."""
        if self._pot is None:
            return int(self._sheet.demonstration_pot_cents * claim.share)
        locked = self._draft.state.locked_pot
        if locked is None:
            raise PotNotLocked(self._pot.id)
        invariant(locked.id == self._pot.id, "the claimed pot must be the locked pot")
        # The winner's own contribution is in the pot, because a bet precedes its win.
        self._draft.post(pots.folding(locked, self._gathered, self._purse.at_ms))
        gathered = locked.after_fold(self._gathered, self._purse.at_ms)
        award = pots.award(
            gathered, self._purse, claim.bet, claim.share, self._rate, restarts=claim.restarts
        )
        self._draft.award(self._purse, award)
        return award.paid_cents


def _running(terms: Terms, stopped: Mapping[str, str]) -> Pot:
    """Return the running pot; refuse if there is none, or its switch is off."""
    if terms.pot is None or f"jackpot:{terms.pot.id}" in stopped:
        raise Refused("jackpot/closed")
    return terms.pot
