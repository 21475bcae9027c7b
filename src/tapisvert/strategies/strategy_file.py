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

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tapisvert.games.registry import GAMES
from tapisvert.odds.vocabulary import Question, Vocabulary, Word, Written
from tapisvert.refusal import Refused

FOLDER = "strategies"  # in a game's folder
ENDING = ".toml"
RULES_MAX = 1000  # of one question


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a published strategy was read."""

    address: str
    read: str  # the day
    note: str = ""


class Published(Struct, frozen=True, forbid_unknown_fields=True):
    """What the source prints, as it prints it; the house's side."""

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
        raise Refused("strategy/unreadable", file=path.name, reason=reason) from None
    return typed(found, path.name)


def typed(found: Mapping[str, Any], file: str) -> StrategyFile:
    """Return the content of a file as a strategy; words and options are checked by `check`."""
    about = {key: found[key] for key in _ABOUT if key in found}
    try:
        strategy = msgspec.convert({**about, "rules": {}}, StrategyFile)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        key = path.rstrip("`").removeprefix(".") or "file"
        raise Refused("strategy/invalid", file=file, key=key, reason=reason) from None
    if strategy.game not in GAMES:
        known = ", ".join(GAMES)
        raise Refused("strategy/invalid", file=file, key="game", reason=f"must be one of {known}")
    rules = {
        key: _typed_rules(value, key, file) for key, value in found.items() if key not in _ABOUT
    }
    return msgspec.structs.replace(strategy, rules=rules)


def _typed_rules(written: object, question: str, file: str) -> tuple[Rule, ...]:
    """Return the rules of a question; a refusal names the question and the rule."""
    if not isinstance(written, list | tuple):
        reason = "is neither a key of a strategy nor a list of rules"
        raise Refused("strategy/invalid", file=file, key=question, reason=reason)
    rules = []
    for number, each in enumerate(written, start=1):
        try:
            rules.append(msgspec.convert(each, Rule))
        except msgspec.ValidationError as error:
            reason, _, path = str(error).partition(" - at `$.")
            place = path.rstrip("`").removesuffix("[...]")
            key = f"{question}, rule {number}" + (f", {place}" if place else "")
            raise Refused("strategy/invalid", file=file, key=key, reason=reason) from None
    return tuple(rules)


_ABOUT = tuple(name for name in StrategyFile.__struct_fields__ if name != "rules")


def check(strategy: StrategyFile, vocabulary: Vocabulary) -> None:
    """Refuse questions, words, values and options that the game does not have."""
    for name in strategy.rules:
        if name not in vocabulary.questions:
            known = ", ".join(vocabulary.questions)
            raise wrong(strategy, name, f"is no question of this game; it asks {known}")
    for name, question in vocabulary.questions.items():
        rules = strategy.rules.get(name, ())
        if not 0 < len(rules) <= RULES_MAX:
            raise wrong(strategy, name, f"needs one to {RULES_MAX} rules")
        for number, rule in enumerate(rules, start=1):
            _check_rule(strategy, f"{name}, rule {number}", rule, question)


def _check_rule(strategy: StrategyFile, place: str, rule: Rule, question: Question) -> None:
    if rule.choose not in question.options:
        known = ", ".join(question.options)
        raise wrong(strategy, place, f"chooses {rule.choose!r}; the options are {known}")
    for name, value in rule.when.items():
        if name not in question.words:
            known = ", ".join(question.words)
            raise wrong(strategy, place, f"has no word {name!r}; the words are {known}")
        try:
            numbers(question.words[name], value)
        except ValueError as error:
            raise wrong(strategy, place, f"{name} {error}") from None


def numbers(word: Word, value: Written | list[Written]) -> list[int]:
    """Return the numbers of a written value; only some words take a list."""
    if not isinstance(value, list):
        return [word.values.read(value)]
    if word.compare not in ("one of", "holds all", "holds any") or not value:
        raise ValueError("takes one value")
    found = [word.values.read(each) for each in value]
    if len(set(found)) < len(found):
        raise ValueError("names a value twice")
    return found


def wrong(strategy: StrategyFile, key: str, reason: str) -> Refused:
    """Return the refusal of a strategy that does not fit its game."""
    return Refused("strategy/invalid", file=strategy.name, key=key, reason=reason)


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
    """Tell whether a path exists; one that the system cannot look up does not."""
    try:
        return path.exists()
    except OSError:  # the name is too long
        return False
