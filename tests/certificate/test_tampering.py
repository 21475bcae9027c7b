"""A certificate reports every single change of its data, by its own program."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from certificate.changes import Data, changes, with_digests
from certificate.played import GAMES, first, rich
from game_tables import only_editions
from node import run
from tapisvert.coach.decisions import DecisionValue
from tapisvert.games import registry
from tapisvert.history.round_proof import Proof, decisions_of
from tapisvert.web.certificate import HouseSays, certificate_page
from tiers import long

SAID = HouseSays("2026-11-15T09:45:03.086Z")


def made_up(proof: Proof) -> list[DecisionValue]:
    """Return made-up values of a round's decisions: the larger the stake, the lower the value."""
    found = []
    for ask, _, unit_cents in decisions_of(proof):
        legal = [option for option in ask.options if option.legal]
        worth = {each.id: -each.stake_cents / 1000 - n / 100 for n, each in enumerate(legal)}
        best = max(worth, key=lambda option: worth[option])
        found.append(DecisionValue(ask.step, unit_cents, worth, best))
    return found


def page_of(proof: Proof) -> str:
    return certificate_page(proof, "en", SAID, made_up(proof))


def data_of(page: str) -> Data:
    written = re.search(r'id="certificate">(.*?)</script>', page, re.DOTALL)
    assert written is not None
    data: Data = msgspec.json.decode(written[1])
    return data


def examined(page: str, texts: list[bytes], folder: Path) -> list[dict[str, Any]]:
    """Run a certificate's own program on data given as text."""
    file = folder / "certificate.html"
    file.write_text(page, encoding="utf-8")
    lines = [msgspec.json.encode(text.decode()) for text in texts]
    found = run("certificate/examine.mjs", file, lines=lines)
    return [msgspec.json.decode(line) for line in found]


@cache
def subject(game: str) -> tuple[str, Data]:
    page = page_of(rich(game))
    return page, data_of(page)


@pytest.mark.parametrize("game", GAMES)
def test_a_true_certificate_is_true(game: str, tmp_path: Path) -> None:
    page, data = subject(game)
    assert examined(page, [msgspec.json.encode(data)], tmp_path) == [
        {"true": True, "false": [], "fields": []}
    ]


# One change in so many of every field; in the second tier all of them.
sampled = pytest.mark.parametrize("one_in", [6, pytest.param(1, marks=long)])


@sampled
@pytest.mark.parametrize("game", GAMES)
def test_every_single_change_is_named(game: str, one_in: int, tmp_path: Path) -> None:
    page, data = subject(game)
    made = list(changes(data, one_in))
    found = examined(page, [msgspec.json.encode(each.data) for each in made], tmp_path)
    for change, said in zip(made, found, strict=True):
        assert said["true"] is False, change.what
        assert "written" in said["false"], change.what
        assert change.field == "digests" or change.field in said["fields"], (change.what, said)
        assert not change.part or set(change.part.split(" or ")) & set(said["false"]), change.what
    print(f"{game}: {len(made)} changes, each of them named")
    assert len(made) > 350 / one_in


@sampled
@pytest.mark.parametrize("game", GAMES)
def test_a_forger_who_mends_the_digests_is_found_by_the_two_programs(
    game: str, one_in: int, tmp_path: Path
) -> None:
    page, data = subject(game)
    made = [each for each in changes(data, one_in) if each.part and each.field != "digests"]
    texts = [msgspec.json.encode(with_digests(each.data)) for each in made]
    for change, said in zip(made, examined(page, texts, tmp_path), strict=True):
        assert said["true"] is False, change.what
        parts = set(change.part.split(" or "))
        assert parts & set(said["false"]), (change.what, said)
    assert len(made) > 300 / one_in


def test_what_a_page_cannot_know_a_stake_its_payment_and_the_digests_changed_together(
    tmp_path: Path,
) -> None:
    """A documented limit (docs/certificate.md): only the house's record reveals it."""
    page, data = subject("casino-stud")
    proof = data["proof"]
    folded = {**proof, "stakes": {"ante": 1000}, "answers": ["fold"]}
    folded["lines"] = [
        {"bet": "ante", "staked_cents": 1000, "returned_cents": 0, "outcome": "lost"}
        | {"capped": False}
    ]
    forged = with_digests({**data, "proof": folded})
    assert examined(page, [msgspec.json.encode(forged)], tmp_path)[0]["true"] is True


@pytest.mark.parametrize("one_in", [25, pytest.param(1, marks=long)])
def test_not_a_byte_of_the_data_can_be_changed(one_in: int, tmp_path: Path) -> None:
    page, data = subject("casino-stud")
    whole = msgspec.json.encode(data)
    texts = [
        whole[:at] + (b"0" if whole[at : at + 1] != b"0" else b"1") + whole[at + 1 :]
        for at in range(0, len(whole), one_in)
        if whole[at] < 128  # a byte inside a letter of several leaves no text at all
    ]
    found = examined(page, texts, tmp_path)
    assert [text for text, said in zip(texts, found, strict=True) if said["true"]] == []
    assert len(texts) > 3_000 / one_in


def test_what_is_no_certificate_at_all_is_false(tmp_path: Path) -> None:
    page, _ = subject("casino-stud")
    texts = [b"", b"{", b"null", b"[]", b"{}", b'{"format":1}', b"1.5"]
    said = examined(page, texts, tmp_path)
    assert [each["true"] for each in said] == [False] * len(texts)


@pytest.mark.parametrize("reason", ["expired", "operator"])
def test_a_void_round_is_certified_and_its_reason_is_kept(reason: str, tmp_path: Path) -> None:
    proof = first("blackjack", lambda each: each.void_reason is not None, reason)
    page = page_of(proof)
    data = data_of(page)
    other = "operator" if reason == "expired" else "expired"
    texts = []
    for told in (reason, other, None):
        record = {**data["proof"], "void_reason": told}
        texts.append(msgspec.json.encode({**data, "proof": record}))
    true, swapped, finished = examined(page, texts, tmp_path)
    assert true["true"] is True
    assert (swapped["false"], swapped["fields"]) == (["written"], ["void_reason"])
    assert "unfinished" in finished["fields"]
    assert set(finished["false"]) >= {"choices", "written"}


def test_control_a_program_that_looks_at_nothing_finds_nothing(tmp_path: Path) -> None:
    page, data = subject("casino-stud")
    line = "const found = await sheetHash(fields[field] ?? null).catch(() => '');"
    assert page.count(line) == 1
    blind = page.replace(line, "const found = digests?.[field];")
    changed = {**data, "house": {"opened_at": "another day", "reversal": None}}
    said = examined(blind, [msgspec.json.encode(changed)], tmp_path)
    assert said[0]["true"] is True


@pytest.mark.parametrize("number", [each.number for each in registry.GAMES["blackjack"].editions])
def test_a_round_of_every_edition_is_certified(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_editions(monkeypatch, "blackjack", number)
    proof = first("blackjack", lambda each: "split-1" in {line.bet for line in each.lines})
    assert proof.edition == number
    page = page_of(proof)
    texts = [msgspec.json.encode(data_of(page))]
    assert examined(page, texts, tmp_path) == [{"true": True, "false": [], "fields": []}]
