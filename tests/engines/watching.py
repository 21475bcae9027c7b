"""A house whose pages record their own errors, before any other script runs.

WebKit's driver does not report the console. So the first script of every page is a test script. It
is served by the house itself, as the content security policy requires, and stores the errors of the
tab.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from browser.served import serving
from tapisvert.rounds import PlayerService

_PATH = "/watch.js"
_TAG = f'<script src="{_PATH}"></script>'.encode()
_SCRIPT = b"""{
  const keep = (text) => sessionStorage.setItem('wrong', JSON.stringify(
    [...JSON.parse(sessionStorage.getItem('wrong') ?? '[]'), `${location.pathname}: ${text}`]));
  addEventListener('error', ({ message, filename, lineno, target }) => keep(message
    ? `${message} (${filename}:${lineno})` : `not loaded: ${target?.src ?? target?.href}`), true);
  addEventListener('unhandledrejection', ({ reason }) => keep(`rejected: ${reason}`));
  addEventListener('securitypolicyviolation', (event) => keep(
    `policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`));
  const said = console.error;
  console.error = (...all) => { keep(all.join(' ')); said(...all); };
}"""


def watching(app: ASGIApp) -> ASGIApp:
    """Insert the script at the head of every page."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        http = str(scope["type"]) == "http"
        if http and scope["path"] == _PATH:
            headers = [(b"content-type", b"text/javascript")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": _SCRIPT, "more_body": False})
            return
        if http:  # plain text, so that it can be added to
            scope["headers"] = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
        await app(scope, receive, _longer(send))

    return serve


def _longer(send: Send) -> Send:
    page = False

    async def sending(message: Message) -> None:
        nonlocal page
        if message["type"] == "http.response.start":
            headers = dict(message["headers"])
            page = headers.get(b"content-type", b"").startswith(b"text/html")
            if page:
                headers[b"content-length"] = str(
                    int(headers[b"content-length"]) + len(_TAG)
                ).encode()
                message["headers"] = list(headers.items())
        elif message["type"] == "http.response.body" and page:
            assert message["body"].count(b"<head>") == 1
            message["body"] = message["body"].replace(b"<head>", b"<head>" + _TAG)
        await send(message)

    return sending


def watched(house: PlayerService) -> AbstractContextManager[str]:
    """Serve such a house on a free port from a thread."""
    return serving(house, around=watching)
