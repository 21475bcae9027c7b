"""A client in its own process, which can be killed (S8).

    python client.py STATE PORT [--command JSON] [--die before-sending|after-sending]

It stores its token and the next command in a file before it sends anything (docs/http.md,
Idempotency). After a restart it resends the unanswered command, queries its rounds and its wallet,
and prints them.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import uuid
from pathlib import Path
from typing import Any

Answer = tuple[int, Any]


class Client:
    """A browser without a page: all its state is in one file."""

    def __init__(self, state: Path, port: int, die: str | None) -> None:
        self._file, self._port, self._die = state, port, die
        self._state: dict[str, Any] = json.loads(state.read_text(encoding="utf-8"))

    def command(self, path: str, body: object) -> Answer:
        """Store a command with a new key, then send it."""
        self._keep({"path": path, "body": body, "key": str(uuid.uuid4())})
        return self.finish()

    def finish(self) -> Answer:
        """Send the unanswered command; delete it once it is answered."""
        pending = self._state["pending"]
        if self._die == "before-sending":
            os.kill(os.getpid(), signal.SIGKILL)
        answer = self.send("POST", pending["path"], pending["body"], pending["key"])
        self._keep(None)
        return answer

    def send(self, method: str, path: str, body: object = None, key: str = "") -> Answer:
        """Send a request and read its answer, unless killed in between."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        headers = {"Authorization": f"Bearer {self._state['token']}", "Idempotency-Key": key}
        content = None if body is None else json.dumps(body)
        if content is not None:
            headers["Content-Type"] = "application/json"
        line.request(method, f"/api/v1{path}", content, headers)
        if method == "POST" and self._die == "after-sending":
            os.kill(os.getpid(), signal.SIGKILL)
        response = line.getresponse()
        text = response.read()
        line.close()
        return response.status, json.loads(text) if text else None

    def standing(self) -> dict[str, Any]:
        """Query everything a client shows at its start."""
        _, wallet = self.send("GET", "/wallet")
        found = {"wallet": wallet}
        for status in ("open", "unseen"):
            _, page = self.send("GET", f"/rounds?status={status}")
            found[status] = [each["id"] for each in page["rounds"]]
        found["rounds"] = [
            self.send("GET", f"/rounds/{name}")[1]["round"] for name in found["open"]
        ]
        return found

    @property
    def waits(self) -> bool:
        """Tell whether a stored command has no answer."""
        return self._state["pending"] is not None

    def _keep(self, pending: dict[str, Any] | None) -> None:
        self._state["pending"] = pending
        fresh = self._file.with_suffix(".new")
        fresh.write_text(json.dumps(self._state), encoding="utf-8")
        fresh.replace(self._file)


def main() -> None:
    """Resend the stored command, send the given one, print the state."""
    parser = argparse.ArgumentParser()
    parser.add_argument("state", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("--die", choices=["before-sending", "after-sending"])
    parser.add_argument("--command", help="path and body, as JSON")
    given = parser.parse_args()
    client = Client(given.state, given.port, given.die)
    resent = client.finish() if client.waits else None
    path, body = json.loads(given.command) if given.command else (None, None)
    answer = client.command(path, body) if path else None
    told = {"resent": resent, "answer": answer, "standing": client.standing()}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
