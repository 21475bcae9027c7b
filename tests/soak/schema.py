"""Fuzzing of every route, by a guest, a player with real money and an operator.

    python tests/soak/schema.py --examples 500

Per route and caller, this many inputs that match the OpenAPI document and as many that do not,
besides the edge cases of every field. Every run differs; `--seed` repeats one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from rounds.house_with_operator import findings
from security.cast import cast_in
from security.fuzzing import Told, fuzz, serving


def main(examples: int, number: int | None = None) -> Told:
    """Fuzz a house; no answer may be 5xx, violate the document or change the ledger wrongly."""
    with (
        tempfile.TemporaryDirectory() as folder,
        cast_in(Path(folder)) as cast,
        serving(cast.house) as url,
    ):
        told = fuzz(cast, url, examples, number)
        assert findings(cast.house) == ()
    return told


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--examples", type=int, default=500)
    parser.add_argument("--seed", type=int, default=time.time_ns() // 1_000_000)
    wanted = parser.parse_args()
    started = time.monotonic()
    seen = main(wanted.examples, wanted.seed)
    print(f"{seen}, seed {wanted.seed}, {time.monotonic() - started:.0f} s")
