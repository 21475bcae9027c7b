"""A server on a real socket, in a thread of the test process."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from litestar.types import ASGIApp

PATIENCE_S = 60


@contextmanager
def served(
    app: ASGIApp, kind: Callable[[uvicorn.Config], uvicorn.Server] = uvicorn.Server, **options: Any
) -> Iterator[tuple[uvicorn.Server, int]]:
    """Serve an app on a free port; yield the server and its port, and stop it at the end."""
    server = kind(uvicorn.Config(app, log_level="critical", access_log=False, **options))
    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        until = time.monotonic() + PATIENCE_S
        while not server.started:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.005)
        try:
            yield server, door.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)
    assert not thread.is_alive(), "the server did not stop"
