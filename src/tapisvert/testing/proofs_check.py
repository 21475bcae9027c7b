"""Checks of proofs, strategies and charts: present, for the shipped sheet, using every price."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tapisvert.engine.sheet import Sheet, parse_odds, write_odds
from tapisvert.engine.sheet_file import keys, with_changes
from tapisvert.lab import chart_store
from tapisvert.lab.proof_keys import key
from tapisvert.lab.proof_store import StoredProof
from tapisvert.testing.blind import not_blind
from tapisvert.testing.case import Case, side_bets

Edges = dict[str, list[tuple[str, Fraction]]]  # by bet: each strategy and its edge
QUICK_ROUNDS = 1_000
QUICK_WARM_S = 5.0  # a game that warms up in this time is proved in seconds


def kept_proofs_hold(case: Case) -> list[str]:
    """Proofs and chart of the shipped sheet are stored, and the proofs are exact and add up."""
    game = case.game
    found = []
    for bet in game.bets:
        kept = [proof for proof in case.proofs if proof.bet == bet]
        if not kept:
            found.append(f"proofs.json has no proof of {bet!r} for the shipped sheet")
        for proof in kept:
            found += [f"the proof of {bet!r} ({proof.strategy}) {why}" for why in _adds_up(proof)]
            if proof.key != key(case.sheet, bet):
                found.append(
                    f"the proof of {bet!r} ({proof.strategy}) has the key of another sheet"
                )
    if chart_store.find(case.sheet) is None:
        found.append("chart.json has no chart for the shipped sheet")
    return found + (kept_otherwise(case) if counts_again(case) else [])


def counts_again(case: Case) -> bool:
    """Return whether to prove the bets again: with --full, or if it takes seconds."""
    quick = case.game.position.warm_s <= QUICK_WARM_S and case.rounds >= QUICK_ROUNDS
    return case.full or quick


def kept_otherwise(case: Case) -> list[str]:
    """Return the bets whose stored proofs differ from a new computation."""
    kept: Edges = {}
    for proof in case.proofs:
        kept.setdefault(proof.bet, []).append((proof.strategy, Fraction(proof.edge)))
    return [
        f"the kept proof of {bet!r} is not what its mathematics counts: run tools/proofs.py"
        for bet, counted in edges(case, case.sheet).items()
        if sorted(counted) != sorted(kept.get(bet, []))
    ]


def _adds_up(proof: StoredProof) -> Iterator[str]:
    """Yield the findings on the sums of a proof."""
    if not proof.exact:
        yield "is not exact"
    deals = sum(each.deals for each in proof.outcomes)
    if not proof.outcomes:
        yield "has no outcomes"
        return
    edge = sum((each.deals * Fraction(each.net) for each in proof.outcomes), Fraction(0)) / deals
    if edge != Fraction(proof.edge):
        yield f"has the edge {proof.edge}, but its outcomes come to {edge}"
    staked = sum((e.deals * Fraction(e.staked) for e in proof.outcomes), Fraction(0)) / deals
    if staked != Fraction(proof.staked):
        yield f"has {proof.staked} staked, but its outcomes come to {staked}"


def strategies_are_whole(case: Case) -> list[str]:
    """Every strategy, and no other, has a simulated player and a proof; blind ones are blind."""
    main = next(iter(case.game.bets))
    proved = {proof.strategy for proof in case.proofs if proof.bet == main}
    found, mathematics = [], case.mathematics
    for strategy in case.game.strategies:
        if strategy not in proved:
            found.append(f"strategy {strategy!r} has no proof of {main!r}")
        try:
            player = mathematics.player(case.sheet, strategy, case.tell)
        except Exception as error:  # third-party code may raise anything
            told = f"{type(error).__name__} {error}"
            found.append(f"strategy {strategy!r} has no simulated player ({told})")
            continue
        if strategy in case.game.blind:
            found += not_blind(case, strategy, player)
    for strategy in sorted(proved - set(case.game.strategies)):
        found.append(f"GAME.strategies does not name {strategy!r}, which is proved")
    return found


# Prices -------------------------------------------------------------------------------------------


def price_keys(sheet: Sheet) -> dict[str, Fraction]:
    """Return every price of a sheet by its dotted key: rows of pay tables and single prices."""
    rows = {
        f"{table}.{row}": pays.pays[row]
        for table, pays in sheet.pay_tables().items()
        for row in pays.rows
    }
    return {**sheet.prices(), **rows}


def bet_of_price(case: Case, dotted: str) -> list[str]:
    """Return the bets whose fields include a price, so that their proof depends on it."""
    return [
        bet
        for bet, (fields, _) in case.game.bets.items()
        if any(dotted == field or dotted.startswith(f"{field}.") for field in fields)
    ]


def prices_are_named(case: Case) -> list[str]:
    """Every price of the sheet belongs to exactly one bet of GAME.bets."""
    found = []
    for dotted in price_keys(case.sheet):
        bets = bet_of_price(case, dotted)
        if len(bets) != 1:
            told = f"is in the fields of {' and '.join(bets)}" if bets else "is in no bet's fields"
            found.append(f"the price {dotted} {told}: a kept proof would not follow it")
    return found


def prices_are_proved(case: Case) -> list[str]:
    """Every price affects the proof of its bet, and no other.

    Where a proof takes seconds, or with --full, each price is raised in turn and the bets are
    proved again. Otherwise the stored proof must have an outcome for every row, with its price.
    """
    found = rows_of_kept_proofs(case)
    if not counts_again(case):
        return found
    before = edges(case, case.sheet)
    prices = price_keys(case.sheet)
    for done, dotted in enumerate(prices):
        case.tell(done / len(prices))
        after = edges(case, raised(case.sheet, dotted))
        changed = {bet for bet in before if after.get(bet) != before[bet]}
        expected = set(bet_of_price(case, dotted))
        for bet in sorted(expected - changed):
            found.append(f"the proof of {bet!r} leaves out the price {dotted}")
        for bet in sorted(changed - expected):
            found.append(
                f"the proof of {bet!r} changes with {dotted}, which its fields do not name"
            )
    return found


def edges(case: Case, sheet: Sheet) -> Edges:
    """Prove a sheet; return the edge of every bet under every strategy."""
    found: Edges = {}
    for figure in case.mathematics.prove(sheet, case.tell):
        found.setdefault(figure.bet, []).append((figure.strategy, figure.edge))
    return found


def raised(sheet: Sheet, dotted: str) -> Sheet:
    """Return the sheet with one price more than doubled; the best play then always takes it."""
    price = parse_odds(dict(keys(sheet))[dotted])
    return with_changes(sheet, {dotted: write_odds(2 * price + 1)})


def rows_of_kept_proofs(case: Case) -> list[str]:
    """Each row of a pay table has an outcome in the stored proof; for side bets, with its price."""
    found = []
    sides = side_bets(case.sheet)
    for table, pays in case.sheet.pay_tables().items():
        for bet in bet_of_price(case, f"{table}.{pays.rows[0]}"):
            kept = [proof for proof in case.proofs if proof.bet == bet]
            if not kept:
                found.append(f"there is no kept proof of {bet!r} to look for {table} in")
                continue
            for row in pays.rows:
                outcomes = [
                    each
                    for each in kept[0].outcomes
                    if row_of(each.name, pays.rows) == row and Fraction(each.net) > 0
                ]
                if not outcomes and pays.pays[row] > 0:
                    found.append(f"the kept proof of {bet!r} has no outcome for {table}.{row}")
                elif bet in sides and any(Fraction(e.net) != pays.pays[row] for e in outcomes):
                    found.append(f"the kept proof of {bet!r} has another price for {table}.{row}")
    return found


def row_of(outcome: str, rows: tuple[str, ...]) -> str | None:
    """Return the row whose name an outcome ends with; the longest if several match.

    >>> row_of("won-straight-flush", ("flush", "straight-flush"))
    'straight-flush'
    """
    ends = [row for row in rows if outcome == row or outcome.endswith(f"-{row}")]
    return max(ends, key=len, default=None)
