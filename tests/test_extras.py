"""Without the extras: playing works, and what needs one says in one sentence which."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tapisvert.extras import PACKAGES, installed, need
from tapisvert.refusal import Refused
from tapisvert.words import catalogue, explain

# Commands in one process where the extras cannot be imported; what each printed, as JSON.
SCRIPT = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout

HIDDEN = {"numpy", "numba", "llvmlite", "scipy", "psycopg", "psycopg_binary", "uvloop"}
HIDDEN |= {"xlsxwriter", "distributed", "pyarrow"}

class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hide())
from tapisvert.cli.app import main

printed = {}
for line in json.loads(sys.argv[1]):
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    sys.argv, sys.stdin, code = ["tapis", *line.split()], None, 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    out.seek(0)
    printed[line] = [code, out.read(), err.getvalue()]

from pathlib import Path
from litestar.testing import TestClient
from tapisvert.cli.serve import Served, server_app

app = server_app(Served(Path("tapis.db"), "127.0.0.1", 8000))
with TestClient(app, base_url="http://127.0.0.1") as client:
    for language in ("fr", "en"):
        headers = {"Accept-Language": language}
        printed[f"coach {language}"] = client.get("/api/v1/coach", headers=headers).json()
    printed["returns"] = client.get("/api/v1/games/casino-stud").json()["returns"]
    printed["lobby"] = client.get("/").status_code
import tapisvert

proof = tapisvert.prove("casino-stud")
printed["par sheet"] = [len(proof.page("fr")), len(proof.par_json())]
try:
    proof.workbook("fr")
except tapisvert.Refused as refusal:
    printed["workbook"] = str(refusal)
assert not HIDDEN & sys.modules.keys(), HIDDEN & sys.modules.keys()
print(json.dumps(printed))
"""
POSTGRESQL = "--database postgresql://nowhere/tapis --seed-key seeds.key"
NEEDS = {
    "prove casino-stud": "prove",
    "prove casino-stud --json": "prove",
    "prove casino-stud --report reports": "prove",
    "bankroll casino-stud --bankroll 100 --stake 1 --rounds 10": "prove",
    "strategy blackjack": "prove",
    "simulate ultimate --rounds 10": "prove",
    "simulate ultimate --cluster tcp://127.0.0.1:8786": "prove",
    "sweep casino-stud --vary play.pays.flush=4:8 --out a.parquet": "prove",
    "cluster": "prove",
    "advise": "prove",
    "warm": "prove",
    f"serve {POSTGRESQL}": "operate",
    f"audit {POSTGRESQL}": "operate",
    f"stop all --reason test {POSTGRESQL}": "operate",
}
WORKS = ("--help", "--version", "prove --help", "replay", "replay --keys casino-stud")


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run every command of this module in one process without the extras."""
    lines = json.dumps([*NEEDS, *WORKS])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, lines],
        cwd=tmp_path_factory.mktemp("bare"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("line", NEEDS)
def test_what_needs_an_extra_says_in_one_sentence_which(printed: Any, line: str) -> None:
    sentence = explain(catalogue("en"), Refused("extra/missing", extra=NEEDS[line]))
    assert f"pip install 'tapisvert[{NEEDS[line]}]'" in sentence
    assert printed[line] == [2, "", f"tapis: {sentence} [extra/missing]\n"]


@pytest.mark.parametrize("line", WORKS)
def test_what_needs_none_works(printed: Any, line: str) -> None:
    code, out, err = printed[line]
    assert (code, err) == (0, "")
    assert out or line == "replay"


def test_the_lobby_is_served_with_the_shipped_figures(printed: Any) -> None:
    assert printed["lobby"] == 200
    assert printed["returns"][0]["edge"] == "-142031221/2718662100"


def test_a_shipped_par_sheet_needs_no_extra_and_its_workbook_does(printed: Any) -> None:
    assert all(length > 10_000 for length in printed["par sheet"])
    assert "pip install 'tapisvert[prove]'" in printed["workbook"]
    assert printed["workbook"].endswith("[extra/missing]")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_coach_says_in_the_readers_language_what_he_needs(printed: Any, language: str) -> None:
    told = printed[f"coach {language}"]
    assert (told["state"], told["code"]) == ("absent", "coach/not_installed")
    assert told["detail"] == explain(catalogue(language), Refused("coach/not_installed"))
    assert told["detail"] == catalogue(language).write("coach.not-installed")  # in the page
    assert "[prove]" in told["detail"]


def test_here_both_extras_are_installed() -> None:
    """Control: the tests above hide what this environment has."""
    for extra in PACKAGES:
        assert installed(extra)
        need(extra)


def test_the_extras_of_the_package_are_the_extras_of_the_code() -> None:
    """What the code looks for is what pip is told to install."""
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    listed = project["optional-dependencies"]
    base = " ".join(project["dependencies"])
    for extra, packages in PACKAGES.items():
        for package in packages:
            assert any(line.lower().startswith(package) for line in listed[extra])
            assert package not in base
    assert listed["all"] == ["tapisvert[prove,operate]"]  # what `make play` installs is small
    for package in PACKAGES["lab"]:
        assert any(line.startswith(package) for line in listed["dev"])
