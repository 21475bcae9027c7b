"""`tapis sweep`: exact proofs over a grid of sheets, as a Parquet file."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tapisvert.cli import options
from tapisvert.cli.cluster import Where, connected, on_cluster
from tapisvert.cli.help import command

if TYPE_CHECKING:
    from tapisvert.engine.sheet import Sheet
    from tapisvert.library import Rows, SweptFigure


@command()
@options.game
@click.option(
    "--vary",
    multiple=True,
    required=True,
    metavar="KEY=LOW:HIGH[:STEP]",
    help="Values of a key, or KEY=[...] in JSON. Repeat the option to vary several keys.",
)
@click.option(
    "--out", type=options.PATH, required=True, metavar="FILE.parquet", help="File to write."
)
@click.option(
    "--sheet", type=options.PATH, help="Vary this sheet (TOML) instead of the shipped one."
)
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a figure of every sheet; repeatable.",
)
@on_cluster
def sweep(
    game: str,
    vary: tuple[str, ...],
    out: Path,
    sheet: Path | None,
    changes: tuple[str, ...],
    cluster: str | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> None:
    """Prove every sheet of a grid exactly. After Ctrl-C the same command resumes.

    Example: `tapis sweep casino-stud --vary play.pays.flush=4:8 --vary
    play.pays.full-house=6:9:1/2 --out stud.parquet`
    """
    from tapisvert.cli.prove import sheets_asked
    from tapisvert.extras import need

    need("prove")
    need("lab")
    (asked,) = sheets_asked([game], sheet, changes)
    started = time.perf_counter()
    found = swept(asked, vary, out, Where(cluster, tls_ca, tls_cert, tls_key))
    seconds = time.perf_counter() - started
    sheets = len({each.sheet_hash for each in found})
    print(f"{out}: {sheets:,} sheets, {len(found):,} figures  ({seconds:.1f} s)")


def swept(sheet: Sheet, vary: Sequence[str], out: Path, where: Where) -> Rows[SweptFigure]:
    """Prove the sheets of a grid, with a progress bar; after Ctrl-C print how to resume."""
    from rich.console import Console
    from rich.progress import Progress

    from tapisvert import library
    from tapisvert.cli.folders import must_be_writable
    from tapisvert.cli.progress import columns_with_rate
    from tapisvert.lab.sweep import read_values
    from tapisvert.refusal import Refused

    values = dict(read_values(sheet, each) for each in vary)
    if len(values) != len(vary):
        raise Refused("sweep/vary", vary=vary[-1], reason="a key is varied twice")
    must_be_writable(out.parent)
    console = Console(stderr=True)
    columns, hidden = columns_with_rate("sheets"), not console.is_terminal
    bars = Progress(*columns, console=console, transient=True, disable=hidden)
    with connected(where) as cluster, bars:
        sheets = prod(map(len, values.values()))
        task = bars.add_task(sheet.game, total=sheets)

        def tell(done: float) -> None:
            bars.update(task, completed=round(sheets * done))

        try:
            return library.sweep(sheet, values, out=out, cluster=cluster, progress=tell)
        except KeyboardInterrupt:
            print("Stopped; run the same command to resume.", file=sys.stderr)
            raise
