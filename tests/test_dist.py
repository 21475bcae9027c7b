"""What `make dist` builds: the same bytes each time, complete, and playable from a bare venv."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from crash.server import free_port
from houses import Guest
from not_run import not_run
from tapisvert.games.registry import GAMES, SHIPPED
from tiers import long

ROOT = Path(__file__).parents[1]
PATIENCE_S = 600
EPOCH = "1700000000"
KEPT = ("--cached", "--others")  # of `git ls-files`


def built(target: str, into: Path, source: Path = ROOT) -> Path:
    """Build a wheel or an sdist as `make dist` does; return its file."""
    if find_spec("hatchling") is None:
        not_run("building wheel and sdist", "no hatchling: `make check` installs it")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", into],
        cwd=source,
        env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
        check=True,
        capture_output=True,
    )
    (found,) = into.iterdir()
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel once."""
    return built("wheel", tmp_path_factory.mktemp("wheel"))


def files(folder: Path, *kinds: str) -> set[str]:
    """Name the files below a folder of the repository that git keeps, or would if it were told."""
    if not (ROOT / ".git").exists():
        not_run("comparing a build with the repository", "no git repository")
    asked = ("git", "ls-files", "-z", *(kinds or KEPT), "--exclude-standard", ".")
    told = subprocess.run(asked, cwd=folder, check=True, capture_output=True, text=True).stdout
    return {name for name in told.split("\0") if name}


def test_two_builds_of_the_wheel_give_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert built("wheel", tmp_path).read_bytes() == wheel.read_bytes()


def test_the_wheel_has_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        inside = {name for name in opened.namelist() if ".dist-info/" not in name}
        scripts = opened.read(next(n for n in opened.namelist() if n.endswith("entry_points.txt")))
    assert inside == {f"tapisvert/{name}" for name in files(ROOT / "src" / "tapisvert")}
    for game in SHIPPED:
        folder = f"tapisvert/games/{GAMES[game].folder.name}"
        assert {
            f"{folder}/{name}" for name in ("proofs.json", "words/fr.toml", "layout.js")
        } <= inside
    for name in ("tapis", "tapisvert"):
        assert f"{name} = tapisvert.cli:main" in scripts.decode()


@long
def test_the_sdist_has_what_git_keeps_and_builds_the_same_wheel(
    wheel: Path, tmp_path: Path
) -> None:
    """In another folder and with other times of its files, too."""
    sdist, again = (built("sdist", tmp_path / name) for name in ("one", "two"))
    assert sdist.read_bytes() == again.read_bytes()
    with tarfile.open(sdist) as opened:
        opened.extractall(tmp_path, filter="data")
    source = tmp_path / sdist.name.removesuffix(".tar.gz")
    inside = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()}
    # A new file at the top, a log or a measurement, may be missing.
    assert files(ROOT, "--cached") | {"PKG-INFO"} <= inside <= files(ROOT) | {"PKG-INFO"}
    assert built("wheel", tmp_path / "three", source).read_bytes() == wheel.read_bytes()


def clean() -> dict[str, str]:
    """Return an environment that shows a new process nothing of this repository."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in hidden}


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command outside the repository."""
    return subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=clean() | {"XDG_CACHE_HOME": str(cwd)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


def kilobytes(folder: Path) -> int:
    """Return what the files of a folder take on the disk."""
    return sum(path.lstat().st_blocks for path in folder.rglob("*")) // 2


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in an environment of its own, without extras; return its scripts."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder / "venv", with_pip=True)
    scripts = folder / "venv" / "bin"
    pip = (scripts / "pip", "--disable-pip-version-check", "--quiet")
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    if run(*pip, "download", "--no-deps", "msgspec", cwd=folder).returncode:
        not_run("playing from a bare environment", "pip finds no index")
    before = kilobytes(packages)
    done = run(*pip, "install", wheel, cwd=folder)
    assert done.returncode == 0, done.stderr
    brought = {path.name for path in packages.iterdir()}
    assert not brought & {"numpy", "numba", "llvmlite", "scipy", "psycopg", "uvloop"}
    print(f"installed: {(kilobytes(packages) - before) / 1024:.0f} MB")
    return scripts


@contextmanager
def playing(scripts: Path, folder: Path) -> Iterator[httpx.Client]:
    """Start the tables as `uvx tapisvert` does; give a client of theirs."""
    words = ("play", "--no-browser", "--port", str(free_port()), "--data", str(folder))
    with subprocess.Popen(
        [scripts / "tapisvert", *words],
        cwd=folder,
        env=clean() | {"XDG_CACHE_HOME": str(folder)},
        stdout=subprocess.PIPE,
    ) as server:
        try:
            assert server.stdout is not None
            address = re.search(rb"http://\S+", server.stdout.readline())
            assert address
            transport = httpx.HTTPTransport(retries=10)  # it is told just before it is true
            with httpx.Client(base_url=address[0].decode(), transport=transport) as client:
                yield client
        finally:
            server.terminate()


@long
def test_the_wheel_alone_plays_a_round_and_verifies_it(bare: Path, tmp_path: Path) -> None:
    with playing(bare, tmp_path) as client:
        page = client.get("/").raise_for_status().text
        style = re.search(r'/static/[^"]+/app\.css', page)
        assert style
        assert client.get(style[0]).raise_for_status().content
        assert client.get("/api/v1/words/fr").raise_for_status().json()["casino-stud.title"]
        assert len(client.get("/api/v1/games").raise_for_status().json()["games"]) == len(SHIPPED)
        shown = client.get("/api/v1/games/casino-stud").json()["returns"][0]
        assert shown["edge"] == "-142031221/2718662100"
        assert client.get("/api/v1/coach").json()["code"] == "coach/not_installed"
        guest = Guest(client)
        opened = guest.open({"ante": 1000}).json()["round"]
        advice = guest.get(f"/rounds/{opened['id']}/advice")
        assert (advice.status_code, advice.json()["code"]) == (503, "coach/not_installed")
        assert guest.choose(opened["id"], "play").status_code == 200
        proof = guest.get(f"/rounds/{opened['id']}/proof").content
    (tmp_path / "round.json").write_bytes(proof)
    for line in ("verify round.json", "certify round.json", "audit --database sqlite:///tapis.db"):
        done = run(bare / "tapis", *line.split(), cwd=tmp_path)
        assert done.returncode == 0, (line, done.stdout, done.stderr)


@long
def test_the_wheel_alone_says_which_extra_a_proof_needs(bare: Path, tmp_path: Path) -> None:
    done = run(bare / "tapis", "prove", "casino-stud", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "pip install 'tapisvert[prove]'" in line
    assert line.endswith("[extra/missing]")
