"""Key rotation: encrypt, mark and sign everything again under a new house key, in one commit.

Seeds are encrypted again, marks and tails are recomputed, and the new public key is stored with the
signatures of both keys. Earlier seals keep the old key's signatures. A server that still runs with
the old key is refused at its next commit. A database with audit findings is refused, because new
marks would validate forged rows.
"""

from __future__ import annotations

from tapisvert.bank import journal, keys, seals
from tapisvert.operations.audit import audit
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.refusal import Refused
from tapisvert.rounds.audit_trail import mark_everything, write_check_value
from tapisvert.rounds.player_service import PlayerService
from tapisvert.rounds.repository import sealed_seeds, set_sealed_seed
from tapisvert.rounds.seed_source import Dealer
from tapisvert.sealing import Sealer
from tapisvert.store import Tx, tail_repository
from tapisvert.store.tails import IntegrityKey, Tail


def replace_key(house: PlayerService, new: Sealer, *, by: str) -> None:
    """Replace the key of a house."""
    must_be_in_order(house)
    dealer, at_ms = Dealer(new), house.clock()
    old = house.dealer.public_key
    house.store.write(
        lambda tx: journal.record(
            tx,
            at_ms,
            "key_replaced",
            by=by,
            before={"public_key": old.hex()},
            after={"public_key": new.public_key.hex()},
        )
    ).result()
    Housekeeping(house).seal()  # a seal under the old key covers all earlier rows
    house.store.write(lambda tx: _replace(tx, house, dealer, at_ms)).result()


def must_be_in_order(house: PlayerService) -> None:
    """Refuse a database with audit findings."""
    done = house.store.read(lambda tx: audit(tx, house.dealer)).result()
    if done.findings:
        first = done.findings[0]
        what = f"{first.table} {first.row}: {first.what}"
        raise Refused("store/altered", file="", what=what)


def _replace(tx: Tx, house: PlayerService, dealer: Dealer, at_ms: int) -> None:
    tx.lock("seals", "")
    if seals.unsealed(tx) is not None:  # another process is writing
        raise Refused("request/in_flight")
    for round_id, sealed in sealed_seeds(tx):
        again = dealer.seal(house.dealer.unseal(sealed, round_id), round_id)
        set_sealed_seed(tx, round_id, again)
    integrity = IntegrityKey(dealer.integrity_key)
    write_check_value(tx, integrity)
    mark_everything(tx, dealer, integrity, anew=True)
    keys.pass_on(tx, at_ms, dealer.public_key, dealer.sign, house.dealer.sign)
    newest, tail = seals.last_seal(tx), Tail()
    tail.add("seals", integrity.value("seals", newest.id, newest.hash), 1)
    tail_repository.replace_all(tx, integrity, tail)
