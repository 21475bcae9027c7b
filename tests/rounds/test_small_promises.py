"""Small promises with words: a replaced key, a won pot, what is remembered, and for how long."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from rounds.guest_seat import refusal_of
from rounds.house_with_operator import recorded
from rounds.house_with_pot import CENT, GAME, PART, START, played, players, pot_of
from tapisvert.bank.audit import Finding
from tapisvert.operations import key_rotation
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService, jackpot_terms, stored_sheets
from tapisvert.rounds.idempotency import is_kept
from tapisvert.sealing import Sealer
from tapisvert.sheets import load

NEW = Sealer(bytes(range(1, 33)))


def test_a_key_is_replaced_only_where_the_audit_finds_nothing(
    house: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimpleNamespace(findings=(Finding("seals", "3", "is bad"), Finding("keys", "1", "x")))
    monkeypatch.setattr(key_rotation, "audit", lambda tx, dealer: found)
    refused = refusal_of(partial(key_rotation.replace_key, house, NEW, by="anne"))
    details = {"file": "", "what": "seals 3: is bad"}
    assert (refused.code, refused.details) == ("store/altered", details)
    assert recorded(house, "key_replaced") == []


def test_the_journal_has_the_key_before_and_the_key_after(house: PlayerService) -> None:
    old = house.dealer.public_key.hex()
    key_rotation.replace_key(house, NEW, by="anne")
    (event,) = recorded(house, "key_replaced")
    assert event["by"] == "anne"
    assert (event["before"], event["after"]) == (
        {"public_key": old},
        {"public_key": NEW.public_key.hex()},
    )


def test_the_journal_has_the_pot_before_a_win_and_after(pot_house: PlayerService) -> None:
    (player,) = players(pot_house, 1)
    played(player, "royal-flush")
    (event,) = recorded(pot_house, "jackpot_won")
    won = (START + PART) // CENT * CENT
    assert event["by"] == "house"
    assert event["before"]["units"] == START + PART
    assert (event["before"]["epoch"], event["after"]["epoch"]) == (1, 2)
    assert (event["after"]["trigger"], event["after"]["award_units"]) == (1, won)
    assert event["after"]["units"] == START + PART - won + START


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        *(("stake/over_limit", True), ("round/ended", True), ("seat/stale", True)),
        *(("store/unavailable", False), ("dealing/unavailable", False), ("seal/broken", False)),
        *(("sheet/unreadable", False), ("request/in_flight", False)),
        ("round/unknown_edition", False),
    ],
)
def test_a_refusal_is_kept_unless_another_try_may_end_otherwise(code: str, kept: bool) -> None:
    assert is_kept(Refused(code)) is kept


def test_what_is_remembered_has_a_bound(
    pot_house: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    variants: dict[Any, Any] = {}
    monkeypatch.setattr(jackpot_terms, "_VARIANTS", variants)
    monkeypatch.setattr(jackpot_terms, "_VARIANTS_MAX", 2)
    sheet, pot = load(GAME), pot_of(pot_house)
    for cents, size in ((1_000_000, 1), (1_100_000, 2), (1_200_000, 1), (1_200_000, 1)):
        other = replace(pot, reset_cents=cents)
        made = jackpot_terms._variant(sheet, other, None)
        assert made.jackpot == other.figures
        assert len(variants) == size
    assert stored_sheets._SHEETS_MAX >= 100
