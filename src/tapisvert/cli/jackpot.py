"""`tapis jackpot`: open, show and change the progressive jackpot of a game."""

from __future__ import annotations

from pathlib import Path

import click

from tapisvert.cli import options
from tapisvert.cli.cashier import cents
from tapisvert.cli.help import Group
from tapisvert.cli.operator import act
from tapisvert.cli.operator import show as show_answer


class OnlyPot:
    """Default of the game options: the only offered game with a jackpot, looked up when used."""

    def __call__(self) -> str:
        """Return the id of the game; refuse unless there is exactly one."""
        games = self._games()
        if len(games) != 1:
            raise click.BadParameter("name the game")
        return games[0]

    def __str__(self) -> str:
        """Return the default as help shows it."""
        return ", ".join(self._games())

    def _games(self) -> list[str]:
        from tapisvert.games.registry import OFFERED
        from tapisvert.sheets import load

        return [game for game in OFFERED if load(game).jackpot]


class GameArgument(click.Argument):
    """An argument whose help shows its default, like that of an option."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return the name, and the help with the default."""
        name, told = super().get_help_record(ctx)
        return name, f"{told}  [default: {self.get_default(ctx, call=False)}]"


_HELP = "The game whose bets feed the jackpot."
_of_game = click.option("--game", default=OnlyPot(), help=_HELP)


@click.group(cls=Group, no_args_is_help=True)
def jackpot() -> None:
    """The progressive jackpot."""


@jackpot.command("open")
@click.argument("game", cls=GameArgument, default=OnlyPot(), help=_HELP)
@click.option("--currency", required=True, help="The currency of house and jackpot, such as CAD.")
@options.at_database
def open_jackpot(currency: str, game: str, database: str, seed_key: Path | None) -> None:
    """Open a game's jackpot at its starting value; real-money bets on it are then accepted.

    Example: `tapis jackpot open blackjack --currency CAD`
    """
    act(database, seed_key, lambda operator: operator.open_jackpot(game, currency))


@jackpot.command("show")
@options.at_database
def show(database: str, seed_key: Path | None) -> None:
    """Show every jackpot: paid in, paid out, held, displayed, and the difference, which must be 0.

    Example: `tapis jackpot show`
    """
    show_answer(database, seed_key, lambda operator: operator.jackpots())


@jackpot.command("set")
@options.reason
@click.option("--reset", help="Starting value of the next jackpot, such as 12500.50.")
@click.option("--contribution", help="Share of every stake, in percent, such as 20.30843.")
@_of_game
@options.at_database
def change(
    reason: str,
    reset: str | None,
    contribution: str | None,
    game: str,
    database: str,
    seed_key: Path | None,
) -> None:
    """Change the figures of the next jackpot; the current one keeps its own until it is won.

    Example: `tapis jackpot set --contribution 22.5 --reason "new licence"`
    """
    if reset is None and contribution is None:
        raise click.BadParameter("give --reset, --contribution or both")
    start = None if reset is None else cents(reset)
    act(
        database,
        seed_key,
        lambda operator: operator.set_jackpot(
            game, reset_cents=start, contribution=contribution, reason=reason
        ),
    )


@jackpot.command("rate")
@click.argument("currency", help="The players' currency, such as EUR.")
@click.argument("value", metavar="RATE", help="The rate, such as 1.4700.")
@_of_game
@options.at_database
def rate(currency: str, value: str, game: str, database: str, seed_key: Path | None) -> None:
    """Set the exchange rate from another currency to the jackpot's, from now on.

    Example: `tapis jackpot rate EUR 1.4700`
    """
    act(database, seed_key, lambda operator: operator.set_rate(game, currency, value))
