"""The message catalogue in French and English, and its templates.

A catalogue is a flat map of dotted keys to templates. A game's own key (`casino-stud.hand.flush`)
overrides the common one (`hand.flush`). Names of hands are never common: "quinte" is a straight at
one table and a straight flush at another. The browser uses the same maps and rules.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, reduce
from pathlib import Path
from typing import Any

from tapisvert.games.registry import GAMES

LANGUAGES = ("fr", "en")
_PLACE = re.compile(r"\{([^{}:]+)(?::([^{}]+))?\}")
_SHARE_DIGITS = 12
_NO_BREAK_SPACE = "\u00a0"


class NoWords(KeyError):
    """A key that has no template; `key` is the key."""

    def __init__(self, key: str, language: str, game: str) -> None:
        self.key = key
        super().__init__(f"no words for {key!r} ({language}, {game or 'common'})")


class Catalogue:
    """All templates of one language."""

    def __init__(self, language: str, templates: Mapping[str, str]) -> None:
        self.language = language
        self.templates = templates

    def find(self, key: str, game: str = "") -> str | None:
        """Return the template of a key, the game's own first."""
        return self.templates.get(f"{game}.{key}", self.templates.get(key))

    def write(self, key: str, args: Mapping[str, Any] | None = None, game: str = "") -> str:
        """Return a template with its placeholders filled in.

        >>> catalogue("en").write("hand.two-pair", {"0": "K", "1": "4"}, "casino-stud")
        'two pair, kings and fours'
        """
        template = self.find(key, game)
        if template is None:
            raise NoWords(key, self.language, game)

        def put(place: re.Match[str]) -> str:
            name, form = place.group(1), place.group(2)
            return self._form(form, (args or {})[name], game)

        return _PLACE.sub(put, template)

    def outline(self, key: str) -> str:
        """Return a template with "…" for each placeholder; at its end, this is also its full stop.

        >>> catalogue("en").outline("error.stake/missing")
        'The bet on "…" is missing.'
        """
        return _PLACE.sub("…", self.templates[key]).replace("….", "…")

    def _form(self, form: str | None, value: Any, game: str) -> str:
        match form:
            case None:
                return str(value)
            case "money":
                return self.money(value)
            case "odds":
                return self.odds(value)
            case "share":
                return self.share(value)
            case "times":
                return self.times(value)
            case "card":
                return self.card(value)
            case "cards":
                return ", ".join(self.card(card) for card in value)
            case "rank-list":
                return self._listed([self.write(f"rank.{rank}") for rank in value])
            case "to-rank-list":
                first, *others = value
                names = [self.write(f"rank.{rank}") for rank in others]
                return self._listed([self.write(f"to-rank.{first}"), *names])
            case table:
                return self.write(f"{table}.{value}", {}, game)

    def money(self, cents: int) -> str:
        r"""Format an amount of money.

        >>> catalogue("en").money(123456789), catalogue("fr").money(50)
        ('$1,234,567.89', '0,50\xa0$')
        """
        whole = self._grouped(str(abs(cents) // 100))
        amount = f"{whole}{self.templates['money.decimal']}{abs(cents) % 100:02}"
        return ("-" if cents < 0 else "") + self.write("money.format", {"amount": amount})

    def odds(self, odds: str) -> str:
        r"""Format odds.

        >>> catalogue("en").odds("8000:1"), catalogue("fr").odds("3:2")
        ('8,000:1', '3\xa0:\xa02')
        """
        gain, _, stake = odds.partition(":")
        parts = {"gain": self._grouped(gain), "stake": self._grouped(stake)}
        return self.write("odds.format", parts)

    def number(self, value: Fraction, digits: int) -> str:
        r"""Format a number, rounded.

        >>> catalogue("fr").number(Fraction(-5, 2), 2)
        '−2,50'
        """
        return self.signed_figure(f"{float(value):.{digits}f}")

    def signed_figure(self, figure: str) -> str:
        """Format a number given as text."""
        return figure.replace(".", self.templates["money.decimal"]).replace("-", "−")

    def grouped(self, count: int) -> str:
        """Format a count with thousands separators."""
        return self._grouped(str(count))

    def percent(self, part: Fraction, digits: int) -> str:
        """Format a fraction as a percentage."""
        return self.write("percent.format", {"value": self.number(100 * part, digits)})

    def ranks(self, ranks: str) -> str:
        """Format ranks as the indices on the cards.

        >>> catalogue("fr").ranks("AKT4")
        'A-R-10-4'
        """
        return "-".join(self.find(f"verifier.index.{rank}") or rank for rank in ranks)

    def _grouped(self, digits: str) -> str:
        """Insert thousands separators into digits."""
        return re.sub(r"\B(?=(\d{3})+$)", self.templates["money.group"], digits)

    def _listed(self, ranks: Sequence[str]) -> str:
        """Join the names of ranks with separators, so that no two read as one number."""
        key = "rank-list.two" if len(ranks) == 2 else "rank-list.more"
        return reduce(lambda one, other: self.write(key, {"0": one, "1": other}), ranks)

    def share(self, share: str) -> str:
        """Format a share, given as odds, as a percentage.

        >>> catalogue("en").share("2030843:10000000"), catalogue("en").share("1:3")
        ('20.30843%', '33.3333333333%')
        """
        part, _, whole = share.partition(":")
        exact = Context(prec=_SHARE_DIGITS).divide(Decimal(100 * int(part)), Decimal(int(whole)))
        value = f"{exact.normalize():f}".replace(".", self.templates["money.decimal"])
        return self.write("percent.format", {"value": value})

    def times(self, counts: Sequence[int]) -> str:
        r"""Format multiples of a stake as alternatives.

        >>> catalogue("en").times([3, 4]), catalogue("fr").times([1, 2, 3])
        ('3× or 4×', '1×, 2× ou\xa03×')
        """
        told = [self.write("times.format", {"count": count}) for count in counts]
        last = self.templates["times.or"].join(told[-2:])
        return ", ".join([*told[:-2], last])

    def card(self, card: str | None) -> str:
        """Return the name of a card.

        >>> catalogue("fr").card("Kh"), catalogue("fr").card(None)
        ('roi de cœur', 'carte cachée')
        """
        if card is None:
            return self.write("card.hidden")
        if card == "Jk":
            return self.write("card.joker")
        return self.write("card.name", {"rank": card[0], "suit": card[1]})


@cache
def catalogue(language: str) -> Catalogue:
    """Load the catalogue of a language; a game's words are in its own folder."""
    files = {f"{game.id}.": game.words(language) for game in GAMES.values()}
    templates: dict[str, str] = {}
    for prefix, path in files.items():
        templates.update(_flat(prefix, _read(path)))
    for path in sorted((Path(__file__).parent / language).glob("*.toml")):
        templates.update(_flat("", _read(path)))
    return Catalogue(language, _spaced(language, templates))


def read_words(path: Path, language: str) -> dict[str, str]:
    """Return the templates of a file that is not part of the catalogue, by dotted key."""
    return _spaced(language, dict(_flat("", _read(path))))


def _spaced(language: str, templates: dict[str, str]) -> dict[str, str]:
    """Put no-break spaces where French punctuation has them."""
    if language != "fr":
        return templates
    return {
        key: re.sub(r" (?=[:;?!»$%×]|$)", _NO_BREAK_SPACE, text).replace("« ", "«\u00a0")
        for key, text in templates.items()
    }


def pick(accepted: str) -> str:
    """Choose a language from an Accept-Language header; English if none matches.

    >>> pick("de, fr-CA;q=0.8, en;q=0.5"), pick(""), pick("en-CA,fr;q=0.9")
    ('fr', 'en', 'en')
    """
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted.split(",")[:20]):
        tag, *settings = [piece.strip().lower() for piece in part.split(";")]
        language = tag.split("-")[0]
        weight = next((each[2:] for each in settings if each.startswith("q=")), "1")
        try:
            quality = float(weight)
        except ValueError:
            continue
        if language in LANGUAGES and quality > 0:
            wanted.append((-quality, place, language))
    return min(wanted)[2] if wanted else "en"


def places(template: str) -> Sequence[str]:
    """Return the names of the placeholders of a template, sorted."""
    return sorted({place.group(1) for place in _PLACE.finditer(template)})


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _flat(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", value
