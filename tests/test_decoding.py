"""Types are compiled one at a time: half-compiled, msgspec ends the process."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "tapisvert"

# The annotation of `Inner` is evaluated while `Outer` is half-compiled. There the first thread lets
# the second use `Outer`, and continues when it is done, or when it does not come back because it
# waits for the type.
FIRST_USES = """
import threading
from msgspec import Struct
{importing}

begun, done = threading.Event(), threading.Event()

def compiling():
    if not begun.is_set():
        begun.set()
        done.wait({patience})
    return dict[str, int]

class Inner(Struct):
    stakes: "compiling()"

class Outer(Struct):
    inner: Inner
    rounds: list[int]

found = []
VALUE = {{"inner": {{"stakes": {{"ante": 100}}}}, "rounds": [1]}}

def use():
    found.append(convert(VALUE, Outer))

first = threading.Thread(target=use)
first.start()
begun.wait()
use()
done.set()
first.join()
assert found == [Outer(Inner({{"ante": 100}}), [1])] * 2
"""


def first_uses(importing: str, patience: float) -> int:
    """Let two threads use a type for the first time; return the exit code of their process."""
    script = FIRST_USES.format(importing=importing, patience=patience)
    return subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode


def test_two_threads_may_use_a_type_for_the_first_time() -> None:
    assert first_uses("from tapisvert.decoding import convert", 0.5) == 0


def test_control_without_the_lock_the_process_ends() -> None:
    """If this fails, msgspec is mended and `decoding` is no longer needed."""
    # The second thread ends the process as soon as it comes, however late that is.
    assert first_uses("from msgspec import convert", 50) == -signal.SIGSEGV


def unsafe_calls(source: str) -> list[str]:
    """List the calls that decode to a type without `decoding`; a decoder of a module is safe."""
    tree = ast.parse(source)
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    inside = {call for function in functions for call in ast.walk(function)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        ast.unparse(call)
        for call in calls
        if (name := ast.unparse(call.func)) == "msgspec.convert"
        or (name.startswith("msgspec.") and any(given.arg == "type" for given in call.keywords))
        or (name.endswith(".Decoder") and call in inside)
    ]


def test_modules_decode_to_types_with_decoding_alone() -> None:
    found = {
        str(path.relative_to(PACKAGE)): unsafe_calls(path.read_text(encoding="utf-8"))
        for path in PACKAGE.rglob("*.py")
        if path != PACKAGE / "decoding.py"
    }
    assert {module: calls for module, calls in found.items() if calls} == {}


def test_the_test_of_modules_can_fail() -> None:
    assert unsafe_calls("x = msgspec.convert(1, int)") != []
    assert unsafe_calls("x = msgspec.json.decode(b'', type=int)") != []
    assert unsafe_calls("def f():\n    return msgspec.json.Decoder(int)") != []
    assert unsafe_calls("read = msgspec.json.Decoder(int)\nx = msgspec.json.decode(b'')") == []
