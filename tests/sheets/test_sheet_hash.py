"""The hash of a sheet depends on every figure of it and on nothing else (DESIGN section 1)."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from sheets.figures import FIGURES, SHIPPED, Figures, figures, put, written
from tapisvert.engine.sheet_file import load_body, load_file
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.refusal import Refused
from tapisvert.sheets import load


def test_the_hash_is_the_SHA_256_of_the_body_which_holds_every_figure() -> None:
    sheet = load("casino-stud")
    assert sheet.hash == hashlib.sha256(sheet.body).hexdigest()
    plain = json.loads(sheet.body)
    for key, value in (*FIGURES.items(), ("game", "casino-stud")):
        found = plain
        for name in key.split("."):
            found = found[name]
        assert found == value
    assert sheet.body == json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()


def test_a_stored_body_loads_to_the_same_sheet() -> None:
    sheet = load("casino-stud")
    assert load_body(sheet.body, CasinoStud) == sheet
    for broken in (b"", b"{", b"\xff", b"[]", sheet.body.replace(b'"100:1"', b'"100"')):
        with pytest.raises(Refused) as caught:
            load_body(broken, CasinoStud)
        assert caught.value.code in {"sheet/unreadable", "sheet/invalid"}


def test_the_hash_does_not_depend_on_order_comments_or_the_spelling_of_numbers(
    tmp_path: Path,
) -> None:
    def turned(table: Figures) -> Figures:
        return {
            name: turned(value) if isinstance(value, dict) else value
            for name, value in reversed(table.items())
        }

    text = SHIPPED.read_text(encoding="utf-8")
    variants = {
        "keys in reverse": written(turned(figures())),
        "no comments": written(figures()),
        "more comments": text.replace("\n", "  # again\n"),
        "plain numbers": re.sub(r"(?<=\d)_(?=\d)", "", text),
        "hexadecimal": text.replace("= 10_000", "= 0x2710"),
        "whole odds": text.replace('"100:1"', "100").replace('"7:1"', "7"),
        "odds not in lowest terms": text.replace('"4:1"', '"12:3"'),
    }
    for content in variants.values():
        path = tmp_path / "other.toml"
        path.write_text(content, encoding="utf-8")
        assert load_file(path, CasinoStud).hash == load("casino-stud").hash


def test_every_figure_changes_the_hash(tmp_path: Path) -> None:
    hashes = {load("casino-stud").hash}
    changed: list[tuple[str, object]] = [
        (key, value * 2) for key, value in FIGURES.items() if type(value) is int
    ]
    changed += [(key, "6:1") for key in FIGURES if ".pays." in key]
    changed += [("house.qualifies_with", ["A"]), ("house.qualifies_with", ["A", "Q"])]
    changed += [("published.main", "97.44"), ("published.bonus", "91.4")]
    for key, value in changed:
        path = tmp_path / "changed.toml"
        path.write_text(written(put(figures(), key, value)), encoding="utf-8")
        hashes.add(load_file(path, CasinoStud).hash)
    assert len(hashes) == 1 + len(changed)
