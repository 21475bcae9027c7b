"""A recorded history: client, request, times and answer; one JSON line per operation.

`invoked` and `returned` come from one counter that all clients of a recording share: an operation
that returned before another was invoked has the lower number. An unanswered operation has no
`returned`: it may have happened or not.
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

GRANTED = "granted"
FAILED = "request/failed"  # what a client sees of a fault of the house


class Request(Struct, frozen=True):
    """A request to the house. `token` is a player's or an operator's."""

    kind: str
    token: str | None = None
    key: str | None = None
    args: dict[str, Any] = {}


class Answer(NamedTuple):
    """An answer: `granted` or the code of a refusal, and the reply or its arguments."""

    code: str
    text: str

    @property
    def granted(self) -> bool:
        return self.code == GRANTED

    def read(self) -> Any:
        return msgspec.json.decode(self.text)


class Operation(Struct):
    """One line of a history."""

    number: int
    client: str
    invoked: int
    returned: int | None
    request: Request
    code: str = ""
    text: str = "null"

    @property
    def granted(self) -> bool:
        """Tell whether it was answered and granted."""
        return self.code == GRANTED

    def __str__(self) -> str:
        asked = msgspec.json.encode(self.request.args).decode()[:200]
        key = f" key {self.request.key}" if self.request.key else ""
        when = f"{self.invoked}-{self.returned or 'never'}"
        return f"#{self.number} {self.request.kind} {asked}{key} by {self.client} ({when})"


class Log:
    """The recorder that clients share."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._ticks = itertools.count(1)
        self._lock = threading.Lock()
        self._encode = msgspec.json.Encoder().encode
        self.operations = 0
        self.kinds: Counter[str] = Counter()

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def run(
        self, client: str, request: Request, send: Callable[[Request], Answer | None]
    ) -> Answer | None:
        """Send a request, and record the answer; an exception means that nothing was sent."""
        invoked = next(self._ticks)
        answer = send(request)
        returned = None if answer is None else next(self._ticks)
        with self._lock:
            self.operations += 1
            done = Operation(self.operations, client, invoked, returned, request)
            if answer is not None:
                done.code, done.text = answer
            self.kinds[request.kind] += 1
            self._file.write(self._encode(done) + b"\n")
        return answer


def read_history(path: Path) -> Iterator[Operation]:
    decode = msgspec.json.Decoder(Operation).decode
    with path.open("rb") as file:
        for line in file:
            yield decode(line)
