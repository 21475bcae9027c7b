"""`tapis prove`: count every deal and print the exact figures of each bet."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from tapisvert.cli.cluster import HERE, Where, connected
from tapisvert.cli.folders import write_report, writing_to
from tapisvert.cli.progress import columns_with_rate
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.extras import need
from tapisvert.games.registry import OFFERED, known
from tapisvert.lab import bankroll_store, proof_store
from tapisvert.lab.cluster import Cluster
from tapisvert.lab.proof_store import StoredProof
from tapisvert.odds.figures import write_return
from tapisvert.refusal import Refused
from tapisvert.sheets import load, load_file
from tapisvert.words import LANGUAGES


class Proved(msgspec.Struct, frozen=True):
    """The `--json` output for one game."""

    game: str
    sheet_hash: str
    seconds: float
    bets: list[StoredProof]


def sheets_asked(games: Sequence[str], file: Path | None, changes: Sequence[str]) -> list[Sheet]:
    """Return the sheets to prove; refuse options that contradict each other."""
    for game in games:
        known(game)
    if file is not None:
        sheet = load_file(file)
        if games and list(games) != [sheet.game]:
            raise Refused("prove/contradiction", reason=f"the sheet is one of {sheet.game}")
        asked = [sheet]
    else:
        asked = [load(game) for game in (games or OFFERED)]
    if not changes:
        return asked
    if len(asked) != 1:
        raise Refused("prove/contradiction", reason="--set changes one game: name it")
    read = dict(map(_change, changes))
    if len(read) != len(changes):
        raise Refused("prove/contradiction", reason="--set names a key twice")
    return [with_changes(asked[0], read)]


def _change(written: str) -> tuple[str, Any]:
    """Parse `key=value`; a value that is not JSON is a string.

    >>> _change("play.pays.flush=6:1"), _change('house.qualifies_with=["A"]')
    (('play.pays.flush', '6:1'), ('house.qualifies_with', ['A']))
    """
    readable = written.encode(errors="replace").decode()  # undecodable bytes became surrogates
    key, equals, value = readable.partition("=")
    if not equals:
        raise Refused("prove/contradiction", reason=f"expected key=value, got {readable[:64]!r}")
    try:
        return key, msgspec.json.decode(value.encode())
    except (msgspec.DecodeError, RecursionError):
        return key, value


def proved(
    asked: Sequence[Sheet], console: Console, folder: Path | None, where: Where = HERE
) -> Iterator[Proved]:
    """Prove each sheet, with a progress bar; store those that are not shipped, if asked to."""
    from tapisvert.library.proving import bankrolls_of

    with connected(where) as cluster:
        if cluster is None:
            found = _counted(asked, console)
        else:
            found = _on(cluster, asked, console, folder)
        for sheet, (seconds, written) in zip(asked, found, strict=True):
            shipped = proof_store.find(sheet)
            whole = all(proof in shipped for proof in written) and bankroll_store.find(sheet)
            if folder is not None and not whole:
                tables = bankrolls_of(sheet, written)
                with writing_to(folder):
                    proof_store.keep(folder, sheet, written)
                    bankroll_store.keep(folder, sheet, tables)
            yield Proved(sheet.game, sheet.hash, round(seconds, 3), written)


def _on(
    cluster: Cluster, asked: Sequence[Sheet], console: Console, folder: Path | None
) -> Iterator[tuple[float, list[StoredProof]]]:
    """Prove the sheets on a cluster, one worker each; yield them in order.

    What an earlier command finished is read from the folder. The seconds are the worker's.
    """
    from tapisvert.lab.cluster_jobs import prove_on
    from tapisvert.lab.finished_proofs import FinishedProofs

    finished = None if folder is None else FinishedProofs(folder, asked)
    columns, hidden = columns_with_rate("sheets"), not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        task = bars.add_task("sheets", total=len(asked))
        for proof in prove_on(cluster, asked, finished):
            bars.advance(task)
            yield proof
    if finished is not None:
        finished.remove()


def _counted(asked: Sequence[Sheet], console: Console) -> Iterator[tuple[float, list[StoredProof]]]:
    """Prove the sheets here, one after the other."""
    from tapisvert.library.proving import counted

    columns = (TextColumn("{task.description:16}"), BarColumn(), TimeElapsedColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        for sheet in asked:
            task = bars.add_task(sheet.game, total=1.0)
            started = time.perf_counter()
            found = counted(sheet, partial(_tell, bars, task))
            seconds = time.perf_counter() - started
            bars.remove_task(task)
            yield seconds, found


def reported(asked: Sequence[Sheet], found: Iterable[Proved], folder: Path) -> Iterator[Proved]:
    """Write the par sheets of each game, as pages, as JSON and as workbooks."""
    need("prove")
    from tapisvert.library.proving import proof_of

    for sheet, each in zip(asked, found, strict=True):
        proof, name = proof_of(sheet, each.bets), f"{sheet.game}-par"
        files = {f"{name}.json": proof.par_json()}
        for language in LANGUAGES:
            files[f"{name}-{language}.html"] = proof.page(language).encode()
            # The English workbook had its name before there was a French one.
            end = "" if language == "en" else f"-{language}"
            files[f"{name}{end}.xlsx"] = proof.workbook(language)
        write_report(folder, files)
        yield each


def _tell(bars: Progress, task: TaskID, done: float) -> None:
    bars.update(task, completed=done)


def table(sheet: Sheet, found: Proved) -> Table:
    """Return a game's figures as a table."""
    shown = Table(
        title=f"{found.game}   sheet {found.sheet_hash[:12]}   {found.seconds:.1f} s",
        caption="net, staked and deviation per first stake; return per money staked; all exact",
        title_justify="left",
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    for heading in ("bet", "strategy"):
        shown.add_column(heading, no_wrap=True)
    for heading in ("net %", "staked", "return %", "printed", "deviation", "wins %"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for proof in found.bets:
        first = proof.strategy in ("optimal", "house-way", "none")
        shown.add_row(
            proof.bet,
            proof.strategy,
            _percent(proof.edge, 4),
            write_return(Fraction(proof.staked), 4),
            _percent(proof.returned, 6),
            sheet.published.get(proof.bet, "") if first else "",
            f"{float(Fraction(proof.variance)) ** 0.5:.3f}",
            _percent(proof.hit, 2),
        )
    return shown


def _percent(written: str, digits: int) -> str:
    return write_return(100 * Fraction(written), digits)
