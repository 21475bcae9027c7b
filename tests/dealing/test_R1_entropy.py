"""R1, R2, R10: randomness enters the house in one place, and a failing source stops play.

The lint finds honest mistakes, not deliberate evasion: open source, review and the published
vectors guard against that.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
import random
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

import tapisvert
from rounds.guest_seat import refusal_of
from tapisvert.rounds import Dealer
from tapisvert.sealing import Entropy, Sealer
from tiers import long

SOURCES = Path(tapisvert.__file__).parent

# All packages are taken to decide outcomes except these, which estimate, advise and test.
NOT_OUTCOME = {"odds", "coach", "lab", "strategies", "testing"}
# Modules that may read random bytes from the operating system, and why.
MAY_DRAW = {
    "key_file.py": "the house's key",
    "rounds/seed_source.py": "server seeds, nonces, round ids, session tokens",
}
# Packages that may not read the time. The others get an injected clock.
TIMELESS = {
    *("cards.py", "refusal.py", "dealing.py", "sealing.py", "key_file.py", "sheets.py"),
    *("ranking", "engine", "games"),
}

NEVER = ("random", "numpy.random", "uuid.uuid1", "uuid.uuid6", "uuid.uuid7", "uuid.getnode")
HIDDEN_IMPORTS = ("importlib.import_module", "__import__", "eval", "exec")
DRAWS = ("os.urandom", "os.getrandom", "secrets", "uuid.uuid4", "ssl.RAND_bytes")
DEVICES = ("/dev/random", "/dev/urandom")
CLOCKS = ("time", "datetime", "os.times", "os.getpid", "hash", "id")  # and what changes per process


def violations(source: str, may_draw: bool = False, timeless: bool = True) -> list[str]:
    """Return the forbidden names a source uses, with line numbers."""
    banned = [*NEVER, *HIDDEN_IMPORTS]
    banned += [] if may_draw else [*DRAWS, *DEVICES]
    banned += CLOCKS if timeless else []
    return [
        f"line {line}: {name}"
        for name, line in _used(ast.parse(source))
        if name.endswith(".*") or any(f"{name}.".startswith(f"{word}.") for word in banned)
    ]


def _used(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield every module, function or device used, by its full name."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                known[alias.asname or first] = alias.name if alias.asname else first
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield f"{node.module}.{alias.name}", node.lineno
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield _dotted(node, known), node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield known.get(node.func.id, node.func.id), node.lineno
        elif isinstance(node, ast.Constant) and node.value in DEVICES:
            yield str(node.value), node.lineno


def _dotted(node: ast.expr, known: dict[str, str]) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value, known)}.{node.attr}"
    if isinstance(node, ast.Name):
        return known.get(node.id, f"?{node.id}")  # a variable: not a module of that name
    return "?"


def _outcome_code() -> list[str]:
    paths = sorted(path.relative_to(SOURCES) for path in SOURCES.rglob("*.py"))
    return [path.as_posix() for path in paths if NOT_OUTCOME.isdisjoint(path.parts)]


@pytest.mark.parametrize("module", _outcome_code())
def test_R1_outcome_code_draws_on_nothing_but_the_operating_system(module: str) -> None:
    source = (SOURCES / module).read_text(encoding="utf-8")
    room = module.partition("/")[0]
    assert not violations(source, may_draw=module in MAY_DRAW, timeless=room in TIMELESS)


def test_R1_the_lint_has_read_the_rooms_that_matter() -> None:
    read = set(_outcome_code())
    assert {"cards.py", "dealing.py", "sealing.py", *MAY_DRAW} <= read
    assert {"engine", "games", "ranking"} <= {name.partition("/")[0] for name in read}
    for module in MAY_DRAW:
        assert violations((SOURCES / module).read_text(encoding="utf-8"))  # it does see urandom


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from random import shuffle",
        "def deal():\n    import random as r\n    return r.random()",
        "import numpy as np\nrng = np.random.default_rng()",
        "import numpy\nnumpy.random.seed(1)",
        "from numpy import random as chance",
        "from numpy.random import default_rng",
        "import uuid\nname = uuid.uuid1()",
        "from uuid import uuid4",
        "import os\nseed = os.urandom(32)",
        "from os import urandom as draw",
        "import os as system\nsystem.getrandom(32)",
        "import secrets",
        "from os import *",
        "open('/dev/urandom', 'rb')",
        "import time\nseed = time.time_ns()",
        "from datetime import datetime",
        "import os\nseed = os.getpid()",
        "seed = hash('round-1')",
        "chance = __import__('random')",
        "import importlib\nimportlib.import_module('random')",
    ],
)
def test_R1_control_the_lint_finds_a_planted_violation(source: str) -> None:
    assert violations(source)


def test_R1_control_the_lint_lets_honest_code_alone() -> None:
    honest = (
        "import hashlib, hmac\nfrom os import path\n\ndef deal(random, time):\n    return random.x"
    )
    assert not violations(honest)
    assert not violations("import os\nos.urandom(32)", may_draw=True)
    assert not violations("import time\ntime.monotonic()", timeless=False)
    assert violations("import random", may_draw=True, timeless=False)


def dealer_of(entropy: Entropy) -> Dealer:
    """Return the house's own dealer on this source, from which every seed comes."""
    return Dealer(Sealer(bytes(32)), entropy)


@pytest.mark.parametrize("count", [100_000, pytest.param(1_000_000, marks=long)])
def test_R2_fresh_seeds_are_distinct(count: int) -> None:
    dealer = dealer_of(os.urandom)
    assert len({dealer.seed() for _ in range(count)}) == count


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_R2_two_forked_processes_never_draw_the_same_seed() -> None:
    one, other = _drawn_in_two_forks(os.urandom)
    assert len(one | other) == 2 * 10_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_R2_control_a_generator_with_a_state_would_draw_the_same_in_both() -> None:
    one, other = _drawn_in_two_forks(random.Random(2).randbytes)
    assert one == other


def _drawn_in_two_forks(entropy: Entropy) -> list[set[bytes]]:
    """Return the seeds drawn in two forked children of this process."""
    dealer = dealer_of(entropy)
    dealer.seed()  # whatever is set up on first use is set up before the fork
    fork = multiprocessing.get_context("fork")

    def draw(end: Connection) -> None:
        end.send_bytes(b"".join(dealer.seed() for _ in range(10_000)))

    drawn: list[set[bytes]] = []
    pipes = [fork.Pipe(duplex=False) for _ in range(2)]
    children = [fork.Process(target=draw, args=(end,)) for _, end in pipes]
    for child in children:
        child.start()
    for (here, there), child in zip(pipes, children, strict=True):
        seeds = here.recv_bytes()
        drawn.append({seeds[at : at + 32] for at in range(0, len(seeds), 32)})
        child.join()
        here.close()
        there.close()
    return drawn


def _raises(error: Exception) -> Entropy:
    def entropy(size: int) -> bytes:
        raise error

    return entropy


@pytest.mark.parametrize(
    "entropy",
    [
        _raises(OSError("no entropy")),
        _raises(BlockingIOError("not yet")),
        _raises(NotImplementedError("no source")),
        lambda size: b"",
        lambda size: bytes(range(size - 1)),
        lambda size: bytes(range(size + 1)),
        lambda size: b"\x00" * size,
        lambda size: b"\xff" * size,
        lambda size: b"\x5a" * size,
    ],
    ids=["error", "not-yet", "no-source", "empty", "short", "long", "zeros", "ones", "constant"],
)
def test_R10_a_source_that_fails_blocks_play(entropy: Entropy) -> None:
    assert refusal_of(dealer_of(entropy).seed).code == "dealing/unavailable"
