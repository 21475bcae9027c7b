"""A Dask cluster that runs parts of long work: `simulate`, `prove` and `sweep` on more machines.

The parts of the work do not depend on the number of workers, and each part is a pure function of
plain values (`cluster_work.py`). So the result is the same wherever Dask runs a part, also when it
runs a part again because a worker was lost. Anyone who can reach the scheduler can run any code on
the workers: a cluster must be trusted.
"""

from __future__ import annotations

import logging
import os
import socket
import ssl
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from tapisvert.extras import need
from tapisvert.lab.cluster_work import code_id
from tapisvert.refusal import Refused

if TYPE_CHECKING:
    from distributed import Client, Future
    from distributed.security import Security

Part = TypeVar("Part")
CONNECT_S = 5
NO_WORKERS_S = 30  # how long work waits for the first worker, or for another one
_GREETING_MAX = 1 << 20
_WAITING_PER_THREAD = 3  # parts sent ahead of those that run


class Tls(NamedTuple):
    """The files of a connection with TLS: authority, own certificate, own key."""

    ca: str
    cert: str
    key: str


def tls_of(ca: object, cert: object, key: object) -> Tls | None:
    """Return the TLS files; all three are given, or none."""
    given = [each for each in (ca, cert, key) if each is not None]
    if given and len(given) < 3:
        raise Refused("cluster/tls", reason="--tls-ca, --tls-cert and --tls-key go together")
    return Tls(*map(str, given)) if given else None


def security_of(tls: Tls | None) -> Security | None:
    """Return the security of a scheduler, its workers and its clients; check the files."""
    if tls is None:
        return None
    from distributed.security import Security

    try:
        _context(tls)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused("cluster/tls", reason=f"the TLS files cannot be read: {reason}") from None
    whose = {
        f"tls_{who}_{what}": getattr(tls, what)
        for who in ("client", "scheduler", "worker")
        for what in ("cert", "key")
    }
    return Security(tls_ca_file=tls.ca, require_encryption=True, **whose)


def is_loopback(host: str) -> bool:
    """Tell whether an address is only reachable from this machine.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("10.0.0.1")
    (True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_and_port(address: str, tls: Tls | None) -> tuple[str, int]:
    """Return the host and the port of a scheduler's address, or refuse it."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    scheme = "tls" if tls else "tcp"
    if not host or not port or address != f"{parts.scheme}://{parts.netloc}":
        raise Refused("cluster/address", address=address, reason=f"expected {scheme}://HOST:PORT")
    if parts.scheme != scheme:
        reason = "an address tls://... and the TLS files go together"
        raise Refused("cluster/address", address=address, reason=reason)
    return host, port


class Cluster:
    """A connection to a Dask cluster. Use it in a `with` statement, or close it."""

    def __init__(self, address: str, tls: Tls | None = None) -> None:
        need("prove")
        need("lab")
        host, port = host_and_port(address, tls)
        self.address = address
        security = security_of(tls)
        try:
            _probe(host, port, tls)
            self._client = _connected(address, security)
        except OSError as error:  # timeouts too
            reason = error.strerror or "no Dask scheduler answered"
            raise Refused("cluster/unreachable", address=address, reason=reason) from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; parts that have not begun are cancelled."""
        self._client.close(timeout=CONNECT_S)

    @property
    def dashboard(self) -> str:
        """The address of Dask's own page about this cluster."""
        return str(self._client.dashboard_link)

    @property
    def threads(self) -> int:
        """How many parts the workers run at once."""
        return sum(self._client.nthreads().values())

    def processes(self) -> dict[str, int]:
        """Return the process id of each worker."""
        found: dict[str, int] = self._client.run(os.getpid)
        return found

    def check(self, game: str) -> None:
        """Refuse a cluster without workers, or with another version of the package or the game."""
        try:
            self._client.wait_for_workers(1, timeout=NO_WORKERS_S)
        except TimeoutError:
            raise Refused("cluster/no_workers", address=self.address) from None
        try:
            found = self._client.run(code_id, game, on_error="return")
        except Exception as error:  # an error of Dask: errors of the workers are return values
            raise Refused("cluster/failed", reason=_short(error)) from None
        for worker, code in found.items():
            if code != code_id(game):
                raise Refused("cluster/version", worker=worker)

    def run(
        self, work: Callable[..., Part], parts: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[int, Part]]:
        """Run `work(*part)` for each part; yield the number and result of each as it ends.

        If the caller stops, parts that have not begun are cancelled.
        """
        ended: SimpleQueue[Future[Part]] = SimpleQueue()
        numbers: dict[Future[Part], int] = {}
        waiting = iter(enumerate(parts))

        def send() -> None:
            for number, part in waiting:
                # Pure: the key is a hash of the function and its arguments.
                future = self._client.submit(work, *part, pure=True)
                numbers[future] = number
                future.add_done_callback(ended.put)
                return

        try:
            for _ in range(_WAITING_PER_THREAD * max(1, self.threads)):
                send()
            while numbers:
                future = self._next(ended)
                result = _result(future)
                number = numbers.pop(future)
                send()
                yield number, result
        finally:
            if numbers:
                self._client.cancel(list(numbers))

    def _next(self, ended: SimpleQueue[Future[Part]]) -> Future[Part]:
        """Wait for the end of a part; refuse after NO_WORKERS_S without a worker."""
        alone_s = 0
        while True:
            try:
                return ended.get(timeout=1)
            except Empty:
                alone_s = 0 if self.threads else alone_s + 1
            if alone_s >= NO_WORKERS_S:
                raise Refused("cluster/no_workers", address=self.address)


def in_order(found: Iterator[tuple[int, Part]]) -> Iterator[Part]:
    """Yield numbered results by their number, from 0.

    >>> list(in_order(iter([(1, "b"), (0, "a"), (2, "c")])))
    ['a', 'b', 'c']
    """
    early: dict[int, Part] = {}
    first = 0
    for number, result in found:
        early[number] = result
        while first in early:
            yield early.pop(first)
            first += 1


def quiet() -> None:
    """Silence Dask's loggers in this process: the command reports errors itself."""
    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _probe(host: str, port: int, tls: Tls | None) -> None:
    """Raise OSError unless a Dask scheduler answers.

    Dask's client would wait for a server that is not a scheduler. A scheduler sends first: the
    length of its greeting in eight bytes.
    """
    with ExitStack() as opened:
        stream = opened.enter_context(socket.create_connection((host, port), timeout=CONNECT_S))
        if tls is not None:
            context = _context(tls)
            context.check_hostname = False  # as Dask does: certificates name no hosts
            stream = opened.enter_context(context.wrap_socket(stream))
        greeting = opened.enter_context(stream.makefile("rb")).read(8)
    if len(greeting) < 8 or int.from_bytes(greeting, "little") > _GREETING_MAX:
        raise ConnectionError


def _context(tls: Tls) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=tls.ca)
    context.load_cert_chain(tls.cert, tls.key)
    return context


def _connected(address: str, security: Security | None) -> Client:
    from distributed import Client

    with warnings.catch_warnings():
        # Dask warns of other versions of its parts; `check` compares the code of the results.
        warnings.simplefilter("ignore")
        return Client(address, timeout=CONNECT_S, security=security, set_as_default=False)


def _result(future: Future[Part]) -> Part:
    try:
        result: Part = future.result()
        return result
    except (Refused, AssertionError):
        raise
    except Exception as error:  # workers or the scheduler lost, out of memory
        raise Refused("cluster/failed", reason=_short(error)) from None


def _short(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:200]}".rstrip(": ")
