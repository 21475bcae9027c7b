"""The endings of a round of Casino Stud, by clause of docs/rules/casino-stud.md."""

from __future__ import annotations

from golden.endings.seen import Endings, better, order

ENDINGS: Endings = {
    "stud.5 play for twice the ante": lambda r: (
        "play" in r.lines and r.lines["play"].staked_cents == 2 * r.stakes["ante"]
    ),
    "stud.6 a fold, and the house is never shown": lambda r: (
        r.line("ante") == "lost folded" and not r.turned("house")
    ),
    "stud.7 a royal flush may not be folded": lambda r: (
        r.kind("player") == "royal-flush" and "fold" in r.answers[0].forbidden
    ),
    "stud.7 a royal flush that needs the up card may be": lambda r: (
        r.kind("bonus") == "royal-flush" and r.chosen == ["fold"]
    ),
    "stud.9 the house does not qualify": lambda r: (
        r.line("ante") == "won house-not-qualified"
        and r.line("play") == "returned house-not-qualified"
    ),
    "stud.9 even if its hand is the stronger": lambda r: (
        "house-not-qualified" in r.said and better(r, "house", "player")
    ),
    "stud.10 the house is beaten": lambda r: r.line("ante") == r.line("play") == "won beats-house",
    "stud.11 a tie": lambda r: r.line("ante") == r.line("play") == "returned tie",
    "stud.12 the house wins": lambda r: r.line("ante") == r.line("play") == "lost house-wins",
    "stud.13 no bonus": lambda r: "bonus" not in r.stakes,
    "stud.13 the up card counts": lambda r: (
        r.line("bonus") == "won bonus-pays"
        and order(r.names("bonus")[0]) > order(r.names("player")[0])
    ),
    "stud.13 below the table": lambda r: r.line("bonus") == "lost bonus-below-table",
    "stud.14 a fold with the bonus lost": lambda r: (
        r.chosen == ["fold"] and r.line("bonus") == "lost bonus-below-table"
    ),
    "stud.14 a fold with the bonus paid": lambda r: (
        r.chosen == ["fold"] and r.line("bonus") == "won bonus-pays"
    ),
    "stud.14 not qualified, the bonus paid": lambda r: (
        "house-not-qualified" in r.said and r.line("bonus") == "won bonus-pays"
    ),
    "stud.14 the house wins, the bonus paid": lambda r: (
        r.line("ante") == "lost house-wins" and r.line("bonus") == "won bonus-pays"
    ),
    "stud.15 capped": lambda r: any(line.capped for line in r.lines.values()),
    "stud.16 the lowest straight": lambda r: (
        r.kind("player") == "straight" and r.names("player")[0].ranks == "5"
    ),
}
