"""The endings of a round of High Card Flush, by clause of docs/rules/high-card-flush.md."""

from __future__ import annotations

from golden.endings.seen import Ending, Endings, Seen, better, suits


def raised(option: str, kind: str) -> Ending:
    """Return the test that a raise was taken with a flush of that kind."""
    return lambda r: r.chosen == [option] and r.kind("player") == kind


def forbidden(option: str, kind: str) -> Ending:
    """Return the test that a raise was listed as forbidden with a flush of that kind."""
    return lambda r: option in r.answers[0].forbidden and r.kind("player") == kind


def unqualified(r: Seen) -> bool:
    """Tell whether the house did not qualify: the ante wins, the raise is returned."""
    return (
        r.line("ante") == "won house-not-qualified"
        and r.line("raise") == "returned house-not-qualified"
    )


ENDINGS: Endings = {
    "flush.3 the better of two suits": lambda r: (
        sorted(suits(r.cards["player"]).values())[-2:] == [3, 3]
    ),
    "flush.5 raise the ante with two cards": raised("raise-1", "flush-2"),
    "flush.5 raise the ante with three cards": raised("raise-1", "flush-3"),
    "flush.5 raise the ante with four cards": raised("raise-1", "flush-4"),
    "flush.5 raise the ante with five cards": raised("raise-1", "flush-5"),
    "flush.5 raise twice with five cards": raised("raise-2", "flush-5"),
    "flush.5 raise twice with six cards": raised("raise-2", "flush-6"),
    "flush.5 raise twice with seven cards": raised("raise-2", "flush-7"),
    "flush.5 not twice with two cards": forbidden("raise-2", "flush-2"),
    "flush.5 not twice with three cards": forbidden("raise-2", "flush-3"),
    "flush.5 not twice with four cards": forbidden("raise-2", "flush-4"),
    "flush.5 three times by the sheet": raised("raise-3", "flush-6"),
    "flush.5 three times by the sheet, not with five": forbidden("raise-3", "flush-5"),
    "flush.6 a fold, and the house is never shown": lambda r: (
        r.line("ante") == "lost folded" and not r.turned("house")
    ),
    "flush.7 the best hand may not be folded": lambda r: "fold" in r.answers[0].forbidden,
    "flush.7 any other of seven cards may": lambda r: (
        r.kind("player") == "flush-7" and r.chosen == ["fold"]
    ),
    "flush.8 the house just qualifies": lambda r: (
        r.line("raise") == "won beats-house" and r.names("house")[0].ranks == "932"
    ),
    "flush.8 the house qualifies by length": lambda r: (
        r.turned("house") and r.names("house")[0].ranks == "5432" and not unqualified(r)
    ),
    "flush.8 the house's three cards are too low": lambda r: (
        unqualified(r) and r.kind("house") == "flush-3"
    ),
    "flush.8 the house has two cards": lambda r: unqualified(r) and r.kind("house") == "flush-2",
    "flush.8 nine high is too low by the sheet": lambda r: (
        unqualified(r) and r.names("house")[0].ranks == "974"
    ),
    "flush.9 not qualified, and weaker": lambda r: unqualified(r) and better(r, "player", "house"),
    "flush.9 not qualified, but stronger": lambda r: (
        unqualified(r) and better(r, "house", "player")
    ),
    "flush.9 not qualified, twice the ante comes back": lambda r: (
        unqualified(r) and r.chosen == ["raise-2"]
    ),
    "flush.10 the house is beaten": lambda r: (
        r.line("ante") == r.line("raise") == "won beats-house"
    ),
    "flush.11 a tie": lambda r: r.line("ante") == r.line("raise") == "returned tie",
    "flush.11 the house wins by rank": lambda r: (
        r.line("ante") == r.line("raise") == "lost house-wins"
        and r.kind("house") == r.kind("player")
    ),
    "flush.11 the house wins by length": lambda r: (
        r.line("ante") == r.line("raise") == "lost house-wins"
        and r.kind("house") > r.kind("player")
    ),
    "flush.12 no side bets": lambda r: list(r.stakes) == ["ante"],
    "flush.12 below the table": lambda r: r.line("flush") == "lost flush-below-table",
    "flush.13 below the table": lambda r: (
        r.line("straight-flush") == "lost straight-flush-below-table"
    ),
    "flush.13 the ace is high": lambda r: (
        r.kind("straight-flush") == "straight-flush-3" and r.names("flush")[0].ranks[:3] == "AKQ"
    ),
    "flush.13 the ace is low": lambda r: (
        r.kind("straight-flush") == "straight-flush-3" and r.names("flush")[0].ranks == "A32"
    ),
    "flush.14 both are paid after a fold": lambda r: (
        r.chosen == ["fold"]
        and r.line("flush") == "won flush-pays"
        and r.line("straight-flush") == "won straight-flush-pays"
    ),
    "flush.14 both are lost after a fold": lambda r: (
        r.chosen == ["fold"]
        and r.line("flush") == "lost flush-below-table"
        and r.line("straight-flush") == "lost straight-flush-below-table"
    ),
    "flush.14 paid though the house wins": lambda r: (
        r.line("ante") == "lost house-wins" and r.line("flush") == "won flush-pays"
    ),
    "flush.14 paid though the house does not qualify": lambda r: (
        unqualified(r) and r.line("straight-flush") == "won straight-flush-pays"
    ),
}
