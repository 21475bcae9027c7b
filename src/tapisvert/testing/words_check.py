"""Checks of a game's words: complete in both languages, for all it can say or show."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from string import ascii_uppercase
from typing import Any

import msgspec

from tapisvert.engine import AnyEvent
from tapisvert.engine import events as ev
from tapisvert.engine.sheet_file import keys
from tapisvert.lab import chart_store
from tapisvert.testing.case import Case
from tapisvert.testing.golden import goldens
from tapisvert.testing.random_rounds import rounds_of
from tapisvert.words import LANGUAGES, Catalogue, catalogue, tell
from tapisvert.words.catalogue import NoWords, places

_ALWAYS = ("title", "about", "felt", "help.1", "glossary.1.term", "returns.note")
_PLACE = re.compile(r"\{[^{}:]+(?::[^{}]+)?\}")


class Said:
    """Collects from events the keys a game needs words for, and the events without a sentence.

    One event of each shape is written in both languages, which covers its placeholders and forms.
    """

    def __init__(self, game: str) -> None:
        self.game = game
        self.words = {language: catalogue(language) for language in LANGUAGES}
        self.keys: set[str] = set()
        self.asked_together: set[frozenset[str]] = set()
        self.untold: dict[str, str] = {}
        self._shapes: set[tuple[Any, ...]] = set()

    def hear(self, event: AnyEvent) -> None:
        """Collect the keys of an event; try its sentence."""
        shape = _shape(event)
        if shape in self._shapes:
            return
        self._shapes.add(shape)
        self.keys |= set(_keys(event))
        if isinstance(event, ev.Asked):
            self.asked_together.add(frozenset(o.id for o in event.options if " " not in o.id))
        for language, words in self.words.items():
            if wrong := _untold(words, self.game, event):
                self.untold[f"{language} {shape}"] = f"words/{language}.toml {wrong}"


def _untold(words: Catalogue, game: str, event: AnyEvent) -> str:
    """Return why an event has no valid sentence; empty if it has one."""
    kind = msgspec.to_builtins(event)["kind"]
    try:
        sentence = tell(words, game, event)
    except NoWords as error:
        return f"has no {error.key!r}"
    except KeyError as error:
        return f"tells '{kind}' with {{{error.args[0]}}}, which the event has not: {event}"
    except (ValueError, TypeError, IndexError) as error:
        return f"cannot tell '{kind}': {error}: {event}"
    if "{" in sentence or "None" in sentence:
        return f"tells '{kind}' by what is not a sentence: {sentence!r}"
    return ""


def _shape(event: AnyEvent) -> tuple[Any, ...]:
    kind = msgspec.to_builtins(event)["kind"] if not isinstance(event, ev.Asked) else "asked"
    match event:
        case ev.Dealt(zone=zone, cards=cards):
            return kind, zone, None in cards
        case ev.Revealed(zone=zone):
            return kind, zone
        case ev.Moved(to=to):
            return kind, to
        case ev.Named(zone=zone, hand=hand):
            return kind, zone, hand.category, len(hand.ranks), len(hand.joker or "")
        case ev.Asked(key=key, hand=hand_asked, options=options):
            ids = tuple((o.id if " " not in o.id else "", o.why_not, o.bet) for o in options)
            return kind, key, hand_asked, frozenset(ids)
        case ev.Chose(option=option):
            return kind, option if " " not in option else " "
        case ev.Said(key=key):
            return kind, key
        case ev.Settled(bet=bet, outcome=outcome, why=why, row=row):
            return kind, bet, outcome, why, row, bool(event.odds), event.capped
        case ev.Staked(bet=bet) | ev.Claimed(bet=bet):
            return kind, bet
    return (kind,)


def _keys(event: AnyEvent) -> Iterator[str]:
    """Yield the keys that pages use for an event, besides its sentence."""
    match event:
        case ev.Staked(bet=bet):
            yield f"bet.{bet}"
        case ev.Dealt(zone=zone) | ev.Moved(to=zone):
            yield f"zone.{zone}"
        case ev.Asked(options=options):
            for option in options:
                if " " not in option.id:  # an option that lists cards has no words
                    # Help has one entry for options that differ only by a number (`raise-1`).
                    told = re.sub(r"-\d+$", "", option.id)
                    yield from (f"option.{option.id}", f"key.{option.id}", f"legend.{told}")
                if option.why_not:
                    yield f"why-not.{option.why_not}"
                yield from (f"hand.{hand.category}" for hand in option.hands.values())
        case ev.Settled(why=why, row=row):
            yield f"why.{why}"
            if row and event.outcome == "won":
                yield f"row.{row}"


def flat(prefix: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield every template of a words file, with its dotted key."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from flat(f"{prefix}.{name}" if prefix else name, part)
    else:
        yield prefix, value


def own_words(case: Case, language: str) -> Mapping[str, str]:
    """Return the game's own words in a language."""
    return dict(flat("", tomllib.loads(case.game.words(language).read_text(encoding="utf-8"))))


def words_are_alike(case: Case) -> list[str]:
    """Both languages have the same keys and placeholders, and use figures of the sheet."""
    words = {language: own_words(case, language) for language in LANGUAGES}
    every = set().union(*words.values())
    found = []
    for key in sorted(every):
        for language in LANGUAGES:
            if key not in words[language]:
                found.append(f"words/{language}.toml has no {key!r}")
        asked = {language: places(words[language].get(key, "")) for language in LANGUAGES}
        if (
            all(key in words[each] for each in LANGUAGES)
            and len(set(map(tuple, asked.values()))) > 1
        ):
            found.append(f"{key!r} does not name the same places in every language: {asked}")
    figures = {name for name, _ in keys(case.sheet)}
    for language in LANGUAGES:
        for key, template in words[language].items():
            if not isinstance(template, str) or not template.strip():
                found.append(f"words/{language}.toml: {key!r} is empty")
                continue
            if re.search(r"[{}]", _PLACE.sub("", template)):
                found.append(f"words/{language}.toml: {key!r} has a brace that is no place")
            for name in places(template):
                if "." in name and name not in figures:
                    found.append(
                        f"words/{language}.toml: {key!r} names {name!r}, no figure of the sheet"
                    )
    return found


def words_are_complete(case: Case) -> list[str]:
    """Everything the game can say or show has words in both languages."""
    said = Said(case.game.id)
    for played in rounds_of(case, "words"):
        for event in played.end.events:
            said.hear(event)
    for golden in goldens(case):  # golden rounds have the rare events
        for step in golden.steps:
            for event in step.events:
                said.hear(event)
    needed = said.keys | set(_declared(case))
    found = set(said.untold.values())
    for language in LANGUAGES:
        words = said.words[language]
        missing = {key for key in needed if words.find(key, case.game.id) is None}
        found |= {f"words/{language}.toml has no {key!r}" for key in missing}
        found |= set(_numbering(language, own_words(case, language)))
        found |= set(_shortcuts(case, language, words, said.asked_together))
        found |= set(_chart(case, language, words))
    return sorted(found)


def _declared(case: Case) -> Iterator[str]:
    """Yield the keys that the descriptor and the sheet require."""
    game, sheet = case.game, case.sheet
    yield from _ALWAYS
    yield from (f"bet.{bet}" for bet in sheet.layout)
    yield from (f"hand.{kind}" for kind in game.hand_order)
    yield from (f"strategy.{name}" for name in game.strategies if name != game.strategies[0])
    yield from (f"row.{row}" for table in sheet.pay_tables().values() for row in table.rows)
    yield from (f"row.{row}" for row in sheet.pot_shares)


def _numbering(language: str, words: Mapping[str, str]) -> Iterator[str]:
    """Yield gaps in the numbering of help and glossary, which begins at 1."""
    for part in ("help", "glossary"):
        numbers = {int(key.split(".")[1]) for key in words if re.match(rf"{part}\.\d+", key)}
        if numbers != set(range(1, len(numbers) + 1)):
            yield f"words/{language}.toml: {part} is not numbered from 1 on without a gap"
    for key in words:
        if match := re.fullmatch(r"(glossary\.\d+)\.(term|text)", key):
            for other in ("term", "text"):
                if f"{match[1]}.{other}" not in words:
                    yield f"words/{language}.toml has no '{match[1]}.{other}'"


def _shortcuts(
    case: Case, language: str, words: Catalogue, together: set[frozenset[str]]
) -> Iterator[str]:
    """Yield the findings on keyboard shortcuts."""
    own = own_words(case, language)
    letters = {key.removeprefix("key."): text for key, text in own.items() if key[:4] == "key."}
    taken = {key.partition(".")[2] for key in words.templates if key.startswith("shortcut.")}
    for option, letter in letters.items():
        if not re.fullmatch("[A-Z]", letter):
            yield f"words/{language}.toml: 'key.{option}' is no letter from A to Z"
        if letter in taken:
            yield (
                f"words/{language}.toml: 'key.{option}' is {letter}, which the table uses;"
                f" free are {' '.join(each for each in ascii_uppercase if each not in taken)}"
            )
        if f"option.{option}" not in own:
            yield f"words/{language}.toml has no 'option.{option}'"
    for options in together:
        used = [letters[option] for option in options if option in letters]
        for letter in sorted({each for each in used if used.count(each) > 1}):
            yield f"words/{language}.toml: two options of one question have the key {letter}"


def _chart(case: Case, language: str, words: Catalogue) -> Iterator[str]:
    """Yield the error of drawing the stored chart, if there is one."""
    chart = chart_store.find(case.sheet)
    if chart is None:
        return
    try:
        case.game.draw_chart(words, chart)
    except NoWords as error:
        yield f"words/{language}.toml has no {error.key!r}"
    except Exception as error:  # third-party code may raise anything
        yield f"GAME.draw_chart fails in {language!r}: {type(error).__name__}: {error}"
