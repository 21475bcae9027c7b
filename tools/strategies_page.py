"""Writes the figures and words of docs/strategies.md.

    python tools/strategies_page.py [--check] [--quick] [GAME...]

Every shipped strategy is counted over all deals. With `--check` nothing is written; the exit code
is 1 if the page differs. Rows of games that are not named stay as they are; `--quick` counts none.
The short strategies are those of the shipped cards (tools/strategy_cards.py).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from tapisvert.games.registry import SHIPPED
from tapisvert.lab import proof_store
from tapisvert.lab.mathematics import mathematics_of
from tapisvert.odds.figures import write_return
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.vocabulary import Counted, Question, Vocabulary, Word
from tapisvert.sheets import load, with_changes
from tapisvert.strategies import card_store
from tapisvert.strategies.card_store import StrategyCard
from tapisvert.strategies.evaluation import Evaluation, evaluate
from tapisvert.strategies.short import BEAM_SEARCH, EXHAUSTED, PAIRS_EXHAUSTED
from tapisvert.strategies.strategy_file import Published, StrategyFile, read_file, shipped
from tapisvert.words import catalogue

FORMS = {"blackjack": PAIRS_EXHAUSTED}  # what was tried of one rule, where not the usual forms
PAGE = Path(__file__).parents[1] / "docs" / "strategies.md"
OWN = "our own"  # of a file without a source
# What is printed of the best play, which has no rules and so no file; and where it was read.
PERFECT = {
    "casino-stud": (
        Published(edge="5.224", element_of_risk="2.555", loss=1_041_372_912_372),
        "https://toho-talent.com/2022/04/14/caribbean-stud-poker-strategy/",
    )
}


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
            limits = dict.fromkeys(f" {each[0].upper()}{each[1:]}." for each in _limits(question))
            lines += [f"**`{name}`** {question.asks} Options: {options}.{''.join(limits)}", ""]
            lines += ["| word | value | holds if |", "|---|---|---|"]
            lines += [_word(each, word) for each, word in question.words.items()]
            lines.append("")
    return "\n".join(lines)


def _limits(question: Question) -> Iterator[str]:
    """Yield why options are not always allowed, in the order of the options."""
    yield from (question.limits[option] for option in question.options if option in question.limits)


def _word(name: str, word: Word) -> str:
    also = ", or a list" if word.lists else ""
    return f"| `{name}` | {word.values.such_as}{also} | {word.means} |"


def published(game: str) -> str:
    """Return the table of a game's shipped strategies, each counted over all deals."""
    found = sorted(evaluated(game), key=lambda each: (bool(each.strategy.sheet), each.cost))
    rows = [*map(row_of, found)]
    if rows:
        rows.insert(0, best_play(game))
    return table(rows, [each.strategy for each in found])


def table(rows: Sequence[Row], files: Sequence[StrategyFile]) -> str:
    """Return rows as a table, and the notes of the files under it."""
    heads = ["house edge %", "published", "element of risk %", "published"]
    losses = any(row.loss for row in rows)
    heads += ["loss over all deals", "published"] if losses else []
    heads += ["cost %", "rules"]
    lines = [
        f"| strategy | {' | '.join(heads)} | read at |",
        "|---|" + "--:|" * len(heads) + "---|",
    ]
    for row in rows:
        cells = [row.title, row.edge, row.printed.edge, row.risk, row.printed.element_of_risk]
        if losses:
            cells += [row.loss, _whole(row.printed.loss)]
        cells += [row.cost, row.rules, row.read_at]
        lines.append(f"| {' | '.join(cells)} |")
    notes = list(_notes(files))
    return "\n".join([*lines, "", *notes] if notes else lines)


def _notes(files: Sequence[StrategyFile]) -> Iterator[str]:
    """Yield what is said of the sources and figures, with the files of which it is said."""
    said: dict[str, list[str]] = {}
    for file in files:
        for about in (file.source, file.published):
            if about is not None and about.note:
                said.setdefault(about.note, []).append(f"`{file.name}`")
    for note, names in said.items():
        yield f"- {', '.join(names)}: {note}"


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


class Row(NamedTuple):
    """The cells of a strategy."""

    title: str
    printed: Published
    edge: str
    risk: str
    loss: str
    cost: str
    rules: str
    read_at: str


def row_of(found: Evaluation) -> Row:
    """Return the row of an evaluated strategy."""
    file, figure = found.strategy, found.figure
    printed = file.published or Published()
    deals = sum(figure.counts.values()) if printed.loss is not None else 0
    return _row(
        f"{file.title['en']} (`{file.name}`)",
        printed,
        (figure.edge, figure.staked, deals),
        (percent(found.cost, 4), str(file.length)),
        file.source.address if file.source else "",
    )


def best_play(game: str) -> Row:
    """Return the row of the best play, by the shipped proof."""
    mains = (each for each in proof_store.find(load(game)) if each.bet == "main")
    proof = next(each for each in mains if each.strategy == "optimal")
    printed, address = PERFECT.get(game, (Published(), ""))
    deals = sum(proof.counts.values()) if printed.loss is not None else 0
    exact = Fraction(proof.edge), Fraction(proof.staked), deals
    return _row("Best play", printed, exact, (percent(Fraction(0), 4), ""), address, "proved")


def _row(
    title: str,
    printed: Published,
    exact: tuple[Fraction, Fraction, int],  # edge, money staked, deals
    costs: tuple[str, str],
    address: str,
    unread: str = OWN,
) -> Row:
    edge, staked, deals = exact
    return Row(
        title,
        printed,
        percent(-edge, max(4, _digits(printed.edge))),
        percent(-edge / staked, max(4, _digits(printed.element_of_risk))),
        _whole(int(-edge * deals) if deals else None),
        *costs,
        f"[{address.split('/')[2]}]({address})" if address else unread,
    )


def _whole(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


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


def short() -> str:
    """Return the cards of the best short strategies, as shipped."""
    lines: list[str] = []
    for game in SHIPPED:
        found = card_store.find(load(game))
        cards = [each for each in found.cards if each.proved_best is not None] if found else []
        if not cards:
            continue
        lines += [f"### {title(game)}: cards", ""]
        for number, each in sorted((int(each.name.removeprefix("best-")), each) for each in cards):
            rules = "rule" if number == 1 else "rules"
            cost, edge = percent(Fraction(each.cost), 4), percent(-Fraction(each.edge), 4)
            how = FORMS.get(game, EXHAUSTED) if each.proved_best else BEAM_SEARCH
            lines += [f"**{number} {rules}**: costs {cost} %, house edge {edge} %; {how}.", ""]
            lines += _sentences(each)
    return "\n".join(lines)


def _sentences(found: StrategyCard) -> Iterator[str]:
    """Yield the rules of a card; a question that is always answered alike takes one line."""
    for name in dict.fromkeys(rule.question for rule in found.rules):
        rules = [rule for rule in found.rules if rule.question == name]
        asked = found.asks[name]["en"] if found.asks else ""
        if asked and len(rules) == 1:
            yield f"*{asked}*: {rules[0].does['en'].lower()}, always."
            yield ""
            continue
        if asked:
            yield f"*{asked}*"
            yield ""
        for rule in rules:
            yield f"{rule.number}. {rule.does['en']}: {rule.says['en']}."
        yield ""


def written(page: str, games: Sequence[str]) -> str:
    """Return the page with the words, the cards and the rows of these games, of today."""
    page = replaced(page, "words", words())
    for game in games:
        page = replaced(page, game, published(game))
    return replaced(page, "short", short())


def main(arguments: Sequence[str]) -> int:
    """Write the page, or compare with it; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    known = [game for game in SHIPPED if shipped(game)]
    parser.add_argument("games", nargs="*", metavar="GAME", choices=[*known, []])
    parser.add_argument("--quick", action="store_true", help="count no strategy")
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    asked = parser.parse_args(arguments)
    page = PAGE.read_text(encoding="utf-8")
    today = written(page, [] if asked.quick else asked.games or known)
    if asked.check:
        return int(today != page)
    PAGE.write_text(today, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
