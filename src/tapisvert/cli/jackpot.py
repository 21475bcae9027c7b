"""`tapis jackpot`: the progressive jackpot of a game, opened, shown and changed."""

from __future__ import annotations

from typing import Annotated

import typer

from tapisvert.cli.cashier import cents
from tapisvert.cli.operator import DEFAULT, Database, Reason, SeedKey, act
from tapisvert.games.registry import OFFERED
from tapisvert.sheets import load


class OnlyPot:
    """Default of the options below: the offered game that has a pot, looked up when needed."""

    def __call__(self) -> str:
        """Return its id; of several games, or of none, the caller must name one."""
        games = self._games()
        if len(games) != 1:
            raise typer.BadParameter("name the game")
        return games[0]

    def __str__(self) -> str:
        """Return what help shows."""
        return ", ".join(self._games())

    def _games(self) -> list[str]:
        return [game for game in OFFERED if load(game).jackpot]


_HELP = "The game whose bets feed it."
Game = Annotated[str, typer.Argument(help=_HELP, default_factory=OnlyPot())]
OfGame = Annotated[str, typer.Option(help=_HELP, default_factory=OnlyPot())]

jackpot = typer.Typer(help="The progressive jackpot.", no_args_is_help=True)


@jackpot.command("open")
def open_jackpot(
    currency: Annotated[str, typer.Option(help="Yours, in three capitals: the jackpot's too.")],
    game: Game,
    database: Database = DEFAULT,
    seed_key: SeedKey = None,
) -> None:
    """Open a game's jackpot at its starting value; from then on its bet is taken with real money.

    Example: `tapis jackpot open blackjack --currency CAD`
    """
    act(database, seed_key, lambda operator, tx: operator.open_jackpot(tx, game, currency))


@jackpot.command("show")
def show(database: Database = DEFAULT, seed_key: SeedKey = None) -> None:
    """Show every jackpot: what was put in, paid, is held and shown, and the difference, 0.

    Example: `tapis jackpot show`
    """
    act(database, seed_key, lambda operator, tx: operator.jackpots(tx))


@jackpot.command("set")
def change(
    reason: Reason,
    reset: Annotated[
        str | None, typer.Option(help="Where the next one starts, such as 25000 or 12500.50.")
    ] = None,
    contribution: Annotated[
        str | None, typer.Option(help="What it gets of every stake, in percent: 20.30843.")
    ] = None,
    *,
    game: OfGame,
    database: Database = DEFAULT,
    seed_key: SeedKey = None,
) -> None:
    """Change the figures of the next jackpot; this one goes on by its own until it is won.

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
    value: Annotated[str, typer.Argument(metavar="RATE", help="One of it in the jackpot's.")],
    game: OfGame,
    database: Database = DEFAULT,
    seed_key: SeedKey = None,
) -> None:
    """Set what one unit of another currency is in the jackpot's, from now on.

    Example: `tapis jackpot rate EUR 1.4700`
    """
    act(database, seed_key, lambda operator, tx: operator.set_rate(tx, game, currency, value))
