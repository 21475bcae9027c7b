"""F7 with real concurrency: two to ten winners of one pot in one instant, on several servers.

    python tests/soak/winners.py --trials 1000
    python tests/soak/winners.py --trials 50 --control   # the pot's lock does nothing

Three houses with separate stores serve one PostgreSQL database; every second night one of them is a
separate process. At one instant some players are dealt royal and straight flushes, others feed the
pot, and every housekeeping folds and seals. Half of the time the pot is locked until all winners
wait for it. Then the awards, in the order of their numbers, must equal the serial model
(`bank.feeding.Serial`). Every winner's reply must match the payment, no contribution may be lost,
and an operation answered before another was sent must precede it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from bank.feeding import Serial
from bank.holding import holding
from bank.tables import check_books
from postgres import server as cluster
from races.unlocked import PotUnlockedStore
from rounds.guest_seat import rows_of
from rounds.house_with_operator import act, audited
from rounds.house_with_pot import GAME, PART, pot_of, report
from soak.instants import PLAYERS, Elsewhere, Heard, Server
from tapisvert.bank.pot import Pot
from tapisvert.engine.sheet import parse_odds
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.store.postgres import PostgresStore

SERVERS, WINNERS_MAX, FEEDERS_MAX = 3, 10, 4
NIGHT = 25  # trials on one database
WINS = ("royal-flush", "straight-flush")


class Award(NamedTuple):
    """A row of `awards`, and the time of its fold."""

    trigger: int
    round_id: str
    share: Fraction
    fold: int
    paid_cents: int
    after_units: int


def check(house: PlayerService, before: Pot, heard: list[Heard]) -> Pot:
    """Compare the players' replies with the pot, and the pot with the rules."""
    Housekeeping(house).fold()
    told = {each.round_id: each for each in heard}
    awards = [
        Award(row[0], row[1], parse_odds(row[2]), *row[3:])
        for row in rows_of(
            house,
            "SELECT trigger_no, round_id, share, fold, paid_cents, after_units FROM awards"
            " WHERE trigger_no > ? ORDER BY trigger_no",
            before.triggers,
        )
    ]
    parts = rows_of(
        house,
        "SELECT round_id, fold, units FROM contributions WHERE fold IS NULL OR fold > ?",
        before.folds,
    )
    assert sorted(row[0] for row in parts) == sorted(told), "a part was lost or doubled"
    assert {row[2] for row in parts} == {PART}
    folds = {row[0]: row[1] for row in parts}
    won = [each.round_id for each in heard if each.hand in WINS]
    assert sorted(award.round_id for award in awards) == sorted(won), "a winner has no award"
    check_order(awards, folds, told)
    model = serially(before, awards, folds, told)
    pot, shown = pot_of(house), report(house)
    assert (pot.units, pot.epoch) == (model.units, model.epoch), (pot, model)
    assert pot.triggers == before.triggers + len(won)
    assert (shown.difference_units, shown.held_units) == (0, model.units)
    return pot


def serially(
    before: Pot, awards: list[Award], folds: dict[str, int], told: dict[str, Heard]
) -> Serial:
    """Compute the awards serially, each with the contributions gathered before it."""
    model, gathered = Serial(units=before.units, epoch=before.epoch), before.folds
    for number, award in enumerate(awards, start=before.triggers + 1):
        assert award.trigger == number, "wins are numbered without a gap"
        assert folds[award.round_id] == award.fold, "the winner's own part is in what is won"
        model.stake(sum(gathered < fold <= award.fold for fold in folds.values()) - 1)
        gathered = award.fold
        due = model.win(award.share)
        paid = (award.paid_cents, told[award.round_id].cents, award.after_units)
        assert paid == (due, due, model.units), f"{award} should have been paid {due}"
    model.stake(sum(fold > gathered for fold in folds.values()))
    return model


def check_order(awards: list[Award], folds: dict[str, int], told: dict[str, Heard]) -> None:
    """Check that operations answered before a win was requested precede that win."""
    triggers = {award.round_id: award.trigger for award in awards}
    for award in awards:
        asked = told[award.round_id].sent_ns
        for each in told.values():
            if each.heard_ns < asked:
                assert folds[each.round_id] <= award.fold, "a part came after a later win"
                assert triggers.get(each.round_id, 0) < award.trigger, "a win after a later win"


def instant(
    servers: list[Server | Elsewhere], url: str, hands: list[str], held: bool
) -> list[Heard]:
    """Deal hands at once, spread over the servers; return the answers."""
    for number, server in enumerate(servers):
        server.ready(hands[number :: len(servers)])
    if held:
        winners = sum(hand in WINS for hand in hands)
        with holding(url, GAME) as pot:
            for server in servers:
                server.go()
            pot.until(lambda: pot.waiting() >= winners)
    else:
        for server in servers:
            server.go()
    return [heard for server in servers for heard in server.heard()]


def night(
    trials: int, chance: Random, *, elsewhere: bool, kind: type[PostgresStore] = PostgresStore
) -> Counter[str]:
    """Run trials on one fresh database, then audit it; count the events."""
    url, found = cluster().fresh(), Counter[str]()
    first = Server(url, kind)
    house = first.house
    act(house, lambda operator: operator.open_jackpot(GAME, "CAD"))
    servers: list[Server | Elsewhere] = [first]
    try:
        while len(servers) < SERVERS:
            last = elsewhere and len(servers) == SERVERS - 1
            servers.append(Elsewhere(url) if last else Server(url, kind))
        pot = pot_of(house)
        for number in range(trials):
            wins = chance.choices(WINS, k=chance.randint(2, WINNERS_MAX))
            hands = wins + ["nothing"] * chance.randint(0, FEEDERS_MAX)
            chance.shuffle(hands)
            held = kind is PostgresStore and number % 2 == 1
            heard = instant(servers, url, hands, held)
            pot = check(house, pot, heard)
            found += Counter(trials=1, held=held, wins=len(wins), parts=len(heard))
            found["again"] += sum(each.retried for each in heard)
            found["elsewhere"] += elsewhere
        Housekeeping(house).seal()
        audit = audited(house)
        assert (audit.findings, audit.unsealed) == ((), 0)
        check_books(house.store)
    finally:
        for server in servers:
            server.close()
    return found


def main(trials: int, seed: int, *, control: bool = False, tell: bool = False) -> Counter[str]:
    """Run this many trials; the control prints how each night was detected."""
    assert SERVERS * PLAYERS >= WINNERS_MAX + FEEDERS_MAX
    chance, found = Random(seed), Counter[str]()
    for number, start in enumerate(range(0, trials, NIGHT)):
        length = min(NIGHT, trials - start)
        if control:
            try:
                night(length, chance, elsewhere=False, kind=PotUnlockedStore)
                found["not noticed"] += 1
            except Exception as error:
                name = error.code if isinstance(error, Refused) else type(error).__name__
                found[f"{name}: {str(error).splitlines()[0][:90]}"] += 1
        else:
            found += night(length, chance, elsewhere=number % 2 == 1)
        if tell:
            print(f"\rF7: {start + length} trials", end="", file=sys.stderr, flush=True)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--control", action="store_true", help="without the pot's lock")
    given = parser.parse_args()
    started = time.monotonic()
    done = main(given.trials, given.seed, control=given.control, tell=True)
    if given.control:
        print("\rF7 without the pot's lock:", dict(done))
        sys.exit("not noticed" in done)
    print(
        f"\rF7: {done['trials']:,} instants on {SERVERS} servers ({done['elsewhere']:,} with one in"
        f" a process of its own, {done['held']:,} with all winners waiting), {done['wins']:,} wins"
        f" of {done['parts']:,} bets ({done['again']} sent again), all as one after the other;"
        f" sum 0; {time.monotonic() - started:.0f} s"
    )
