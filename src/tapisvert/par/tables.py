"""The measures of a game as tables of its par sheet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

from tapisvert.engine.sheet import Sheet
from tapisvert.par.caps import ROUND, Cap
from tapisvert.par.markup import table, tag
from tapisvert.par.measures import LEVELS, Measures, PayRow
from tapisvert.words import Catalogue

_GROUPED_FROM = 1000
NONE = "–"


def bet_name(words: Catalogue, game: str, bet: str) -> str:
    """Return the name of a bet."""
    return words.write("returns.main") if bet == "main" else words.write(f"bet.{bet}", {}, game)


def named(words: Catalogue, game: str, found: Measures) -> str:
    """Return the name of a bet and how it is played."""
    played = words.write(f"strategy.{found.strategy}", {}, game)
    return words.write(
        "par.distribution", {"bet": bet_name(words, game, found.bet), "strategy": played}
    )


def amount(words: Catalogue, value: Fraction, digits: int) -> str:
    """Format a number for a table: whole and grouped from a thousand up, else with digits."""
    if abs(value) >= _GROUPED_FROM or value.denominator == 1:
        sign = "−" if value < 0 else ""
        return sign + words.grouped(round(abs(value)))
    return words.number(value, digits)


def key_figures(words: Catalogue, game: str, found: Sequence[Measures]) -> str:
    """Return the figures of each bet, a column for each."""
    heads = [words.write("par.figure"), *(named(words, game, each) for each in found)]
    jackpot = any(each.progressive is not None for each in found)
    columns = [_figures_of(words, each, jackpot) for each in found]
    rows = [(name, *(column[name] for column in columns)) for name in (columns or [{}])[0]]
    return table(words.write("par.key-figures"), heads, rows, kind="columns")


def _figures_of(words: Catalogue, found: Measures, jackpot: bool) -> dict[str, str]:
    """Return the figures of a bet by their names; those of the jackpot if a bet has one."""
    shown = {
        words.write("par.cycle"): words.grouped(found.cycle),
        words.write("par.hit-anything"): words.percent(found.hit_anything, 4),
        words.write("par.hit-more"): words.percent(found.hit_more, 4),
        words.write("par.staked"): words.number(found.staked, 6),
        words.write("par.return-first"): words.percent(found.return_first, 6),
        words.write("par.return-staked"): words.percent(found.return_staked, 6),
    }
    if jackpot:
        parts = found.progressive
        shown |= {
            words.write("par.fixed"): NONE if parts is None else words.percent(parts.fixed, 6),
            words.write("par.jackpot"): NONE if parts is None else words.percent(parts.share, 6),
        }
    deviations = (found.standard_deviation, found.standard_deviation_staked)
    for key, value in zip(("deviation", "deviation-staked"), deviations, strict=True):
        shown[words.write(f"par.{key}")] = words.number(Fraction(value), 4)
    if jackpot:
        name = words.write("par.jackpot-variance")
        shown[name] = (
            NONE if found.progressive is None else words.percent(found.variance_of_jackpot, 2)
        )
    z = {"level": str(found.index_level), "z": words.number(Fraction(found.index_z), 4)}
    shown[words.write("par.index", z)] = words.number(Fraction(found.volatility_index), 3)
    return shown | _top_of(words, found) | _hourly(words, found)


def _top_of(words: Catalogue, found: Measures) -> dict[str, str]:
    top = found.top
    odds = None if top is None else {"odds": amount(words, top.odds_against, 2)}
    return {
        words.write("par.top"): NONE if top is None else amount(words, top.net, 2),
        words.write("par.top-odds"): NONE if odds is None else words.write("par.to-one", odds),
        words.write("par.top-rounds"): NONE if top is None else amount(words, top.mean_rounds, 2),
    }


def _hourly(words: Catalogue, found: Measures) -> dict[str, str]:
    pace = {"rounds": words.grouped(found.rounds_per_hour)}
    shown = {words.write("par.hourly", pace): words.number(found.win_per_hour, 4)}
    for key, cents in (("least", found.stake_min_cents), ("most", found.stake_max_cents)):
        won = {"win": words.money(round(found.win_per_hour * cents)), "stake": words.money(cents)}
        shown[words.write(f"par.hourly-{key}")] = words.write("par.at-stake", won)
    return shown


def pay_rows(words: Catalogue, game: str, found: Measures) -> str:
    """Return how often each result comes up, and what it adds to return and variance."""
    keys = ("row", "net", "bet", "deals", "probability", "one-in", "of-return", "of-variance")
    rows = []
    for same in merged(found.rows):
        first = same[0]
        deals = sum(row.deals for row in same)
        chance = Fraction(deals, found.cycle)
        rows.append(
            (
                row_name(words, game, same),
                amount(words, first.net, 2),
                amount(words, first.staked, 2),
                words.grouped(deals),
                words.percent(chance, 6),
                amount(words, 1 / chance, 2),
                words.percent(sum((row.share_of_return for row in same), Fraction()), 3),
                words.percent(sum((row.share_of_variance for row in same), Fraction()), 3),
            )
        )
    heads = [words.write(f"par.{key}") for key in keys]
    return table(named(words, game, found), heads, rows, kind="told")


def merged(rows: Iterable[PayRow]) -> list[list[PayRow]]:
    """Return rows by net result and stake, the lowest first."""
    found: dict[tuple[Fraction, Fraction], list[PayRow]] = defaultdict(list)
    for row in rows:
        found[row.net, row.staked].append(row)
    return [found[key] for key in sorted(found)]


def row_name(words: Catalogue, game: str, same: Sequence[PayRow]) -> str:
    """Return the name of the pay row that rows share, or else whether the bet is won."""
    net = same[0].net
    if net > 0:
        names = {_pay_row(words, game, row.name) for row in same}
        name = names.pop() if len(names) == 1 else None
        if name is not None:
            return name
    return words.write("par.won" if net > 0 else "par.lost" if net < 0 else "par.even")


def _pay_row(words: Catalogue, game: str, outcome: str) -> str | None:
    parts = outcome.split("-")
    for start in range(len(parts)):
        key = f"row.{'-'.join(parts[start:])}"
        if words.find(key, game):
            return words.write(key, {}, game)
    return None


def intervals(words: Catalogue, game: str, found: Sequence[Measures]) -> str:
    """Return where the actual return lies after a number of rounds, for each bet."""
    parts = []
    for each in found:
        rows: dict[int, list[str]] = defaultdict(list)
        for interval in each.intervals:
            low, high = (
                words.percent(Fraction(end), 3) for end in (max(interval.low, 0.0), interval.high)
            )
            rows[interval.rounds].append(
                words.write("par.between-ends", {"low": low, "high": high})
            )
        heads = [
            words.write("par.rounds"),
            *(words.write("par.level", {"level": str(level)}) for level in LEVELS),
        ]
        told = [(words.grouped(rounds), *cells) for rounds, cells in rows.items()]
        parts.append(table(named(words, game, each), heads, told, kind="columns"))
    return tag("p", words.write("par.intervals-lead")) + "".join(parts)


def skill(words: Catalogue, game: str, found: Iterable[Measures]) -> str:
    """Return what each way of playing the main bet returns, and costs against the best."""
    heads = ("returns.played", "par.skill", "par.return-first", "par.return-staked")
    keys = (*heads, "par.element", "par.cost")
    rows = [
        (
            words.write(f"strategy.{each.strategy}", {}, game),
            words.write(f"par.skill-{each.skill}"),
            words.percent(each.return_first, 4),
            words.percent(each.return_staked, 4),
            words.percent(-each.element_of_risk, 4),
            NONE if each.cost_of_play is None else words.percent(each.cost_of_play, 4),
        )
        for each in found
        if each.bet == "main"
    ]
    shown = table(
        words.write("par.skill-title"), [words.write(key) for key in keys], rows, kind="levels"
    )
    return shown + tag("p", words.write("par.element-base"))


def caps(words: Catalogue, sheet: Sheet, found: Iterable[Measures]) -> str:
    """Return the caps of a sheet and what each costs the player at the largest stake."""
    heads = ("limits.bet", "par.cap", "par.cap-of", "par.cap-largest", "par.cap-cost")
    listed = caps_by_bet(words, sheet.game, found)
    rows = [
        (
            name,
            cap_of(words, sheet.game, cap),
            words.money(cap.cap_cents),
            words.money(round(cap.largest_cents)),
            words.percent(cap.cost, 4) + ("" if cap.complete else " *"),
        )
        for name, cap in listed
    ]
    if not rows:
        return tag("p", words.write("par.no-caps"))
    shown = table(words.write("par.caps"), [words.write(key) for key in heads], rows, kind="caps")
    return shown + "".join(tag("p", note) for note in cap_notes(words, listed))


def caps_by_bet(words: Catalogue, game: str, found: Iterable[Measures]) -> list[tuple[str, Cap]]:
    """Return the caps of each bet under its name; by strategy only where strategies differ."""
    by_bet: dict[str, list[Measures]] = defaultdict(list)
    for each in found:
        by_bet[each.bet].append(each)
    listed = []
    for bet, plays in by_bet.items():
        if len({each.caps for each in plays}) == 1:
            listed += [(bet_name(words, game, bet), cap) for cap in plays[0].caps]
        else:
            listed += [(named(words, game, each), cap) for each in plays for cap in each.caps]
    return listed


def cap_of(words: Catalogue, game: str, cap: Cap) -> str:
    """Return what a cap limits: a bet, or the whole round."""
    return (
        words.write("par.cap-round") if cap.id == ROUND else words.write(f"bet.{cap.id}", {}, game)
    )


def cap_notes(words: Catalogue, listed: Iterable[tuple[str, Cap]]) -> list[str]:
    """Return the notes under a list of caps: all are free, or some costs are not fully counted."""
    every = [cap for _, cap in listed]
    notes = [
        ("par.caps-free", all(not cap.cost and cap.complete for cap in every)),
        ("par.caps-open", not all(cap.complete for cap in every)),
    ]
    return [words.write(key) for key, true in notes if true]
