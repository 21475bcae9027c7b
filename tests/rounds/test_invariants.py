"""The invariants between modules of `rounds`, and the refusal of impossible commands."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from houses import PLAYER_WINS, make_house
from rounds.guest_seat import (
    PATIENCE_S,
    STUD,
    Seated,
    other_sheet,
    read,
    refusal_of,
    rows_of,
    write,
)
from rounds.house_with_operator import Funded, Operator, opened, played
from stores import both_at_length, store_at
from tapisvert.bank import money
from tapisvert.bank.pot import Award
from tapisvert.engine import events
from tapisvert.key_file import make_key
from tapisvert.operations.key_check import check_key_file
from tapisvert.refusal import Broken, unwrap
from tapisvert.rounds import Dealer, PlayerService
from tapisvert.rounds.audit_trail import _EVERYTHING, _open, start_audit_trail
from tapisvert.rounds.draft import Change, Draft
from tapisvert.rounds.jackpot_terms import terms_of
from tapisvert.rounds.load import _tables
from tapisvert.rounds.playing import choose
from tapisvert.rounds.repository import change_rounds, load_round
from tapisvert.rounds.schemas import ChoiceRequest, Wallet
from tapisvert.rounds.settlement import settle
from tapisvert.rounds.state import HouseTables
from tapisvert.rounds.stored_sheets import sheets_for, stored_body
from tapisvert.sealing import Sealer
from tapisvert.sheets import load
from tapisvert.store.tails import IntegrityKey

pytestmark = both_at_length

T = TypeVar("T")


def broken(command: Callable[[], object]) -> str:
    """Return the invariant that a command violates."""
    with pytest.raises(Broken) as found:
        command()
    return str(found.value)


def test_a_round_that_is_not_in_the_state_it_was_found_in_is_not_changed(
    house: PlayerService,
) -> None:
    guest = Seated(house)
    opened(guest, STUD)
    opened(guest, "pai-gow")
    found = guest.draft(lambda draft: [*draft.rounds.values()])
    before = rows_of(house, "SELECT * FROM rounds ORDER BY seq")
    for wrong in (
        [Change(found[0], "seated")],
        [Change(found[0], "open"), Change(found[1], "settled")],  # nor is its neighbour
        [Change(msgspec.structs.replace(found[0], id="nothing"), "open")],
    ):
        changed = [each._replace(returned_cents=7) for each in wrong]
        change = house.store.write(partial(change_rounds, changes=changed))
        assert broken(partial(change.result, PATIENCE_S)) == (
            "a round must be in the state it was loaded in"
        )
    assert rows_of(house, "SELECT * FROM rounds ORDER BY seq") == before


def test_a_round_that_would_keep_money_does_not_end(house: PlayerService) -> None:
    guest = Seated(house)
    round_id = opened(guest, STUD)
    write(house, "UPDATE accounts SET units = units + 100000 WHERE id = ?", f"round:{round_id}")
    before = rows_of(house, "SELECT * FROM transfers")
    assert broken(lambda: guest.choose(round_id, "fold")) == "an ended round must hold no money"
    assert rows_of(house, "SELECT * FROM transfers") == before
    assert read(guest.shown(round_id)).round.state == "open"


def test_a_client_seed_has_from_one_to_128_bytes(house: PlayerService) -> None:
    for seed in ("", "x" * 129, "é" * 64 + "x"):
        guest = Seated(house)
        refused = refusal_of(partial(guest.open, guest.asking(client_seed=seed)))
        assert (refused.code, refused.details) == ("seat/client_seed", {"max_bytes": 128})
    for seed in ("x", "x" * 128, "é" * 64):
        guest = Seated(house)
        assert read(guest.open(guest.asking(client_seed=seed))).round.client_seed == seed


def test_a_sheet_that_cannot_be_read_is_refused_where_it_is_needed(house: PlayerService) -> None:
    guest = Seated(house)
    opened(guest, STUD)
    (stored,) = guest.draft(lambda draft: [*draft.rounds.values()])
    lost = [stored, msgspec.structs.replace(stored, sheet_hash="lost")]
    found = house.store.read(lambda tx: sheets_for(tx, lost, [], ())).result(PATIENCE_S)
    assert found[stored.sheet_hash] == load(STUD)
    assert refusal_of(partial(unwrap, found["lost"])).details["file"] == "lost"
    own_sheets = ((STUD, "lost"), ("roulette", "gone"))
    player = dataclasses.replace(guest.ask(lambda desk: desk.player), own_sheets=own_sheets)
    games = (STUD, "roulette")
    found = house.store.read(lambda tx: sheets_for(tx, [], [player], games)).result(PATIENCE_S)
    assert found.keys() == {"lost"}
    assert refusal_of(partial(unwrap, found["lost"])).details["file"] == "lost"


def test_a_group_of_two_currencies_has_the_rates_of_both(house: PlayerService) -> None:
    office = Operator(house)
    office.open_jackpot("blackjack", "CAD")
    office.set_rate("blackjack", "EUR", "1.4700")
    players = {
        currency: Funded(house, currency=currency).ask(lambda desk: desk.player)
        for currency in ("CAD", "EUR")
    }

    def loaded(group: tuple[str, ...]) -> HouseTables:
        given = (house.shared(), (), (), [players[currency] for currency in group])
        return house.store.read(lambda tx: _tables(tx, *given)).result(PATIENCE_S)

    for group, rated in ((("CAD",), 0), (("EUR",), 1), (("CAD", "EUR"), 1), (("EUR", "CAD"), 1)):
        tables = loaded(group)
        assert len(tables.rates) == rated
    house_sheet = load("blackjack")  # with play money the pot stays a demonstration
    assert terms_of(house_sheet, "FUN", tables.pots, tables.rates).pot is None
    assert terms_of(house_sheet, "CAD", tables.pots, tables.rates).pot is not None


def test_a_refused_choice_names_its_round(house: PlayerService) -> None:
    guest = Seated(house)
    round_id, over = opened(guest, STUD), played(guest, "pai-gow")
    for of, choice, step, code, more in (
        (round_id, "nothing", 0, "choice/not_offered", {}),
        (round_id, "play", 5, "round/stale_step", {"step": 0}),
        (over, "play", 0, "round/stale_step", {"step": 1}),
        (over, "play", 1, "round/ended", {}),
        ("nothing", "play", 0, "round/unknown", {}),
    ):
        refused = refusal_of(partial(guest.choose, of, choice, step))
        assert refused.code == code
        assert refused.details["round_id"] == of
        if code.startswith("round/"):  # refused by the choice itself
            itself = partial(choose, round_id=of, asked=ChoiceRequest(step, choice))
            refused = refusal_of(partial(guest.draft, itself, of))
            assert (refused.code, refused.details) == (code, {"round_id": of, **more})


def test_a_deal_that_waits_or_was_retired_is_no_round_yet(tmp_path: Path) -> None:
    house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    guest = Seated(house)
    retired = guest.seat().round_id
    house.sheet_of = other_sheet
    seated = guest.seat().round_id
    states = rows_of(house, "SELECT state FROM rounds ORDER BY seq")
    assert states == [("retired",), ("seated",)]
    for round_id in (retired, seated, "nothing"):
        refused = refusal_of(partial(guest.choose, round_id, "fold"))
        assert (refused.code, refused.details) == ("round/unknown", {"round_id": round_id})
        load_it = partial(load_round, player_id=guest.player_id, round_id=round_id)
        refused = refusal_of(house.store.read(load_it).result)
        assert (refused.code, refused.details) == ("round/unknown", {"round_id": round_id})
    house.store.close()


def test_the_seat_that_is_retired_is_revealed_and_nobody_elses(tmp_path: Path) -> None:
    house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    first, second = Seated(house), Seated(house)
    played_id = read(first.open()).round.id
    theirs, mine = first.seat("pai-gow"), second.seat()
    house.sheet_of = other_sheet
    seat = second.seat()
    assert seat.retired is not None
    assert (seat.retired.round_id, seat.retired.commitment) == (mine.round_id, mine.commitment)
    seed = bytes.fromhex(seat.retired.server_seed)
    assert hashlib.sha256(seed).hexdigest() == mine.commitment
    assert second.seat() == seat  # repeated requests get the same reply
    states: dict[str, str] = dict(rows_of(house, "SELECT id, state FROM rounds"))
    assert states == {
        played_id: "open",
        theirs.round_id: "seated",
        mine.round_id: "retired",
        seat.round_id: "seated",
    }
    house.store.close()


def test_a_sheet_that_was_never_stored_is_told_by_its_name(house: PlayerService) -> None:
    refused = refusal_of(house.store.read(lambda tx: stored_body(tx, "nothing")).result)
    assert refused.code == "sheet/unreadable"
    assert refused.details == {"file": "nothing", "reason": "not stored"}


def test_what_a_key_stands_for_is_the_same_for_ever(house: PlayerService) -> None:
    """Keys outlive the program version: another version must recognise the same command."""
    guest = Seated(house)
    request = guest.asking()
    round_id = read(guest.open(request, "first")).round.id
    guest.choose(round_id, "fold", key="second")
    guest.leave(0)
    guest.more("third")
    expected = {
        "first": ["open", request],
        "second": [f"choose {round_id}", {"step": 0, "choice": "fold"}],
        "third": ["more play money", None],
    }
    for key, kept in rows_of(house, "SELECT key, fingerprint FROM commands"):
        written = msgspec.json.encode(expected.pop(key), order="sorted")
        assert kept == hashlib.sha256(written).digest()
    assert expected == {}


def test_another_fact_of_the_house_is_not_its_sealed_word(tmp_path: Path) -> None:
    store = store_at(tmp_path / "tapis.db")
    two = "INSERT INTO facts VALUES ('a', ?), ('z', ?)"
    store.write(lambda tx: tx.run(two, (b"\0", b"\0"))).result()
    made = check_key_file(store, tmp_path / "tapis.key")
    again = check_key_file(store, tmp_path / "tapis.key")
    assert again.open(made.seal(b"seed", "round", bytes(12)), "round") == b"seed"
    store.close()


def test_another_key_does_not_open_the_house(tmp_path: Path) -> None:
    store = store_at(tmp_path / "tapis.db")
    PlayerService(store, Dealer(check_key_file(store, tmp_path / "tapis.key")))
    other = tmp_path / "other.key"
    make_key(other)
    refused = refusal_of(lambda: check_key_file(store, other))
    assert (refused.code, refused.details) == ("seal/wrong_key", {"file": str(other)})
    store.close()


def test_a_draft_counts_to_the_cent_and_no_account_goes_below_zero(house: PlayerService) -> None:
    guest = Seated(house)
    round_id = opened(guest, STUD)
    guest.seat("pai-gow")
    mine = money.player_account(guest.player_id)

    def ask(draft: Draft) -> None:
        purse = draft.state.purse(round_id)
        balance, held = guest.purse()
        assert draft.wallet() == Wallet("FUN", balance, held)
        assert draft.balance_cents("round:none") == 0
        draft.open_account("round:new")
        least = money.in_units("round:new", mine, 1, "return")
        assert broken(lambda: draft.move(purse, least)) == "a balance must not be negative"
        draft.move(purse, money.Transfer(mine, "round:new", balance, "stake"))
        assert (draft.balance_cents(mine), draft.balance_cents("round:new")) == (0, balance)
        assert draft.wallet() == Wallet("FUN", 0, held)
        one = money.Transfer(mine, "round:new", 1, "stake")
        assert broken(lambda: draft.move(purse, one)) == "a balance must not be negative"
        least = money.in_units(mine, "round:new", 1, "stake")
        assert broken(lambda: draft.move(purse, least)) == "a balance must not be negative"
        nothing: Any = None
        pot = Award(nothing, nothing, nothing, None, 0, ())
        draft.award(purse, pot)
        assert broken(lambda: draft.award(purse, pot)) == "a round must not win a pot twice"

    guest.draft(ask, round_id)


def test_an_award_that_is_not_paid_as_it_was_claimed_breaks_off(house: PlayerService) -> None:
    guest = Seated(house)
    round_id = opened(guest, STUD)
    claimed = events.Claimed(0, "royal", 500)

    def ask(draft: Draft) -> None:
        purse = money.Purse(guest.player_id, "CAD", 1, round_id)
        settled = events.Settled(0, "royal", 0, 501, "won", "royal")
        said = broken(lambda: settle(draft, purse, "blackjack", [claimed, settled]))
        assert said == "a bet must return the award it claimed"

    guest.draft(ask, round_id)


def test_another_key_starts_no_audit_trail(tmp_path: Path) -> None:
    house = make_house(tmp_path / "tapis.db", PLAYER_WINS)
    other = Dealer(Sealer(bytes(32)))
    refused = refusal_of(lambda: start_audit_trail(house.store, other, house.clock))
    assert (refused.code, refused.details) == ("seal/wrong_key", {"file": "the key file"})
    house.store.close()


def test_an_audit_trail_that_another_server_has_started_is_not_started_again(
    house: PlayerService,
) -> None:
    integrity = IntegrityKey(house.dealer.integrity_key)
    assert {*_EVERYTHING.values()} == {2**63 - 1}  # the first seal covers all rows there are
    house.store.write(lambda tx: _open(tx, integrity, house.dealer, "", 1)).result()
    assert rows_of(house, "SELECT COUNT(*) FROM keys") == [(1,)]
    assert rows_of(house, "SELECT COUNT(*) FROM seals") == [(1,)]
