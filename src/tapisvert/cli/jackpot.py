"""`tapis jackpot`: open, show and change the progressive jackpot of a game."""

from __future__ import annotations

from typing import Annotated

import typer

from tapisvert.cli.cashier import cents
from tapisvert.cli.operator import DEFAULT, Database, Reason, SeedKey, act
from tapisvert.games.registry import OFFERED
from tapisvert.sheets import load


class OnlyPot:
    """Default of the game options: the only offered game with a jackpot, looked up when used."""

    def __call__(self) -> str:
        """Return the id of the game; refuse unless there is exactly one."""
        games = self._games()
        if len(games) != 1:
            raise typer.BadParameter("name the game")
        return games[0]

    def __str__(self) -> str:
        """Return the default as help shows it."""
        return ", ".join(self._games())

    def _games(self) -> list[str]:
        return [game for game in OFFERED if load(game).jackpot]


_HELP = "The game whose bets feed the jackpot."
Game = Annotated[str, typer.Argument(help=_HELP, default_factory=OnlyPot())]
OfGame = Annotated[str, typer.Option(help=_HELP, default_factory=OnlyPot())]

jackpot = typer.Typer(help="The progressive jackpot.", no_args_is_help=True)


@jackpot.command("open")
def open_jackpot(
    currency: Annotated[str, typer.Option(help="The currency of house and jackpot, such as CAD.")],
    game: Game,
    database: Database = DEFAULT,
    seed_key: SeedKey = None,
) -> None:
    """Open a game's jackpot at its starting value; real-money bets on it are then accepted.

    Example: `tapis jackpot open blackjack --currency CAD`
    """
    act(database, seed_key, lambda operator, tx: operator.open_jackpot(tx, game, currency))


@jackpot.command("show")
def show(database: Database = DEFAULT, seed_key: SeedKey = None) -> None:
    """Show every jackpot: paid in, paid out, held, displayed, and the difference, which must be 0.

    Example: `tapis jackpot show`
    """
    act(database, seed_key, lambda operator, tx: operator.jackpots(tx))


@jackpot.command("set")
def change(
    reason: Reason,
    reset: Annotated[
        str | None, typer.Option(help="Starting value of the next jackpot, such as 12500.50.")
    ] = None,
    contribution: Annotated[
        str | None, typer.Option(help="Share of every stake, in percent, such as 20.30843.")
    ] = None,
    *,
    game: OfGame,
    database: Database = DEFAULT,
    seed_key: SeedKey = None,
) -> None:
    """Change the figures of the next jackpot; the current one keeps its own until it is won.

    Example: `tapis jackpot set --contribution 22.5 --reason "new licence"`
    """
    if reset is None and contribution is None:
        raise typer.BadParameter("give --reset, --contribution or both")
    start = None if reset is None else cents(reset)
    act(
        database,
        seed_key,
        lambda operator, tx: operator.set_jackpot(
            tx, game, reset_cents=start, contribution=contribution, reason=reason
        ),
    )


@jackpot.command("rate")
def rate(
    currency: Annotated[str, typer.Argument(help="The players' currency, such as EUR.")],
    value: Annotated[str, typer.Argument(metavar="RATE", help="The rate, such as 1.4700.")],
    game: OfGame,
    database: Database = DEFAULT,
    seed_key: SeedKey = None,
) -> None:
    """Set the exchange rate from another currency to the jackpot's, from now on.

    Example: `tapis jackpot rate EUR 1.4700`
    """
    act(database, seed_key, lambda operator, tx: operator.set_rate(tx, game, currency, value))
