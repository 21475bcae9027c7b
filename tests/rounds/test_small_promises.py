"""Small promises with words: a replaced key, a won pot, what is remembered, and for how long."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bank.tampering import Forger
from rounds.guest_seat import Seated, refusal_of
from rounds.house_with_operator import recorded
from rounds.house_with_pot import CENT, GAME, PART, START, played, players, pot_of
from tapisvert.bank import keys, seals
from tapisvert.bank.audit import Finding
from tapisvert.bank.seal_audit import Trust, check_keys, check_seals
from tapisvert.games.registry import current
from tapisvert.operations import key_rotation
from tapisvert.operations.audit import audit
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import Dealer, PlayerService, jackpot_terms, stored_sheets
from tapisvert.rounds.bounded_cache import BoundedCache
from tapisvert.sealing import Sealer
from tapisvert.sheets import load
from tapisvert.store.sqlite_tx import SqliteTx

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


def test_every_key_is_vouched_for_by_the_one_before_it(house: PlayerService) -> None:
    news = [Sealer(bytes(range(first, first + 32))) for first in (1, 2, 3)]
    first = house.dealer.public_key
    for new in news:
        key_rotation.replace_key(house, new, by="anne")
        house = PlayerService(house.store, Dealer(new), clock=house.clock)
    found = house.store.read(keys.all_keys).result()
    assert [key.public_key for key in found] == [first, *(new.public_key for new in news)]
    assert keys.first_wrong(found) is None
    told = house.store.read(lambda tx: audit(tx, house.dealer)).result()
    assert (told.findings, told.public_key) == ((), news[-1].public_key.hex())
    trust = Trust(bytes(32))
    (wrong,) = house.store.read(lambda tx: list(check_keys(tx, trust))).result()
    assert wrong == Finding("keys", "4", "no stored key is the public key you trust")
    for place in range(4):
        forged = [*found]
        forged[place] = replace(found[place], passed_on=found[place].signature)
        assert keys.first_wrong(forged) == place + 1


def test_a_seal_by_a_key_that_was_replaced_is_told(house: PlayerService, tmp_path: Path) -> None:
    """Whoever finds an old key can write no seal after those of the new one."""
    old = house.dealer
    key_rotation.replace_key(house, NEW, by="anne")
    house = PlayerService(house.store, Dealer(NEW), clock=house.clock)
    for _ in range(2):
        Seated(house)
        Housekeeping(house).seal()
    forger = Forger(tmp_path / "tapis.db")
    *_, before, last = (seals.Seal(*row) for row in forger.rows(f"{seals.SELECT} ORDER BY id"))
    body = msgspec.json.encode(replace(last.content, key=1)).decode()
    found = seals.digest(before.hash, last.id, last.at_ms, body)
    forged = "UPDATE seals SET body = ?, hash = ?, signature = ? WHERE id = ?"
    forger.file.execute(forged, (body, found, old.sign(found), last.id))
    told = [*check_seals(SqliteTx(forger.file), Trust(NEW.public_key))]
    forger.file.close()
    assert told == [Finding("seals", str(last.id), "is signed with a key that was replaced")]


def test_a_key_is_not_replaced_while_rows_are_written(
    house: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Housekeeping, "seal", lambda self: None)
    refused = refusal_of(partial(key_rotation.replace_key, house, NEW, by="anne"))
    assert (refused.code, refused.details) == ("request/in_flight", {})
    assert len(house.store.read(keys.all_keys).result()) == 1


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


def test_a_full_cache_gives_up_its_oldest_entry() -> None:
    cache = BoundedCache[str, int](2)
    assert [cache.put(name, number) for number, name in enumerate("abb")] == [0, 1, 2]
    assert [cache.get(name) for name in "abc"] == [0, 2, None]
    cache.put("c", 3)
    assert [cache.get(name) for name in "abc"] == [None, 2, 3]


def test_sheets_of_pots_and_stored_sheets_are_made_again_when_the_cache_gave_them_up(
    pot_house: PlayerService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jackpot_terms, "_VARIANTS", BoundedCache(1))
    sheet, pot = load(GAME), pot_of(pot_house)
    for cents in (1_000_000, 1_100_000, 1_000_000, 1_000_000):
        other = replace(pot, reset_cents=cents)
        assert jackpot_terms._variant(sheet, other, None).jackpot == other.figures
    monkeypatch.setattr(stored_sheets, "_SHEETS", BoundedCache(1))
    for game in ("casino-stud", "ultimate", "ultimate", "casino-stud"):
        Seated(pot_house).seat(game)
        name, by = load(game).hash, current(game)
        found = pot_house.store.read(partial(stored_sheets.stored_sheet, name=name, by=by))
        assert found.result() == load(game)


@pytest.mark.parametrize("cache", [jackpot_terms._VARIANTS, stored_sheets._SHEETS])
def test_a_cache_of_sheets_is_large_enough_for_every_game_of_a_group(
    cache: BoundedCache[Any, Any],
) -> None:
    assert cache.most >= 100
