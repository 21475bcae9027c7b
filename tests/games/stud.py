"""Casino Stud rounds for tests: whole decks that begin with given cards, run by `tapis replay`.

`Answer` is the contract of DESIGN section 6 as a type: an answer with an extra or missing key does
not decode, so every test that runs a round also checks the shape of the answer.
"""

from __future__ import annotations

import subprocess
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from tapisvert.cards import STANDARD, text
from tapisvert.cli.replay import answer_line

TAPIS = Path(sysconfig.get_path("scripts")) / "tapis"

# Hands of the house for rounds in which its cards do not matter otherwise.
QUALIFIED = "9c Ad Kh 4s 2d"  # ace-king high, a nine face up
NOT_QUALIFIED = "9c Qd Jh 4s 2d"

# The round of docs/replay.md: two pair against a qualified house that shows a seven.
TWO_PAIR, ACE_KING = "Kh Kd 7s 7c 2d", "7h As Kc 9d 4s"


class OptionSeen(Struct, frozen=True, forbid_unknown_fields=True):
    """One option of a question."""

    id: str
    stake_cents: int
    legal: bool
    why_not: str | None
    suggested: bool


class AskSeen(Struct, frozen=True, forbid_unknown_fields=True):
    """A question."""

    step: int
    hand: str | None
    options: list[OptionSeen]


class LineSeen(Struct, frozen=True, forbid_unknown_fields=True):
    """One settled bet; `capped` is written only where it is true."""

    bet: str
    staked: int
    returned: int
    outcome: Literal["won", "returned", "part", "lost"]
    capped: bool = False


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of `tapis replay` for a round."""

    status: Literal["waiting", "settled"]
    ask: AskSeen | None
    lines: list[LineSeen]
    staked: int
    returned: int
    hands: dict[str, list[str]]

    def line(self, bet: str) -> LineSeen:
        [found] = [line for line in self.lines if line.bet == bet]
        return found

    def returns(self) -> dict[str, int]:
        """Return the return of each bet, in the order of the lines."""
        return {line.bet: line.returned for line in self.lines}


class ErrorTold(Struct, frozen=True, forbid_unknown_fields=True):
    """The reason of a refused line."""

    code: str
    message: str


class Error(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of `tapis replay` for a refused line."""

    error: ErrorTold


def whole_deck(*dealt: str) -> list[str]:
    """Return a deck that deals these cards first and then the rest.

    >>> deck = whole_deck("As Ks", "2c")
    >>> len(deck), deck[:4]
    (52, ['As', 'Ks', '2c', '2d'])
    """
    top = " ".join(dealt).split()
    rest = [text(card) for card in STANDARD]
    for card in top:
        rest.remove(card)  # fails on a card that is given twice or does not exist
    return [*top, *rest]


def stud_deck(player: str, house: str) -> list[str]:
    """Return a deck for these two hands; the house's first card is its up card."""
    assert len(player.split()) == len(house.split()) == 5
    return whole_deck(player, house)


def stud_request(
    player: str,
    house: str,
    choices: Sequence[str],
    *,
    ante: int = 1000,
    bonus: int | None = None,
    sheet: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """Return a line for `tapis replay`, not yet written."""
    request: dict[str, object] = {
        "game": "casino-stud",
        "deck": stud_deck(player, house),
        "stakes": {"ante": ante} if bonus is None else {"ante": ante, "bonus": bonus},
        "choices": list(choices),
    }
    return request if sheet is None else {**request, "sheet": dict(sheet)}


def ask_stud(
    player: str,
    house: str,
    *choices: str,
    ante: int = 1000,
    bonus: int | None = None,
    sheet: Mapping[str, object] | None = None,
) -> Answer:
    """Play a round through the command line's own function."""
    request = stud_request(player, house, choices, ante=ante, bonus=bonus, sheet=sheet)
    return read_answer(answer_line(msgspec.json.encode(request)))


def request(**changes: object) -> dict[str, object]:
    """Return a valid line with some keys replaced; `...` removes a key."""
    changed = {**stud_request(TWO_PAIR, ACE_KING, ["play"]), **changes}
    return {key: value for key, value in changed.items() if value is not ...}


def read_answer(line: bytes) -> Answer:
    """Read the answer of a round that was not refused."""
    return msgspec.json.decode(line, type=Answer)


def refusal_of(request: object) -> ErrorTold:
    """Return the reason a request is refused; raw bytes are sent as they are."""
    line = request if isinstance(request, bytes) else msgspec.json.encode(request)
    return msgspec.json.decode(answer_line(line), type=Error).error


def run_tapis(*arguments: str, lines: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the real command to its end."""
    return subprocess.run([TAPIS, *arguments], input=lines, capture_output=True, check=False)


def is_royal(cards: Sequence[int]) -> bool:
    """Tell whether five cards are a royal flush, by their faces alone."""
    faces = [text(card) for card in cards]
    return {face[0] for face in faces} == set("AKQJT") and len({face[1] for face in faces}) == 1
