"""The list of checks, and the functions that run them on a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from traceback import extract_tb
from typing import NamedTuple

from tapisvert.games.game import Game
from tapisvert.games.registry import GAMES, admit
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.testing import (
    browser_files,
    browser_table,
    clauses,
    descriptor,
    golden,
    hand_order,
    positions,
    proofs_check,
    random_rounds,
    settlement,
    values,
    words_check,
)
from tapisvert.testing.case import ROUNDS, Case, Check, NotRun, project_of
from tapisvert.words import catalogue

CHECKS: dict[str, Check] = {
    "files": descriptor.files_are_there,
    "descriptor": descriptor.descriptor_is_complete,
    "sheet": descriptor.sheet_is_stable,
    "import": descriptor.import_is_light,
    "words-alike": words_check.words_are_alike,
    "words": words_check.words_are_complete,
    "clauses": clauses.clauses_are_cited,
    "golden": golden.golden_rounds_replay,
    "golden-branches": golden.golden_rounds_reach_everything,
    "golden-rows": golden.golden_rounds_pay_every_row,
    "rounds": random_rounds.rounds_end,
    "cards-dealt": descriptor.cards_dealt_as_said,
    "void": random_rounds.rounds_can_be_voided,
    "refusals": random_rounds.answers_are_refused,
    "hidden": random_rounds.hidden_cards_stay_hidden,
    "hand-order": hand_order.hands_are_in_order,
    "bets": descriptor.bets_are_proved,
    "proofs": proofs_check.kept_proofs_hold,
    "price-fields": proofs_check.prices_are_named,
    "prices": proofs_check.prices_are_proved,
    "strategies": proofs_check.strategies_are_whole,
    "settlement": settlement.script_settles_like_the_player,
    "positions": positions.positions_are_accepted,
    "values": values.values_come_to_the_proof,
    "certificate": browser_files.certificate_settles_alike,
    "layout": browser_files.layout_names_everything,
    "rankings": browser_files.rankings_have_words,
    "layout-fits": browser_table.layout_fits,
    "every-value": values.every_value_comes_to_the_proof,
}


class Result(NamedTuple):
    """The findings of a check, or in `not_run` the reason why it was not run."""

    check: str
    findings: tuple[str, ...] = ()
    not_run: str = ""

    @property
    def line(self) -> str:
        """The result as text, one line per finding."""
        if self.not_run:
            return f"NOT RUN  {self.check}: {self.not_run}"
        if self.findings:
            return "\n".join(f"WRONG    {self.check}: {each}" for each in self.findings)
        return f"ok       {self.check}"


def run_check(name: str, case: Case) -> Result:
    """Run one check; prefix every finding with the id of the game."""
    try:
        found = CHECKS[name](case)
    except NotRun as reason:
        return Result(name, not_run=str(reason))
    except Exception as error:  # third-party code may raise anything
        found = [f"the check fails: {told(error, case.game.folder)}"]
    return Result(name, tuple(f"{case.game.id}: {each}" for each in found))


def told(error: Exception, folder: Path) -> str:
    """Return the message of an error in one line, and its place in the game's folder."""
    said = " ".join(str(error).split())
    if type(error) is not ValueError:  # the kit raises ValueError with a full sentence
        said = f"{type(error).__name__}: {said}"
    frames = [each for each in extract_tb(error.__traceback__) if folder in _parents(each.filename)]
    if not frames:
        return said
    place = Path(frames[-1].filename).relative_to(folder).as_posix()
    return f"{said} ({place}, line {frames[-1].lineno})"


def _parents(filename: str) -> Sequence[Path]:
    return Path(filename).parents


def case_of(
    game: str | Game,
    *,
    rounds: int = ROUNDS,
    full: bool = False,
    project: Path | None = None,
    tell: Progress = no_progress,
) -> Case:
    """Return the case of an installed game, even an incomplete one; refuse an unknown id."""
    if isinstance(game, str):
        if game not in GAMES:
            catalogue.cache_clear()  # built without the words of an incomplete game
        game = admit(game)
    return Case(game, rounds, full, project_of(game, project), tell)


def check_game(
    case: Case, names: Sequence[str] = (), hear: Callable[[str], None] = lambda _: None
) -> Iterator[Result]:
    """Run the named checks of a game, or all; call `hear` with each name before it runs."""
    for name in names or CHECKS:
        hear(name)
        yield run_check(name, case)
