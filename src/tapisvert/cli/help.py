"""Commands and groups of click whose help is drawn in panels; only drawing help imports rich."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_NAME = "bold cyan"
_METAVAR = "yellow"
_ADDED = re.compile(r"\s+(\[[^\]]*\])$")  # `[default: 8000]`, which click adds
_INTERRUPTED = 130  # 128 plus the number of SIGINT, the convention of shells


class Page(click.HelpFormatter):
    """Draws a help page: the usage, the text, and a panel for each section."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        super().__init__(indent_increment, width, max_width)
        self._parts: list[RenderableType] = []
        self._section = ""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Add the usage."""
        from rich.text import Text

        self._parts.append(Text.assemble(prefix or "Usage: ", (prog, "bold"), f" {args}"))

    def write_text(self, text: str) -> None:
        """Add paragraphs, each between empty lines."""
        for paragraph in text.split("\n\n"):
            self._parts += ["", _with_code(paragraph.replace("\n", " "))]
        self._parts.append("")

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Name the panel of the list that is written next."""
        self._section = name
        yield

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Add a panel: names at the left, what they mean at the right."""
        from rich.panel import Panel
        from rich.table import Table

        table = Table.grid(padding=(0, col_spacing), expand=True)
        table.add_column(overflow="fold")
        table.add_column(ratio=1)
        for name, meaning in rows:
            table.add_row(_highlighted(name), _with_code(meaning))
        self._parts.append(
            Panel(table, title=self._section, title_align="left", border_style="dim")
        )

    def getvalue(self) -> str:
        """Return the page, with colours if standard output is a terminal."""
        from rich.console import Console

        console = Console(highlight=False, markup=False)
        with console.capture() as drawn:
            for part in self._parts:
                console.print(part)
        return drawn.get().rstrip("\n")


def _highlighted(name: str) -> Text:
    """Return `--port INTEGER`, `GAME` or `serve` in colours."""
    from rich.text import Text

    if not name.startswith("-"):
        return Text(name, _NAME)
    shown = Text(name, _METAVAR)
    shown.highlight_regex(r"(?<!\S)--?[\w-]+", _NAME)
    return shown


def _with_code(written: str) -> Text:
    """Return a text with its `code` in colour; what click adds is dim, on a line of its own."""
    from rich.text import Text

    shown = Text()
    for place, part in enumerate(_ADDED.sub(r"\n\1", written).split("`")):
        shown.append(part, _NAME if place % 2 else None)
    shown.highlight_regex(_ADDED, "dim")
    return shown


class Context(click.Context):
    """A context whose help is a `Page`."""

    formatter_class = Page


class Command(click.Command):
    """A command whose help is a `Page`."""

    context_class = Context


class Group(click.Group):
    """A group whose help is a `Page` with the whole first paragraph of every command."""

    context_class = Context
    command_class = Command
    group_class = type

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands; click would cut their help to one line."""
        rows = [
            (name, inspect.cleandoc(each.help or "").partition("\n\n")[0].replace("\n", " "))
            for name, each in self.commands.items()
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of their registration; click sorts them."""
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Print help on standard output if a command is missing."""
        if not args and self.no_args_is_help:
            click.echo(ctx.get_help())
            sys.exit(2)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C ends it silently, with the exit code that shells expect."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.exit(_INTERRUPTED)


def command(name: str | None = None) -> Callable[[Callable[..., None]], Command]:
    """Make a command of a function; its docstring is the help."""
    return click.command(name, cls=Command)
