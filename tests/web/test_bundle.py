"""Bundles: each module has its own scope, and unknown syntax is refused."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from certificate.played import rich
from certificate.test_tampering import data_of, examined, page_of
from node import run
from tapisvert.games.registry import GAMES
from tapisvert.web.bundle import bundle, inline
from tapisvert.web.certificate import page

MODULES = {
    "a.js": "const CATEGORIES = ['a'];\nexport const count = CATEGORIES.length;\n"
    "export default { name: CATEGORIES[0] };\n",
    "games/b/b.js": "import first from '../../a.js';\nimport {\n  count as one,\n"
    "} from '../../a.js';\nconst CATEGORIES = ['b', 'c'];\n"
    "/** All. */ export async function all() { return [first.name, one, ...CATEGORIES]; }\n",
    "main.js": "import { all } from './games/b/b.js';\nimport { count } from './a.js';\n"
    "const CATEGORIES = await_all();\nasync function await_all() { return all(); }\n"
    "export class Told { static what = CATEGORIES; static count = count; }\n",
}


def ran(program: str, folder: Path) -> object:
    """Run a bundle in node; return what its last module exports."""
    file = folder / "program.mjs"
    told = "const { Told } = bundledModules['main.js'];"
    out = "process.stdout.write(JSON.stringify([await Told.what, Told.count]) + '\\n');"
    file.write_text(f"{program}\n{told}\n{out}", encoding="utf-8")
    [line] = run(str(file))
    return msgspec.json.decode(line)


def test_the_same_name_in_two_modules_is_two_things(tmp_path: Path) -> None:
    program = bundle("main.js", MODULES.__getitem__)
    assert program.count("const CATEGORIES") == 3
    assert ran(program, tmp_path) == [["a", 1, "b", "c"], 1]
    assert program.count("bundledModules['a.js'] =") == 1  # imported twice, and there once


@pytest.mark.parametrize(
    "module",
    [
        "import * as all from './a.js';\n",
        "import first, { count } from './a.js';\n",
        "import './a.js';\n",
        "export { count };\n",
        "export * from './a.js';\n",
        "export const [one, two] = [1, 2];\n",
        "export let count = 1;\n",
        "export default function count() {}\n",
    ],
)
def test_a_form_that_is_not_understood_is_refused(module: str) -> None:
    with pytest.raises(ValueError, match="cannot bundle"):
        bundle("main.js", {**MODULES, "main.js": module}.__getitem__)


def test_modules_that_import_each_other_are_refused() -> None:
    circle = {
        "main.js": "import { a } from './a.js';\n",
        "a.js": "import { b } from './main.js';\n",
    }
    with pytest.raises(ValueError, match=r"main\.js imports itself"):
        bundle("main.js", circle.__getitem__)


def test_no_text_of_a_module_ends_the_element_it_stands_in() -> None:
    texts = "export const end = '</script><!--';\n"
    assert "</" not in inline(texts) + bundle("main.js", lambda _: texts)


@pytest.mark.parametrize("game", GAMES)
def test_a_certificate_carries_the_settlement_of_its_own_game_alone(game: str) -> None:
    program = page.program(GAMES[game])
    carried = [other for other in GAMES if f"games/{other}/settle.js'] =" in program]
    assert carried == [game]


def test_a_settlement_may_use_a_name_that_a_shared_module_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = "const [CATEGORIES, Table, refuse, settle] = [1, 2, 3, 4];\n"
    game = GAMES["casino-stud"]
    settlement = (game.folder / "settle.js").read_text(encoding="utf-8")
    folder = shutil.copytree(game.folder, tmp_path / "casino_stud")
    (folder / "settle.js").write_text(settlement + planted, encoding="utf-8")
    monkeypatch.setitem(GAMES, game.id, replace(game, folder=folder))
    page._frame.cache_clear()
    try:
        written = page_of(rich(game.id))
    finally:
        page._frame.cache_clear()
    assert planted in written
    data = msgspec.json.encode(data_of(written))
    assert examined(written, [data], tmp_path)[0]["true"] is True
