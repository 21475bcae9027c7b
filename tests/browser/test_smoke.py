"""The page loads in both languages, and the fault recorder of the tests works."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Route

from browser.conftest import Visiting
from browser.cutting import until
from browser.served import Served
from browser.tables import Visit, axe

STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
)

QUIET = "/api/v1/health"  # a page without a script: what goes wrong there, we did


def quiet(visit: Visiting, url: str) -> Visit:
    """Open a page without script; it names no icon, so the browser requests the default one."""
    made = visit(url + QUIET)
    made.may_fail("/favicon.ico")
    return made


def show(made: Visit, body: str, policy: str = STRICT) -> None:
    """Replace the page by given HTML under a policy."""
    html = f'<!doctype html><html lang="en"><head><title>A page</title></head>{body}</html>'

    def answer(route: Route) -> None:
        headers = {"Content-Type": "text/html", "Content-Security-Policy": policy}
        route.fulfill(body=html, headers=headers)

    own = made.url.replace(QUIET, "/own")
    made.page.unroute(own)
    made.page.route(own, answer)
    made.page.goto(own)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_page_loads_in_the_visitors_language(
    house: Served, visit: Visiting, language: Literal["fr", "en"]
) -> None:
    made = visit(house.url, language=language)
    assert "Tapis Vert" in made.page.title()
    assert made.page.locator("html").get_attribute("lang") == language
    assert made.requests[0] == f"{made.url}/"


def test_a_narrow_page_is_a_phone_and_nothing_moves_unless_asked(
    house: Served, visit: Visiting
) -> None:
    small = visit(house.url + QUIET, width=360)
    small.may_fail("/favicon.ico")
    phone = small.page
    assert phone.evaluate("[screen.width, navigator.maxTouchPoints > 0]") == [360, True]
    assert phone.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    wide = visit(house.url + QUIET, motion="no-preference")
    wide.may_fail("/favicon.ico")
    desk = wide.page
    assert desk.evaluate("[screen.width, navigator.maxTouchPoints > 0]") == [1280, False]
    assert not desk.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")


def notices(made: Visit, script: str, kind: str) -> None:
    """Run a faulty script in the page, and wait until the fault is recorded."""
    assert made.faults() == {}
    made.page.evaluate(f"() => {{ {script} }}")
    until(lambda: kind in made.faults(), f"{script} was not noticed")
    made.forget()


def test_the_watch_notices(house: Served, visit: Visiting) -> None:
    style = "Object.assign(document.createElement('style'), {textContent: 'p { color: red }'})"
    made = quiet(visit, house.url)
    show(made, "<main><h1>A page</h1></main>")
    for script, kind in (
        ("console.error('oh')", "console errors"),
        ("setTimeout(() => { throw new Error('oh') })", "page errors"),
        (f"document.head.append({style})", "CSP violations"),
        ("fetch('/nowhere')", "console errors"),
    ):
        notices(made, script, kind)


def test_the_watch_notices_a_request_that_leaves_the_house(house: Served, visit: Visiting) -> None:
    made, other = quiet(visit, house.url), house.url.replace("127.0.0.1", "localhost")
    show(made, f'<main><h1>A page</h1><img alt="" src="{other}/style.css"></main>', "img-src *")
    made.page.wait_for_load_state("load")
    assert made.faults()["requests to others"] == [f"{other}/style.css"]
    made.forget()


def test_a_failure_that_was_announced_is_no_fault(house: Served, visit: Visiting) -> None:
    made = quiet(visit, house.url)
    made.may_fail("/nowhere")
    show(made, "<main><h1>A page</h1></main>")
    assert made.page.evaluate("fetch('/nowhere').then((answer) => answer.status)") == 404


def test_axe_reads_a_page_under_the_strictest_policy(house: Served, visit: Visiting) -> None:
    made = quiet(visit, house.url)
    show(made, "<main><h1>A page</h1><p>Nothing wrong here.</p></main>")
    assert axe(made.page) == []
    show(made, "<main><h1>A page</h1><button></button></main>")
    assert [found.split(" ", 1)[0] for found in axe(made.page)] == ["button-name"]
