"""A new key for the house: everything under the old one is put under the new one, in one commit.

Seeds are sealed again, marks and tails made again, and the new public key is written down signed by
both keys. What was sealed before stays under the old key's signatures, which the new key has
vouched for. A server that still runs with the old key is refused at its next commit.
"""

from __future__ import annotations

from tapisvert.bank import journal, keys, seals
from tapisvert.rounds.books import mark_everything, write_word
from tapisvert.rounds.dealer import Dealer
from tapisvert.rounds.house import House
from tapisvert.rounds.keeper import Keeper
from tapisvert.rounds.records import sealed_seeds
from tapisvert.sealing import Sealer
from tapisvert.store import Tx
from tapisvert.store.cover import Cover, Tail


def replace_key(house: House, new: Sealer, *, by: str) -> None:
    """Put a house under a new key."""
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
    Keeper(house).seal()  # all that the old key has covered is under a seal of its own
    house.store.write(lambda tx: _replace(tx, house, dealer, at_ms)).result()


def _replace(tx: Tx, house: House, dealer: Dealer, at_ms: int) -> None:
    tx.lock("seals", "")
    for round_id, sealed in sealed_seeds(tx):
        again = dealer.seal(house.dealer.unseal(sealed, round_id), round_id)
        tx.run("UPDATE rounds SET sealed_seed = ? WHERE id = ?", (again, round_id))
    cover = Cover(dealer.cover_key)
    write_word(tx, cover)
    mark_everything(tx, dealer, cover, anew=True)
    keys.pass_on(tx, at_ms, dealer.public_key, dealer.sign, house.dealer.sign)
    newest, tail = seals.last_seal(tx), Tail()
    tail.add("seals", cover.value("seals", newest.id, newest.hash), 1)
    tx.run("DELETE FROM tails")
    body = tail.body()
    tx.run("INSERT INTO tails (slot, body, mac) VALUES (0, ?, ?)", (body, cover.mac(0, body)))
