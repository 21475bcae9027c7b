"""Modules are served without comments. That changes nothing else, says the parser of esbuild."""

from __future__ import annotations

import json

import pytest

from node import run
from tapisvert.web.assets import assets
from web.test_client_source import MODULES


def same(pairs: list[tuple[str, str]]) -> list[bool]:
    """Tell of each pair of modules whether they differ in comments and white space only."""
    lines = run("web/same_tree.mjs", lines=(json.dumps(pair).encode() for pair in pairs))
    return [json.loads(line) for line in lines]


def test_only_comments_are_left_out_of_a_module() -> None:
    served = {name: assets()[name].plain.decode() for name in MODULES}
    equal = same([(MODULES[name], served[name]) for name in MODULES])
    assert [name for name, is_equal in zip(MODULES, equal, strict=True) if not is_equal] == []
    assert [name for name, text in served.items() if "/*" in text] == []
    assert sum(map(len, served.values())) < 0.9 * sum(map(len, MODULES.values()))


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("let a = 1; // one", "let a = 1;", True),
        ("let a = '/* b */';", "let a = '';", False),
        ("return_ = () => { return /* b */ 1 }", "return_ = () => { return\n1 }", False),
    ],
)
def test_the_comparison_notices_more_than_comments(one: str, other: str, equal: bool) -> None:
    assert same([(one, other)]) == [equal]
