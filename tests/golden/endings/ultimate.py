"""The endings of a round of Ultimate Texas Hold'em, by clause of docs/rules/ultimate.md."""

from __future__ import annotations

from golden.endings.seen import Ending, Endings


def main(ante: str, blind: str, play: str) -> Ending:
    """Return the test that the three main bets have these results."""
    return lambda r: (r.line("ante"), r.line("blind"), r.line("play")) == (ante, blind, play)


def offered(step: str, *offers: str) -> Ending:
    """Return the test that a step offered just these, and the last of them was taken."""
    return lambda r: any(
        answer.asked.key == step
        and [option.id for option in answer.asked.options if option.id[:5] == "raise"] == [*offers]
        and answer.option == offers[-1]
        for answer in r.answers
    )


BEATEN, LOST, TIE = "won beats-house", "lost house-wins", "returned tie"
CLOSED, BACK, PAID = "returned house-not-opened", "returned blind-below-table", "won blind-pays"

ENDINGS: Endings = {
    "uth.4 four times before the flop": lambda r: r.chosen == ["raise-4"],
    "uth.4 three times before the flop": lambda r: r.chosen == ["raise-3"],
    "uth.4 other raises by the sheet": offered("before-flop", "raise-2"),
    "uth.5 twice after the flop": lambda r: r.chosen == ["check", "raise-2"],
    "uth.5 other raises by the sheet": offered("after-flop", "raise-1", "raise-3"),
    "uth.6 once after the river": lambda r: r.chosen == ["check", "check", "raise-1"],
    "uth.6 other raises by the sheet": offered("after-river", "raise-1", "raise-2"),
    "uth.6 a fold, and the house is never shown": lambda r: (
        r.line("ante") == r.line("blind") == "lost folded" and not r.turned("house")
    ),
    "uth.7 the whole board follows an early raise": lambda r: (
        len(r.answers) == 1 and len(r.cards["board"]) == 5
    ),
    "uth.9 uth.10 not opened, the player wins": main(CLOSED, BACK, BEATEN),
    "uth.9 uth.10 not opened, the blind is paid": main(CLOSED, PAID, BEATEN),
    "uth.9 uth.11 not opened, a tie": main(CLOSED, TIE, TIE),
    "uth.9 uth.12 not opened, the house wins": main(CLOSED, LOST, LOST),
    "uth.9 opened with a high card by the sheet": lambda r: (
        r.kind("house") == "high-card" and r.line("ante") == BEATEN
    ),
    "uth.9 not opened with a pair by the sheet": lambda r: (
        r.kind("house") == "pair" and r.line("ante") == CLOSED
    ),
    "uth.10 opened, the player wins with less than a straight": main(BEATEN, BACK, BEATEN),
    "uth.10 opened, the player wins and the blind is paid": main(BEATEN, PAID, BEATEN),
    "uth.11 opened, a tie": main(TIE, TIE, TIE),
    "uth.11 a tie with a hand that the blind's table lists": lambda r: (
        r.line("blind") == TIE and r.kind("player") == "royal-flush"
    ),
    "uth.12 opened, the house wins": main(LOST, LOST, LOST),
    "uth.13 no trips": lambda r: "trips" not in r.stakes,
    "uth.13 below the table": lambda r: r.line("trips") == "lost trips-below-table",
    "uth.13 paid after a fold": lambda r: (
        r.chosen[-1] == "fold" and r.line("trips") == "won trips-pays"
    ),
    "uth.13 lost after a fold": lambda r: (
        r.chosen[-1] == "fold" and r.line("trips") == "lost trips-below-table"
    ),
    "uth.13 paid though the house wins": lambda r: (
        r.line("play") == LOST and r.line("trips") == "won trips-pays"
    ),
    "uth.13 paid on a tie": lambda r: r.line("play") == TIE and r.line("trips") == "won trips-pays",
}
