"""Writes the figures and words of docs/strategies.md.

    python tools/strategies_page.py [--check] [--cards] [GAME...]

Every shipped strategy is counted over all deals. With `--check` nothing is written; the exit code
is 1 if the page differs. Rows of games that are not named stay as they are.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from tapisvert.games.registry import SHIPPED
from tapisvert.lab.mathematics import mathematics_of
from tapisvert.odds.figures import write_return
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.vocabulary import Counted, Vocabulary, Word
from tapisvert.sheets import load, with_changes
from tapisvert.strategies.card import card
from tapisvert.strategies.evaluation import Evaluation, evaluate
from tapisvert.strategies.short import find_short
from tapisvert.strategies.strategy_file import StrategyFile, read_file, shipped
from tapisvert.words import catalogue

LENGTHS = {"casino-stud": 4, "high-card-flush": 4}  # the most rules of the cards
PAGE = Path(__file__).parents[1] / "docs" / "strategies.md"


def vocabulary_of(game: str) -> Vocabulary | None:
    """Return the vocabulary of a game, if it has one."""
    return mathematics_of(load(game)).vocabulary


def title(game: str) -> str:
    """Return the name of a game."""
    return catalogue("en").write("title", {}, game)


def words() -> str:
    """Return the tables of all vocabularies."""
    lines: list[str] = []
    for game in SHIPPED:
        vocabulary = vocabulary_of(game)
        if vocabulary is None:
            continue
        lines += [f"### {title(game)} (`{game}`)", ""]
        for name, question in vocabulary.questions.items():
            options = ", ".join(f"`{option}`" for option in question.options)
            lines += [f"**`{name}`** {question.asks} Options: {options}.", ""]
            lines += ["| word | value | holds if |", "|---|---|---|"]
            lines += [_word(each, word) for each, word in question.words.items()]
            lines.append("")
    return "\n".join(lines)


def _word(name: str, word: Word) -> str:
    lists = word.compare in ("one of", "holds all", "holds any") and not word.says_not
    return f"| `{name}` | {word.values.such_as}{', or a list' if lists else ''} | {word.means} |"


def published(game: str) -> str:
    """Return the table of a game's shipped strategies, each counted over all deals."""
    heads = "edge %", "published", "element of risk %", "published", "cost %", "rules"
    lines = [
        f"| strategy | {' | '.join(heads)} | read at |",
        "|---|" + "--:|" * len(heads) + "---|",
    ]
    found = sorted(evaluated(game), key=lambda each: (bool(each.strategy.sheet), each.cost))
    return "\n".join([*lines, *map(_row, found)])


def evaluated(game: str) -> Iterator[Evaluation]:
    """Yield every shipped strategy of a game, counted on its sheet."""
    vocabulary = vocabulary_of(game)
    counted: dict[str, Counted] = {}
    for path in shipped(game).values():
        file = read_file(path)
        sheet = with_changes(load(game), dict(file.sheet))
        assert vocabulary is not None
        if sheet.hash not in counted:
            counted[sheet.hash] = vocabulary.count(sheet, no_progress)
        yield evaluate(file, vocabulary, counted[sheet.hash])


def _row(found: Evaluation) -> str:
    file, figure = found.strategy, found.figure
    printed, source = file.published, file.source
    edge = printed.edge if printed else ""
    risk = printed.element_of_risk if printed else ""
    cells = (
        f"{file.title['en']} (`{file.name}`)",
        percent(-figure.edge, max(4, _digits(edge))),
        edge,
        percent(-figure.edge / figure.staked, max(4, _digits(risk))),
        risk,
        percent(found.cost, 4),
        str(file.length),
        _link(file) if source else "",
    )
    return f"| {' | '.join(cells)} |"


def _link(file: StrategyFile) -> str:
    assert file.source is not None
    host = file.source.address.split("/")[2]
    return f"[{host}]({file.source.address})"


def _digits(written: str) -> int:
    return len(written.partition(".")[2])


def percent(value: Fraction, digits: int) -> str:
    """Write a fraction in percent."""
    return write_return(100 * value, digits)


def replaced(page: str, block: str, text: str) -> str:
    """Replace the text between the two marks of a block."""
    marks = re.compile(rf"(<!-- begin {block}: [^>]*-->\n).*?(<!-- end {block} -->)", re.DOTALL)
    assert marks.search(page), f"the page has no block {block}"
    return marks.sub(lambda found: f"{found[1]}\n{text.strip()}\n\n{found[2]}", page)


def short(lengths: dict[str, int]) -> str:
    """Return the cards of the best short strategies of these games."""
    lines: list[str] = []
    for game, most in lengths.items():
        vocabulary = vocabulary_of(game)
        assert vocabulary is not None
        lines += [f"### {title(game)}: cards", ""]
        for each in find_short(load(game), most).found:
            rules = "rule" if each.most == 1 else "rules"
            cost = percent(each.evaluation.cost, 4)
            edge = percent(-each.evaluation.figure.edge, 4)
            lines += [f"**{each.most} {rules}**: costs {cost} %, edge {edge} %; {each.method}.", ""]
            lines += [*card(each.evaluation.strategy, vocabulary), ""]
    return "\n".join(lines)


def written(page: str, games: Sequence[str], lengths: dict[str, int]) -> str:
    """Return the page with the words, the rows of these games and the cards, of today."""
    page = replaced(page, "words", words())
    for game in games:
        page = replaced(page, game, published(game))
    return replaced(page, "short", short(lengths)) if lengths else page


def main(arguments: Sequence[str]) -> int:
    """Write the page, or compare with it; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    known = [game for game in SHIPPED if shipped(game)]
    parser.add_argument("games", nargs="*", metavar="GAME", choices=[*known, []])
    parser.add_argument("--cards", action="store_true", help="search short strategies too")
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    asked = parser.parse_args(arguments)
    page = PAGE.read_text(encoding="utf-8")
    today = written(page, asked.games or known, LENGTHS if asked.cards else {})
    if asked.check:
        return int(today != page)
    PAGE.write_text(today, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
