"""Vendored files: VENDOR.md lists files, versions and licences."""

from __future__ import annotations

import json

import pytest

import vendoring
from not_run import not_run

PAGE = vendoring.PAGE.read_text(encoding="utf-8")
ROWS = vendoring.rows(PAGE)
LIBRARIES = {"lit-html": "BSD-3-Clause", "@preact/signals-core": "MIT"}


def test_every_vendored_file_is_told_and_every_told_file_is_there() -> None:
    folders = ("vendor/*.js", "fonts/*")
    there = {path for folder in folders for path in vendoring.STATIC.glob(folder)}
    assert set(ROWS) == {str(path.relative_to(vendoring.STATIC)) for path in there}


@pytest.mark.parametrize("file", ROWS)
def test_a_file_is_the_one_that_is_told(file: str) -> None:
    assert ROWS[file]["sha256"] == vendoring.sha256(file), "make vendor"


def test_the_versions_are_exact_and_those_of_package_json_and_of_its_lock() -> None:
    lock = json.loads((vendoring.ROOT / "package-lock.json").read_text(encoding="utf-8"))
    for file, package in vendoring.BUNDLES.items():
        version = vendoring.versions()[package]
        assert ROWS[file]["name"] == package
        assert ROWS[file]["version"] == version
        assert lock["packages"][f"node_modules/{package}"]["version"] == version
        assert f"{package} {version}" in (vendoring.STATIC / file).read_text(encoding="utf-8")


def test_the_licences_are_named_and_their_notices_kept() -> None:
    named = {row["name"]: row["licence"] for row in ROWS.values()}
    assert LIBRARIES.items() <= named.items()
    assert {ROWS[file]["licence"] for file in ROWS if file.startswith("fonts/")} == {"OFL-1.1"}
    for notice in (
        "Copyright (c) 2017 Google LLC",
        "Copyright (c) 2022-present Preact Team",
        "Copyright 2016 The Inter Project Authors",
        "Copyright 2014 - 2017 Adobe Systems Incorporated",
        "SIL OPEN FONT LICENSE Version 1.1",
    ):
        assert notice in PAGE


def test_a_changed_sum_or_version_would_be_noticed() -> None:
    stale = PAGE.replace(ROWS["vendor/lit.js"]["sha256"], "0" * 64)
    assert vendoring.rows(stale)["vendor/lit.js"] != ROWS["vendor/lit.js"]
    assert vendoring.up_to_date(stale) == PAGE


@pytest.mark.parametrize("file", vendoring.BUNDLES)
def test_a_bundle_is_made_of_the_package_and_of_nothing_else(file: str) -> None:
    if not (vendoring.ROOT / "node_modules" / "esbuild").is_dir():
        not_run("bundles made again", "no node_modules, see `make test`")
    assert vendoring.bundle(file) == (vendoring.STATIC / file).read_bytes()


def test_the_lock_names_no_registry() -> None:
    lock = (vendoring.ROOT / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert '"integrity"' in lock
