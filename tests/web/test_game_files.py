"""A game's browser files use documented modules only, and type-check in another package."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import tapisvert
from node import NODE
from not_run import not_run
from tapisvert.games.registry import GAMES, SHIPPED
from web.test_client_source import MODULES

ROOT = Path(__file__).parents[2]
SOURCE = Path(tapisvert.__file__).parent
TYPESCRIPT = ROOT / "node_modules/typescript/bin/tsc"
DOCS = (ROOT / "docs/client.md").read_text(encoding="utf-8")
FILES = ("layout.js", "rankings.js", "settle.js")
SETTLING = "../../settle/"  # for settle.js, which may use nothing else

Names = dict[str, set[str]]


def documented() -> tuple[Names, Names]:
    """Return the names and the types a game may use, by module."""
    rows = re.findall(r"^\| `(\.\./\.\./[^`]+)` \|([^|]*)\|([^|]*)\|$", DOCS, re.MULTILINE)
    names, types = ({row[0]: set(re.findall(r"`(\w+)`", row[at])) for row in rows} for at in (1, 2))
    return names, types


def imported(source: str) -> tuple[Names, Names]:
    """Return the names and the types that a file imports from other modules."""
    names: Names = {}
    for what, module in re.findall(r"^import\s+([^;']+?)\s+from\s+'([^']+)';", source, re.M):
        taken = {each.split(" as ")[0].strip() for each in what.strip("{} \n").split(",")}
        names.setdefault(module, set()).update(taken if what.startswith("{") else {"default"})
    types: Names = {}
    for module, name in re.findall(r"import\('([^']+)'\)\.(\w+)", source):
        types.setdefault(module, set()).add(name)
    return names, types


def undocumented(name: str, source: str) -> set[str]:
    """Return the undocumented names that a game's file uses."""
    found = set()
    for used, allowed in zip(imported(source), documented(), strict=True):
        for module, names in used.items():
            fits = module.startswith(SETTLING) == (name == "settle.js")
            may = allowed.get(module, set()) if fits else set()
            found |= {f"{module} {each}" for each in names - may}
    return found


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_a_game_uses_documented_names_only(game: str, name: str) -> None:
    source = (GAMES[game].folder / name).read_text(encoding="utf-8")
    assert undocumented(name, source) == set()
    planted = source + "import { deal } from '../../js/play.js';\n"
    assert undocumented(name, planted) == {"../../js/play.js deal"}
    other = "../../js/cards.js" if name == "settle.js" else "../../settle/table.js"
    assert undocumented(name, f"import {{ refuse }} from '{other}';\n") == {f"{other} refuse"}


def module_of(path: str) -> str:
    """Return the source of a documented module; for types, of the file that declares them."""
    name = path.removeprefix("../../")
    if name.startswith("settle/"):
        return (SOURCE / "web/certificate" / name).read_text(encoding="utf-8")
    declared = SOURCE / "web/static" / name.replace(".js", ".d.ts")
    return declared.read_text(encoding="utf-8") if declared.exists() else MODULES[name]


def test_every_documented_name_is_there() -> None:
    names, types = documented()
    assert len(names) == 13
    for module, wanted in names.items():
        exported = r"^export (?:declare |async )?(?:const|function|class) (\w+)"
        have = set(re.findall(exported, module_of(module), re.MULTILINE))
        have |= {"default"} if "export default" in module_of(module) else set()
        assert wanted <= have, module
    for module, wanted in types.items():
        defined = r"@typedef \{[^@]*\} (\w+)|^export (?:interface|class) (\w+)"
        found = re.findall(defined, module_of(module), re.MULTILINE)
        assert wanted <= {name for each in found for name in each}, module


# Type checks --------------------------------------------------------------------------------------


def checked(folder: Path) -> str:
    """Run tsc on a folder; return its output."""
    if not NODE.exists() or not TYPESCRIPT.exists():
        not_run("type checks of a game in a package of its own", "no node_modules, see `make test`")
    done = subprocess.run(
        [NODE, TYPESCRIPT, "--project", folder], capture_output=True, check=False, cwd=folder
    )
    return done.stdout.decode()


def other_package(folder: Path, game: str) -> Path:
    """Write a game as a separate package, beside an installed product without node_modules."""
    for part in ("web/static", "web/certificate"):
        shutil.copytree(SOURCE / part, folder / "installed/tapisvert" / part)
    package = folder / "package"
    (package / "src/three_card_poker").mkdir(parents=True)
    for name in FILES:
        shutil.copy(GAMES[game].folder / name, package / "src/three_card_poker")
    [config] = re.findall(r"```json\n(\{\n  \"compilerOptions.*?)```", DOCS, re.DOTALL)
    house = str(folder / "installed/tapisvert")
    (package / "tsconfig.json").write_text(config.replace("TAPISVERT", house), encoding="utf-8")
    for each in (package, folder / "installed"):
        (each / "package.json").write_text('{"type": "module"}')
    return package


@pytest.mark.parametrize("game", ["pai-gow", "blackjack"])  # those that import most
def test_a_package_of_its_own_can_check_its_files(game: str, tmp_path: Path) -> None:
    package = other_package(tmp_path, game)
    assert checked(package) == ""
    mistakes = {
        "layout.js": ("own: [", "own: [7, ", "'number' is not assignable"),
        "rankings.js": (" is: '", " iz: '", "'iz' does not exist"),
        "settle.js": ("table.take(", "table.tke(", "'tke' does not exist"),
    }
    for name, (right, wrong, _) in mistakes.items():
        file = package / "src/three_card_poker" / name
        file.write_text(file.read_text(encoding="utf-8").replace(right, wrong), encoding="utf-8")
    said = checked(package)
    for name, (_, _, told) in mistakes.items():
        assert re.search(rf"{name}.*{told}", said), (name, said)


def test_our_types_of_vendored_modules_are_those_of_the_packages(tmp_path: Path) -> None:
    if not (ROOT / "node_modules/lit-html").is_dir():
        not_run("types against the vendored packages", "no node_modules, see `make test`")
    vendor = SOURCE / "web/static/vendor"
    lines = ["import * as s from '@preact/signals-core';"]
    entry = (ROOT / "tools/vendor/lit.js").read_text(encoding="utf-8")
    lines += [each.replace("export", "import") for each in re.findall("^export .*", entry, re.M)]
    for file, prefix in (("lit", ""), ("signals", "s.")):
        declared = (vendor / f"{file}.d.ts").read_text(encoding="utf-8")
        names = re.findall(r"^export (?:const|function) (\w+)", declared, re.MULTILINE)
        assert len(names) > 4
        lines += [
            f"const {file}_{name}: typeof import('./{file}.js').{name} = {prefix}{name};"
            for name in names
            if name != "nothing"  # a symbol is like no other
        ]
        shutil.copy(vendor / f"{file}.d.ts", tmp_path)
    config = {
        "compilerOptions": {
            **{"noEmit": True, "strict": True, "skipLibCheck": True, "types": []},
            **{"module": "nodenext", "target": "es2023", "lib": ["es2023", "dom"]},
        },
        "include": ["check.ts"],
    }
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    (tmp_path / "check.ts").write_text("\n".join(lines), encoding="utf-8")
    assert checked(tmp_path) == ""
    with (tmp_path / "check.ts").open("a") as check:
        check.write("\nconst wrong: typeof import('./signals.js').batch = s.effect;\n")
    assert "check.ts" in checked(tmp_path)
