"""Strategy files: ordered rules in TOML (docs/strategies.md).

    game = "casino-stud"
    name = "ace-king-or-better"

    [[play-or-fold]]
    when = { at_least = "AK" }
    choose = "play"

    [[play-or-fold]]
    choose = "fold"

The conditions of a rule must all hold. The first rule that applies decides.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tapisvert.decoding import convert
from tapisvert.games.registry import GAMES
from tapisvert.odds.vocabulary import Question, Vocabulary, Word, Written
from tapisvert.refusal import Refused
from tapisvert.strategies.faults import never_applies, together
from tapisvert.strategies.file_errors import Fault, invalid, one_of, plain, quoted
from tapisvert.strategies.never_reached import Condition, never_reached

FOLDER = "strategies"  # in a game's folder
ENDING = ".toml"
RULES_MAX = 1000  # of one question


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a published strategy was read."""

    address: str
    read: str  # the day
    note: str = ""


class Published(Struct, frozen=True, forbid_unknown_fields=True):
    """The figures as the source prints them, from the house's side."""

    edge: str = ""  # percent of the first stake
    element_of_risk: str = ""  # percent of all money staked
    loss: int | None = None  # of the player over all deals, in first stakes
    note: str = ""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule: conditions that all hold, and the option it chooses."""

    choose: str
    when: dict[str, Written | list[Written]] = {}


class StrategyFile(Struct, frozen=True, kw_only=True):
    """A strategy: rules by question, in order, and where it comes from."""

    game: str
    name: str
    title: dict[str, str] = {}
    source: Source | None = None
    published: Published | None = None
    sheet: dict[str, Any] = {}  # figures that differ from the shipped sheet, by dotted key
    rules: dict[str, tuple[Rule, ...]]
    file: str = ""  # its name, for messages

    @property
    def length(self) -> int:
        """Return the number of rules with a condition."""
        return sum(bool(rule.when) for rules in self.rules.values() for rule in rules)


def read_file(path: Path) -> StrategyFile:
    """Read a strategy from a file; a refusal names the file, the key and the reason."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        if twice := _TWICE.search(reason):
            reason += f"; rules are a list, so write [[{twice[1]}]] with double brackets"
        raise Refused("strategy/unreadable", file=path.name, reason=reason) from None
    return typed(found, path.name)


def typed(found: Mapping[str, Any], file: str) -> StrategyFile:
    """Return the content of a file as a strategy; words and options are checked by `check`."""
    about = {key: found[key] for key in _ABOUT if key in found}
    try:
        strategy = convert({**about, "rules": {}, "file": file}, StrategyFile)
    except msgspec.ValidationError as error:
        place, reason = plain(error, _KEYS)
        raise invalid(file, [Fault(place or "the top", reason)]) from None
    if strategy.game not in GAMES:
        reason = f"{quoted(strategy.game)} is not a game here; the games are {one_of(GAMES)}"
        raise invalid(file, [Fault("game", reason)])
    faults: list[Fault] = []
    rules = {
        key: tuple(_typed_rules(value, key, faults))
        for key, value in found.items()
        if key not in _ABOUT
    }
    if faults:
        raise invalid(file, faults)
    return msgspec.structs.replace(strategy, rules=rules)


def _typed_rules(written: object, question: str, faults: list[Fault]) -> Iterator[Rule]:
    """Yield the rules of a question; note the mistakes, with question and rule."""
    if not isinstance(written, list | tuple):
        reason = f"it is neither a key of a strategy ({', '.join(_ABOUT)}) nor a list of rules"
        if isinstance(written, dict) and written.keys() & set(Rule.__struct_fields__):
            reason = f"rules are a list, so write [[{question}]] with double brackets"
        faults.append(Fault(question, reason))
        return
    for number, each in enumerate(written, start=1):
        place = f"{question}, rule {number}"
        values = each.get("when") if isinstance(each, dict) else None
        odd = [*_odd(values, place)] if isinstance(values, dict) else []
        faults += odd
        try:
            rule = convert(each, Rule)
        except msgspec.ValidationError as error:
            inside, reason = plain(error, _RULE_KEYS)
            if not odd:
                faults.append(Fault(f"{place}, {inside}" if inside else place, reason))
        else:
            yield rule


def _odd(values: Mapping[str, object], place: str) -> Iterator[Fault]:
    """Yield the conditions whose values have a form that no word accepts."""
    for name, value in values.items():
        try:
            convert(value, Written | list[Written])
        except msgspec.ValidationError as error:
            reason = plain(error, {}).reason.removeprefix("this ")
            yield Fault(place, f"{name} = {quoted(value)} {reason}")


_ABOUT = tuple(name for name in StrategyFile.__struct_fields__ if name not in ("rules", "file"))
_KEYS = {
    "": _ABOUT,
    "source": Source.__struct_fields__,
    "published": Published.__struct_fields__,
}
_RULE_KEYS = {"": Rule.__struct_fields__}
_TWICE = re.compile(r"Cannot declare \('([^']+)',\) twice")


def check(strategy: StrategyFile, vocabulary: Vocabulary) -> None:
    """Refuse questions, words, values and options that the game does not have.

    It also refuses rules that never apply by their conditions alone, before anything is counted.
    """
    faults = []
    for name in strategy.rules:
        if name not in vocabulary.questions:
            known = one_of(vocabulary.questions, name)
            faults.append(Fault(name, f"{strategy.game} has no such question; it asks {known}"))
    for name, question in vocabulary.questions.items():
        rules = strategy.rules.get(name, ())
        if not 0 < len(rules) <= RULES_MAX:
            reason = f"the question needs one to {RULES_MAX} rules and has {len(rules) or 'none'}"
            faults.append(Fault(name, reason))
        for number, rule in enumerate(rules[:RULES_MAX], start=1):
            faults += _wrong_in(rule, f"{name}, rule {number}", question)
    if faults:
        raise invalid(strategy.file or strategy.name, faults)
    never = []
    for name, question in vocabulary.questions.items():
        whens = [_levels(rule, question) for rule in strategy.rules[name]]
        never += [never_applies(name, *each) for each in never_reached(whens)]
    if never:
        raise together(never)


def _wrong_in(rule: Rule, place: str, question: Question) -> Iterator[Fault]:
    """Yield the names in a rule that the question does not have."""
    if rule.choose not in question.options:
        known = one_of(question.options, rule.choose)
        yield Fault(place, f"{quoted(rule.choose)} is not an option; the options are {known}")
    for name, value in rule.when.items():
        if name not in question.words:
            known = one_of(question.words, name)
            yield Fault(place, f"{quoted(name)} is not a word; the words are {known}")
            continue
        try:
            numbers(question.words[name], value)
        except ValueError as error:
            yield Fault(place, f"{name} = {quoted(value)} {error}")


def _levels(rule: Rule, question: Question) -> list[Condition]:
    """Return the conditions of a rule as numbers, each with its text."""
    return [
        Condition(word.column, word.compare, numbers(word, value), f"{name} = {quoted(value)}")
        for name, value in rule.when.items()
        for word in (question.words[name],)
    ]


def numbers(word: Word, value: Written | list[Written]) -> list[int]:
    """Return the numbers of a written value; only some words take a list."""
    if not isinstance(value, list):
        return [word.values.read(value)]
    if not word.lists:
        raise ValueError("must be one value, not a list")
    if not value:
        raise ValueError("must be one value or more")
    found = [word.values.read(each) for each in value]
    if len(set(found)) < len(found):
        raise ValueError("names a value twice")
    return found


def shipped(game: str) -> dict[str, Path]:
    """Return the strategy files that come with a game, by name."""
    folder = GAMES[game].folder / FOLDER
    return {path.stem: path for path in sorted(folder.glob(f"*{ENDING}"))}


def find(game: str, asked: str) -> StrategyFile:
    """Return a shipped strategy by its name, or read a file."""
    known = shipped(game)
    if asked in known:
        return read_file(known[asked])
    path = Path(asked)
    if path.suffix == ENDING or (asked and _exists(path)):
        return read_file(path)
    names = ", ".join(known) or "none"
    raise Refused("strategy/unknown", strategy=asked[:64], known=names)


def _exists(path: Path) -> bool:
    """Tell whether a path exists; a path that the system rejects does not."""
    try:
        return path.exists()
    except OSError:  # the name is too long
        return False
