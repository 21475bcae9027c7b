"""The strategy card of a game over HTTP: rules to learn, each with its exact cost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from litestar import Router, get
from litestar.params import FromPath
from msgspec import Struct

from tapisvert.engine.sheet import Sheet
from tapisvert.games.chart_page import Grid
from tapisvert.games.registry import GAMES
from tapisvert.lab import chart_store, proof_store
from tapisvert.odds.figures import write_return
from tapisvert.refusal import Refused
from tapisvert.rounds.context import QueryContext
from tapisvert.strategies import card_store
from tapisvert.strategies.card_store import StrategyCard, Texts
from tapisvert.web.catalogue_routes import seen
from tapisvert.web.session import Call, house
from tapisvert.words import LANGUAGES, catalogue

_DIGITS = 4  # of a percentage
_KIND = "par.choice-"  # the letters of choices in charts


class RuleView(Struct, frozen=True):
    """A rule: its conditions and its option as texts by language, and its cost in percent."""

    question: str
    number: int
    says: Texts
    does: Texts
    cost: str


class LengthView(Struct, frozen=True):
    """The rules of one length; the house's edge and the cost are percentages of the first stake."""

    name: str
    length: int
    proved_best: bool | None
    title: Texts
    asks: dict[str, Texts]
    edge: str
    cost: str
    rules: tuple[RuleView, ...]
    address: str


class ChartView(Struct, frozen=True):
    """The chart of the best play as a table; the first cell of a row is its heading.

    `keys` names the other cells; the advice for a question names the cell that applies.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    kinds: dict[str, str]  # the choice that a letter in a cell stands for
    keys: tuple[tuple[str, ...], ...]


class CardView(Struct, frozen=True):
    """The card of a game for the sheet in play; without a count there are no lengths."""

    game: str
    sheet_hash: str
    first: str
    lengths: tuple[LengthView, ...]
    chart: dict[str, ChartView]  # by language; empty without one
    chart_cost: str  # in percent; empty if the chart does not cover whole rounds


@get("/games/{game:str}/card")
async def card_view(request: Call, game: FromPath[str]) -> CardView:
    """Show the strategy card of a game, for the sheet this player plays it by."""
    here = house(request)

    def sheet_of(context: QueryContext | None) -> Sheet:
        if game not in here.offered:
            raise Refused("request/unknown_game", game=game[:64])
        return here.sheet_of(game) if context is None else context.terms(game).sheet

    return card_of(await seen(request, sheet_of))


def card_of(sheet: Sheet) -> CardView:
    """Return the card of a sheet."""
    found = card_store.find(sheet)
    if found is None:
        return CardView(sheet.game, sheet.hash, "", (), {}, "")
    return CardView(
        game=sheet.game,
        sheet_hash=sheet.hash,
        first=found.first,
        lengths=tuple(map(_length, found.cards)),
        chart=_charts(sheet) if found.chart else {},
        chart_cost=_cost_of_chart(sheet) if found.chart else "",
    )


def _length(card: StrategyCard) -> LengthView:
    rules = (
        RuleView(rule.question, rule.number, rule.says, rule.does, _percent(Fraction(rule.cost)))
        for rule in card.rules
    )
    return LengthView(
        name=card.name,
        length=card.length,
        proved_best=card.proved_best,
        title=card.title,
        asks=card.asks,
        edge=_percent(-Fraction(card.edge)),
        cost=_percent(Fraction(card.cost)),
        rules=tuple(rules),
        address=card.address,
    )


def _charts(sheet: Sheet) -> dict[str, ChartView]:
    """Return the chart of a sheet in every language; none if it was not counted."""
    chart = chart_store.find(sheet)
    if chart is None:
        return {}
    drawn = {each: GAMES[sheet.game].draw_chart(catalogue(each), chart) for each in LANGUAGES}
    return {language: _chart(parts, language) for language, parts in drawn.items()}


def _chart(parts: Sequence[object], language: str) -> ChartView:
    """Return the first table of a chart: the one by hand and up card, or by first two cards."""
    grid = next(part for part in parts if isinstance(part, Grid))
    templates = catalogue(language).templates
    kinds = {text: key.removeprefix(_KIND) for key, text in templates.items() if _KIND in key}
    rows, keys = (tuple(map(tuple, cells)) for cells in (grid.rows, grid.keys))
    return ChartView(grid.title, tuple(grid.heads), rows, kinds, keys)


def _cost_of_chart(sheet: Sheet) -> str:
    """Return what the chart costs against the best play; empty if that is not proved."""
    edges = {each.strategy: each.edge for each in proof_store.find(sheet) if each.bet == "main"}
    if not {"chart", "optimal"} <= edges.keys():
        return ""
    return _percent(Fraction(edges["optimal"]) - Fraction(edges["chart"]))


def _percent(value: Fraction) -> str:
    return write_return(100 * value, _DIGITS)


CARD_API = Router("/api/v1", route_handlers=[card_view])
