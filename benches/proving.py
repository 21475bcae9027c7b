"""Time and memory of `tapis prove` for each game, with cached and with uncached kernels.

    python benches/proving.py [GAME...]

Each run is a separate process. The cold run compiles every kernel into an empty cache.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

BUDGET_S = {
    "casino-stud": 5,
    "high-card-flush": 10,
    "ultimate": 15,
    "blackjack": 20,
    "pai-gow": 240,  # the house way 60, the best setting 180
}


def prove(game: str, cache: str) -> tuple[float, float, float]:
    """Prove a game; return the seconds of the command, of the proof, and the peak memory in MB."""
    command = [sys.executable, "-m", "tapisvert.cli", "prove", game, "--json"]
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, "NUMBA_CACHE_DIR": cache}
    ) as process:
        assert process.stdout is not None
        (said,) = json.loads(process.stdout.read())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
    assert status == 0
    return time.perf_counter() - started, said["seconds"], _megabytes(used)


def _megabytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / 1024


def run(games: list[str] | None = None) -> list[tuple[str, str]]:
    """Return the rows to print."""
    rows = []
    for game in games or BUDGET_S:
        with tempfile.TemporaryDirectory() as cache:
            cold, _, _ = prove(game, cache)
            warm, counting, peak = prove(game, cache)
        share = counting / BUDGET_S[game]
        rows += [
            (f"{game}, counting, warm", f"{counting:.1f} s ({share:.0%} of {BUDGET_S[game]} s)"),
            (f"{game}, whole command, warm and cold", f"{warm:.1f} s, {cold:.1f} s"),
            (f"{game}, peak memory", f"{peak:,.0f} MB"),
        ]
    return rows


if __name__ == "__main__":
    for name, figure in run(sys.argv[1:]):
        print(f"{name:<48} {figure:>28}")
