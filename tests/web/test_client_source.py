"""The browser's code, read as text: no words, no rules, nothing dead, nothing that can be injected.

Every check is a function of texts, so that it can also be run on examples that must fail.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tapisvert
from tapisvert.engine.sheet_file import keys as figures
from tapisvert.games.registry import GAMES, SHIPPED
from tapisvert.sheets import load
from tapisvert.web.assets import files, of_game
from tapisvert.words import LANGUAGES
from tapisvert.words.catalogue import places
from web.javascript import HOLE, read

SOURCE = Path(tapisvert.__file__).parent
MODULES = {
    name: path.read_text(encoding="utf-8")
    for name, path in files()
    if name.endswith(".js") and name.startswith(("js/", "games/"))
}
# A limit for each file and none over all of them: a new game needs no lines that another one saves.
# The longest module of the client, the drawings of courts.js, has 390 lines; Pai Gow's layout 87.
MODULE_LINES_MAX, GAME_FILE_LINES_MAX = 400, 150
PRINTED = re.compile("Tapis Vert|JOKER")  # the brand, and a card

# Keys ---------------------------------------------------------------------------------------------

_ASKS = re.compile(r"\b(?:t|write|find|Figure)\($")


FILES = ("house", "pages", *SHIPPED)
OF_THE_PAGES = (
    *("felt", "about", "message", "spot", "help", "notices", "set", "jackpot"),
    *("ranking", "glossary"),
)


@cache
def words(language: str, file: str) -> Mapping[str, str]:
    """Return one words file by dotted key; the keys of a game begin with its id."""
    game = GAMES.get(file)
    path = game.words(language) if game else SOURCE / "words" / language / f"{file}.toml"
    return dict(_flat(f"{file}." if game else "", tomllib.loads(path.read_text("utf-8"))))


def all_words(language: str) -> Mapping[str, str]:
    return {key: text for file in FILES for key, text in words(language, file).items()}


def _flat(prefix: str, value: Any) -> list[tuple[str, str]]:
    if not isinstance(value, dict):
        return [(prefix.rstrip("."), value)]
    return [leaf for name, part in value.items() for leaf in _flat(f"{prefix}{name}.", part)]


def without_game(key: str) -> str:
    """Return a key as a view uses it: without the game's id, which the words add."""
    game, _, rest = key.partition(".")
    return rest if game in SHIPPED else key


def asked(modules: Mapping[str, str], namespaces: set[str]) -> set[str]:
    """Return the keys a program uses, with holes: arguments of look-ups, and key-like texts."""
    like_a_key = re.compile(rf"(?:{'|'.join(sorted(namespaces))})\.[\w./?-]+")
    return {
        each.text
        for source in modules.values()
        for each in read(source)[0]
        if _ASKS.search(each.before) or like_a_key.fullmatch(each.text)
        if each.text.partition(HOLE)[0]  # `{form}.{value}` could be anything
    }


def shape(key: str) -> re.Pattern[str]:
    """Return a pattern of the keys that match a key with holes."""
    return re.compile("(.+)".join(re.escape(part) for part in key.split(HOLE)))


def game_of(name: str) -> str | None:
    """Return the game a file belongs to; None for a shared file."""
    return Path(name).parent.name if name.startswith("games/") else None


def unknown(modules: Mapping[str, str], known: set[str]) -> set[str]:
    """Return the keys a program uses that a catalogue lacks, in common or at some table."""
    tables = {game: {key.removeprefix(f"{game}.") for key in known} for game in SHIPPED}
    lost = set()
    for name, source in modules.items():
        own = game_of(name)
        for key in asked({name: source}, {without_game(key).partition(".")[0] for key in known}):
            met = [
                any(map(shape(key).fullmatch, have))
                for game, have in tables.items()
                if own in (None, game)
            ]
            # A key of the common words is known at every table; one with a hole may be a game's.
            if not (any(met) if HOLE in key else all(met)):
                lost.add(key)
    return lost


def dead(modules: Mapping[str, str], keys: set[str], said: set[str]) -> set[str]:
    """Return the keys that no program uses. A text that fills a hole must be in `said`."""
    namespaces = {without_game(key).partition(".")[0] for key in keys}
    shapes = [shape(key) for key in asked(modules, namespaces)]

    def alive(key: str) -> bool:
        met = [found.groups() for shape in shapes if (found := shape.fullmatch(key))]
        return any(all(fill in said or fill.isdecimal() for fill in fills) for fills in met)

    return {key for key in keys if not alive(without_game(key))}


@cache
def python_code() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")]


@cache
def said_anywhere() -> set[str]:
    """Return every short text of the Python code: ids, states, names of keys."""
    quoted = {text for source in python_code() for text in re.findall(r'"([\w-]+)"', source)}
    for source in MODULES.values():
        quoted |= {each.text for each in read(source)[0]} | set(re.findall(r"\b\w+(?=:)", source))
    return quoted | {"day", "hour", "minute"}  # cut out of days, hours, minutes


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_the_browser_asks_for_has_words(language: str) -> None:
    known = set(all_words(language))
    assert len(asked(MODULES, {"act", "bet", "fair"})) > 150
    assert unknown(MODULES, known) == set()
    for planted in ("t('act.dael')", "note(x, 'bet.no-fund')", "find(`hlep.${line}`)"):
        assert unknown({"planted.js": planted}, known), planted


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_pages_is_used_by_them(language: str) -> None:
    by_the_server = re.findall(r'\bwrite\("([^"]+)"', "".join(python_code()))
    keys = set(words(language, "pages")).difference(by_the_server) | {
        key
        for game in SHIPPED
        for key in words(language, game)
        if without_game(key).partition(".")[0] in OF_THE_PAGES
    }
    assert dead(MODULES, keys, said_anywhere()) == set()
    planted = {"act.left-over", "settings.speed-warp", "casino-stud.message.over", "left.over"}
    assert dead(MODULES, keys | planted, said_anywhere()) == planted


def unlike(one: Mapping[str, str], other: Mapping[str, str]) -> set[str]:
    """Return the keys that only one has, or whose placeholders differ."""
    differ = {key for key in one if key in other and places(one[key]) != places(other[key])}
    return differ | (set(one) ^ set(other))


@pytest.mark.parametrize("file", FILES)
def test_both_languages_have_the_same_keys_and_places_in_the_same_file(file: str) -> None:
    fr, en = words("fr", file), words("en", file)
    assert unlike(fr, en) == set()
    key = next(iter(fr))
    assert unlike({**fr, key: fr[key] + "{more}", "new": ""}, en) == {key, "new"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_in_two_files_of_a_language(language: str) -> None:
    assert len(all_words(language)) == sum(len(words(language, file)) for file in FILES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_every_decision_has_a_key_of_its_own_that_is_no_betting_key(
    game: str, language: str
) -> None:
    own = words(language, game)
    begin = f"{game}.option."
    options = {key.removeprefix(begin) for key in own if key.startswith(begin)}
    letters = {key.rpartition(".")[2]: text for key, text in own.items() if ".key." in key}
    assert set(letters) == options
    assert all(re.fullmatch("[A-Z]", text) for text in letters.values())
    common = words(language, "pages")
    taken = {key.partition(".")[2] for key in common if key.startswith("shortcut.")}
    assert taken & set(letters.values()) == set()
    # Insurance and even money are never asked together, so one key may answer both.
    together = options - {"even-money"}
    assert len({letters[option] for option in together}) == len(together)


def not_of_the_sheet(templates: Mapping[str, str]) -> set[str]:
    """Return the dotted placeholders that the sheet of the table does not have."""
    known = {f"{game}.{figure}" for game in SHIPPED for figure, _ in figures(load(game))}
    named = {(key, name) for key, text in templates.items() for name in places(text)}
    return {f"{key.partition('.')[0]}.{name}" for key, name in named if "." in name} - known


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_a_sentence_names_is_in_the_shipped_sheet(language: str) -> None:
    assert not_of_the_sheet(all_words(language)) == set()
    planted = {"casino-stud.x": "{play.time_ante}", "act.x": "{play.times_ante}"}
    assert not_of_the_sheet(planted) == {"casino-stud.play.time_ante", "act.play.times_ante"}


# What a module may hold ---------------------------------------------------------------------------

_BANNED = re.compile(  # the sprite is our own drawing, and the only text that becomes markup
    r"\beval\b|\bFunction\(|(?:inner|outer)HTML|insertAdjacentHTML|document\.write|srcdoc"
    r"|unsafe\w+\((?!SPRITE\))|createContextualFragment|setHTMLUnsafe|javascript:|set(?:Timeout|Interval)\(['\"`]"
)
_READ_ALOUD = r"(?<![\w-])(?:aria-label|aria-description|title|alt|placeholder)=(?!\0[\s/>]|\"\0\")"


def literal(source: str) -> list[str]:
    """Return the words in a template that belong in the catalogues."""
    drawn = [each.text for each in read(source)[0] if each.tag]
    left = [PRINTED.sub("", re.sub(r"<[^<>]*>", "", text)) for text in drawn]
    spoken = [found for text in drawn for found in re.findall(_READ_ALOUD + "[^\\s>]*", text)]
    return [text for text in left if re.search(r"[^\W\d_]", text)] + spoken


def forbidden(source: str) -> list[str]:
    """Return code that turns text into script, breaks the page's policy, or loads foreign files."""
    texts, code = read(source)
    styles = [text for _, text, _ in texts if re.search(r"\sstyle=", text)]
    others = re.findall(r"(?:https?|wss?)://\S*|['\"`]//\w\S*", source)
    return _BANNED.findall(code) + styles + others


def too_long_or_untold(source: str) -> list[str]:
    """Return the findings on the size and the head comment of a module."""
    told = re.match(r"(?:// @ts-check\n)?/\*\*\s+(?:\* )?[A-Z]\w*\b", source)
    long = len(source.splitlines()) > MODULE_LINES_MAX
    return ["too long"] * long + ["no head comment"] * (not told)


CHECKS: dict[Callable[[str], list[str]], list[str]] = {  # with texts each of them must find
    literal: ["html`<p>Hello</p>`", "html`<p>${a ? html`<b>né</b>` : nothing}</p>`",
              "html`<nav aria-label=Menu></nav>`", 'html`<img alt="A card" src=${x}>`',
              'html`<a title="${n} rounds">${n}</a>`'],
    forbidden: ["el.innerHTML = x", "unsafeSVG(x)", "eval(x)", "new Function('x')",
                "setTimeout('x()', 1)", 'html`<p style="color:red">${x}</p>`', "`<g style=${x}>`",
                "// at http://example.org/", "fetch('https://x.org')", "import '//cdn/x.js'"],
    too_long_or_untold: ["/** Much. */" + "\n" * 401, "export const x = 1;", "/* no */"],
}  # fmt: skip


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_no_module_has_what_none_may_have(check: Callable[[str], list[str]]) -> None:
    assert {name: found for name, source in MODULES.items() if (found := check(source))} == {}
    for planted in CHECKS[check]:
        assert check(planted), planted


def test_a_game_brings_two_short_files_for_the_browser() -> None:
    lines = {name: len(source.splitlines()) for name, source in MODULES.items() if game_of(name)}
    files = ("layout.js", "rankings.js")
    assert set(lines) == {of_game(game, name) for game in GAMES for name in files}
    assert {name: count for name, count in lines.items() if count > GAME_FILE_LINES_MAX} == {}


def reached(modules: Mapping[str, str]) -> set[str]:
    """Return every module reachable by imports from the first."""
    found, waiting = set(), ["js/app.js"]
    while waiting:
        name = waiting.pop()
        if name in found or name not in modules:
            continue
        found.add(name)
        for each in read(modules[name])[0]:
            if re.search(r"\b(?:from|import\(|import) ?$", each.before):
                target = posixpath.join(posixpath.dirname(name), each.text.replace(HOLE, "*"))
                pattern = posixpath.normpath(target)
                waiting += [other for other in modules if Path(other).match(pattern)]
    return found


def test_every_module_is_reached_from_the_first() -> None:
    assert reached(MODULES) == set(MODULES)
    assert "js/left.js" not in reached({**MODULES, "js/left.js": "/** import('./left.js') */"})
