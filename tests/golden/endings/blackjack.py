"""The endings of a round of Blackjack Royal Poker, by clause of docs/rules/blackjack.md."""

from __future__ import annotations

from golden.endings.seen import Answered, Ending, Endings, Seen
from tapisvert.engine import events as ev

HALVES = {  # each half of two split hands, and the bet that doubles it
    "hand-1": "double-1",
    "split-1": "double-1b",
    "hand-2": "double-2",
    "split-2": "double-2b",
}


def up(r: Seen) -> str:
    """Return the rank of the house's up card; a ten-value is T."""
    rank = r.cards["house"][0][0]
    return "T" if rank in "TJQK" else rank


def drawn(r: Seen) -> int:
    """Return the number of cards the house drew."""
    return len(r.cards["house"]) - 2


def asked(r: Seen, kind: str, *totals: int) -> list[Answered]:
    """Return the questions about a hand of that kind and one of these totals."""
    answers = iter(r.answers)
    names: dict[str | None, tuple[str, int | None]] = {}
    found = []
    for event in r.events:
        if isinstance(event, ev.Named):
            names[event.zone] = (event.hand.category, event.hand.total)
        elif isinstance(event, ev.Asked):
            answer, (named, total) = next(answers), names[event.hand]
            if event.key == "play" and named == kind and total in totals:
                found.append(answer)
    return found


def forbids(option: str, why: str, *totals: int) -> Ending:
    """Return the test that a hand of that total had an option forbidden for that reason."""
    return lambda r: any(a.forbidden.get(option) == why for a in asked(r, "hard", *totals))


def before_questions(r: Seen, bet: str) -> bool:
    """Tell whether a bet was settled before the first question."""
    return bet in r.lines and all(r.lines[bet].n < answer.asked.n for answer in r.answers)


def split(r: Seen, rank: str = "") -> bool:
    """Tell whether the first hand was split (of that rank)."""
    return "split-1" in r.cards and r.cards["hand-1"][0].startswith(rank)


ENDINGS: Endings = {
    "bj.2 the first hand alone": lambda r: list(r.stakes) == ["hand-1"],
    "bj.2 the second hand alone": lambda r: list(r.stakes) == ["hand-2"],
    "bj.2 both hands without Royal Poker": lambda r: list(r.stakes) == ["hand-1", "hand-2"],
    "bj.5 Royal Poker lost": lambda r: r.line("royal") == "lost royal-below-table",
    "bj.5 the whole jackpot": lambda r: (
        r.kind("royal") == "royal-flush" and r.lines["royal"].returned_cents == r.pot_cents
    ),
    "bj.5 a tenth of the jackpot, in whole cents": lambda r: (
        r.kind("royal") == "straight-flush"
        and r.pot_cents % 10 > 0
        and r.lines["royal"].returned_cents == r.pot_cents // 10
    ),
    "bj.5 settled before insurance": lambda r: before_questions(r, "royal") and up(r) == "A",
    "bj.6 insurance costs half of each stake": lambda r: all(
        f"insurance-{n}" in r.lines
        and 2 * r.lines[f"insurance-{n}"].staked_cents == r.stakes[f"hand-{n}"]
        for n in (1, 2)
    ),
    "bj.6 even money": lambda r: r.line("hand-1") == "won even-money" and len(r.stakes) == 1,
    "bj.6 even money against a blackjack of the house": lambda r: (
        r.line("hand-1") == "won even-money" and r.kind("house") == "blackjack"
    ),
    "bj.6 even money on both hands": lambda r: (
        r.line("hand-1") == r.line("hand-2") == "won even-money"
    ),
    "bj.6 even money on one, insurance on the other": lambda r: (
        set(r.chosen[:2]) == {"even-money", "insure"}
    ),
    "bj.6 even money declined, and paid 3:2": lambda r: (
        r.chosen == ["decline"] and r.line("hand-1") == "won blackjack"
    ),
    "bj.6 even money declined, and given back": lambda r: (
        r.chosen == ["decline"] and r.line("hand-1") == "returned house-blackjack"
    ),
    "bj.7 insurance won": lambda r: (
        r.line("insurance-1") == "won house-blackjack"
        and r.line("hand-1") == "lost house-blackjack"
    ),
    "bj.7 insurance lost, and play goes on": lambda r: (
        r.line("insurance-1") == "lost no-house-blackjack" and "stand" in r.chosen
    ),
    "bj.7 insurance declined, and a blackjack": lambda r: (
        r.chosen == ["decline"] and r.line("hand-1") == "lost house-blackjack"
    ),
    "bj.7 insurance declined, and none": lambda r: (
        r.chosen == ["decline", "stand"] and "no-house-blackjack" in r.said
    ),
    "bj.7 only the first hand insured, and won": lambda r: (
        r.chosen[:2] == ["insure", "decline"] and r.any_line("won", "house-blackjack")
    ),
    "bj.7 only the first hand insured, and lost": lambda r: (
        r.chosen[:2] == ["insure", "decline"] and r.any_line("lost", "no-house-blackjack")
    ),
    "bj.7 only the second hand insured": lambda r: r.chosen == ["decline", "insure"],
    "bj.7 a ten-value up, and a blackjack": lambda r: (
        up(r) == "T" and r.line("hand-1") == "lost house-blackjack" and not r.answers
    ),
    "bj.7 a ten-value up, and none": lambda r: up(r) == "T" and "no-house-blackjack" in r.said,
    "bj.7 a blackjack against a blackjack": lambda r: (
        up(r) == "T" and r.line("hand-2") == "returned house-blackjack"
    ),
    "bj.7 any other card, and the house does not look": lambda r: (
        up(r) not in "TA" and "no-house-blackjack" not in r.said
    ),
    "bj.7 no hand is left, and the house does not look": lambda r: (
        set(r.chosen) == {"even-money"} and "no-house-blackjack" not in r.said
    ),
    "bj.8 a blackjack, and a low card up": lambda r: (
        r.line("hand-1") == "won blackjack" and up(r) not in "TA"
    ),
    "bj.8 a blackjack, and a ten-value up": lambda r: (
        r.line("hand-1") == "won blackjack" and up(r) == "T"
    ),
    "bj.9 the first hand to its end, then the second": lambda r: (
        [answer.asked.hand for answer in r.answers] == ["hand-1", "hand-1", "hand-2", "hand-2"]
    ),
    "bj.9 a hard 21 stands by itself": lambda r: (
        r.chosen == ["hit"] and r.names("hand-1")[-1].total == 21
    ),
    "bj.9 a soft 21 is asked, and stands": lambda r: (
        not split(r) and any(a.option == "stand" for a in asked(r, "soft", 21))
    ),
    "bj.9 a soft 21 is asked, and hit": lambda r: any(
        a.option == "hit" for a in asked(r, "soft", 21)
    ),
    "bj.9 two aces, one of them an 11": lambda r: bool(asked(r, "soft", 12)) and not split(r),
    "bj.9 an ace that has become a 1, and bust": lambda r: (
        r.kind("hand-1") == "bust" and bool(asked(r, "soft", 16))
    ),
    "bj.9 bust": lambda r: r.line("hand-1") == "lost bust" and len(r.lines) == 1,
    "bj.10 a double wins": lambda r: r.line("hand-1") == r.line("double-1") == "won beats-house",
    "bj.10 a double loses": lambda r: r.line("hand-1") == r.line("double-1") == "lost house-wins",
    "bj.10 a double ties": lambda r: r.line("hand-1") == r.line("double-1") == "returned tie",
    "bj.10 ten may be doubled": lambda r: any(a.option == "double" for a in asked(r, "hard", 10)),
    "bj.10 eleven may be doubled": lambda r: any(
        a.option == "double" for a in asked(r, "hard", 11)
    ),
    "bj.10 other totals may not": forbids("double", "double/not-10-or-11", 8, 9, 12),
    "bj.10 eleven of three cards may not": forbids("double", "double/two-cards", 11),
    "bj.11 a pair is split": lambda r: split(r, "8"),
    "bj.11 two ten-values are split": lambda r: (
        split(r, "T") and r.cards["split-1"][0].startswith("K")
    ),
    "bj.11 a ten and an ace after it are a soft 21": lambda r: (
        split(r, "T") and len(asked(r, "soft", 21)) == 1
    ),
    "bj.11 other cards may not be split": forbids("split", "split/not-a-pair", 19),
    "bj.11 a pair and a third card may not be split": lambda r: (
        r.chosen[:1] == ["hit"] and forbids("split", "split/not-a-pair", 12)(r)
    ),
    "bj.11 a half that is a pair again may not be split": lambda r: (
        split(r, "9")
        and r.cards["hand-1"][1].startswith("9")
        and forbids("split", "split/once", 18)(r)
    ),
    "bj.11 split aces stand": lambda r: split(r, "A") and r.chosen == ["split"],
    "bj.11 split aces with a ten-value are a hard 21": lambda r: (
        split(r, "A")
        and any((name.category, name.total) == ("hard", 21) for name in r.names("hand-1"))
    ),
    "bj.11 split aces with 21 win 1:1": lambda r: (
        split(r, "A") and r.lines["hand-1"].odds == "1:1" and r.names("hand-1")[-1].total == 21
    ),
    "bj.11 split aces with 21 tie 21": lambda r: (
        split(r, "A") and r.line("split-1") == "returned tie" and r.names("house")[0].total == 21
    ),
    "bj.11 both halves bust": lambda r: r.line("hand-1") == r.line("split-1") == "lost bust",
    "bj.11 both hands split": lambda r: {"split-1", "split-2"} <= r.cards.keys(),
    "bj.12 a half is doubled on 10 and 11": lambda r: (
        split(r)
        and r.chosen == ["split", "double", "double"]
        and len(asked(r, "hard", 10, 11)) == 2
    ),
    "bj.12 a half of another total may not": lambda r: (
        split(r) and forbids("double", "double/not-10-or-11", 13)(r)
    ),
    "bj.12 any two cards by the sheet": lambda r: any(
        a.option == "double" for a in asked(r, "hard", 13, 14)
    ),
    "bj.12 a doubled half busts": lambda r: r.line("hand-1") == r.line("double-1") == "lost bust",
    "bj.12 none by the sheet": forbids("double", "double/after-split", 11),
    "bj.13 the house draws to 17": lambda r: drawn(r) == 3 and r.names("house")[0].total == 17,
    "bj.13 the house hits a soft 17": lambda r: (
        up(r) == "6" and drawn(r) == 1 and r.cards["house"][1][0] == "A"
    ),
    "bj.13 the house stands on a soft 17 by the sheet": lambda r: (
        drawn(r) == 0
        and r.kind("house") == "soft"
        and r.line("hand-1") == "won beats-house"
        and r.names("house")[0].total == 17
    ),
    "bj.13 the house stands on a soft 18": lambda r: (
        drawn(r) == 0 and r.names("house")[0].total == 18 and r.kind("house") == "soft"
    ),
    "bj.13 every hand bust, and it only turns its card": lambda r: (
        r.line("hand-1") == r.line("hand-2") == "lost bust" and drawn(r) == 0 and r.turned("house")
    ),
    "bj.13 every hand settled, and it only turns its card": lambda r: (
        r.any_line("won", "blackjack") and r.any_line("lost", "bust") and drawn(r) == 0
    ),
    "bj.13 one hand bust, and it draws for the other": lambda r: (
        r.line("hand-1") == "lost bust" and "hand-2" in r.lines and drawn(r) > 0
    ),
    "bj.14 a higher total": lambda r: (
        r.line("hand-1") == "won beats-house" and r.chosen == ["stand"]
    ),
    "bj.14 the house busts": lambda r: r.line("hand-1") == "won house-busts" and drawn(r) == 1,
    "bj.14 a tie": lambda r: r.line("hand-1") == "returned tie" and r.chosen == ["stand"],
    "bj.14 a lower total": lambda r: (
        r.line("hand-1") == "lost house-wins" and r.chosen == ["stand"]
    ),
    "bj.14 four doubled halves, each with its own result": lambda r: (
        set(map(r.line, HALVES)) == {"won beats-house", "lost house-wins", "returned tie"}
        and all(r.line(hand) == r.line(double) for hand, double in HALVES.items())
    ),
}
