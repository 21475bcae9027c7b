"""The progressive jackpot: bets, wins, folds and operators' commands.

All players have real money. The pot is open and funded, and one contribution waits for a fold, so a
win gathers more than its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from crash.office_scenes import WHY, Prepare, Work, _operating
from crash.stage import KEY, PATIENCE_S, Give, Repeat, Scene
from rounds.house_with_operator import Funded, act
from rounds.house_with_pot import GAME, HANDS, STAKES, dealt
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import PlayerService

FED = "nothing"


def scenes() -> Iterator[Scene]:
    """Yield every command that affects a pot."""
    for hand in ("nothing", "flush", "straight-flush", "royal-flush"):
        yield _at_the_pot(f"open, {hand}", "PlayerService.open", _open(hand), hand)
    for hand in ("nothing", "royal-flush"):
        name = f"open in another currency, {hand}"
        yield _at_the_pot(name, "PlayerService.open", _open(hand, "EUR", 68), hand)
    yield _at_the_pot(
        "open refused, it is closed", "PlayerService.open", _open(FED, stopped=True), FED
    )
    for currency, cents in (("CAD", 100), ("EUR", 68)):
        name = f"void an award of {currency}"
        yield _at_the_pot(name, "OperatorCommands.void", _void(currency, cents), "royal-flush")
    yield Scene("jackpot: open", "OperatorCommands.open_jackpot", _office(_opened, pot=False))
    yield Scene("jackpot: set", "OperatorCommands.set_jackpot", _office(_changed))
    yield Scene("jackpot: rate", "OperatorCommands.set_rate", _office(_rated))
    yield _at_the_pot("stop", "OperatorCommands.stop", _office(_stopped), FED)
    yield _at_the_pot("resume", "OperatorCommands.resume", _office(_resumed, stopped=True), FED)
    yield _at_the_pot("fold", "Housekeeping.fold", _fold, FED, Repeat.ANOTHER)


def _at_the_pot(
    name: str, command: str, prepare: Prepare, hand: str, repeat: Repeat = Repeat.SAME
) -> Scene:
    return Scene(f"jackpot: {name}", command, prepare, repeat, cards={GAME: HANDS[hand]})


def _pot(house: PlayerService, *, fed: bool = True) -> None:
    """Open the pot and feed it twice: one contribution is gathered, the other waits."""
    act(house, lambda operator: operator.open_jackpot(GAME, "CAD"))
    act(house, lambda operator: operator.set_rate(GAME, "EUR", "1.4700"))
    for _ in range(2 * fed):
        Housekeeping(house, lambda: 0).fold()
        dealt(Funded(house), FED)  # whatever the cards are


def _open(hand: str, currency: str = "CAD", cents: int = 100, *, stopped: bool = False) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        _pot(house)
        player = Funded(house, 100_000, currency)
        asked = player.asking({**STAKES, "royal": cents}, GAME, client_seed=hand)
        if stopped:
            act(house, lambda operator: operator.stop(f"jackpot:{GAME}", WHY))
        return lambda house: house.open(player.token, KEY, asked).result(PATIENCE_S)

    return prepare


def _void(currency: str, cents: int) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        _pot(house, fed=False)
        player = Funded(house, 100_000, currency)
        round_id = dealt(player, "royal-flush", cents).round.id
        return _operating(house, ["void", round_id], lambda operator: operator.void(round_id, WHY))

    return prepare


def _office(work: Work, *, pot: bool = True, stopped: bool = False) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        if pot:
            _pot(house)
        if stopped:
            act(house, lambda operator: operator.stop(f"jackpot:{GAME}", WHY))
        return _operating(house, ["jackpot"], work)

    return prepare


_opened: Work = lambda operator: operator.open_jackpot(GAME, "CAD")  # noqa: E731
_changed: Work = lambda operator: operator.set_jackpot(  # noqa: E731
    GAME, reset_cents=3_000_000, contribution="25", reason=WHY
)
_rated: Work = lambda operator: operator.set_rate(GAME, "EUR", "1.5")  # noqa: E731
_stopped: Work = lambda operator: operator.stop(f"jackpot:{GAME}", WHY)  # noqa: E731
_resumed: Work = lambda operator: operator.resume(f"jackpot:{GAME}", WHY)  # noqa: E731


def _fold(house: PlayerService) -> Give:
    """Fold; a repeat only updates the time."""
    _pot(house)
    return lambda house: Housekeeping(house, lambda: 0).fold()
