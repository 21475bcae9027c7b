"""The verifier saved to disk and opened with the network off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
from playwright.sync_api import Page

from browser.conftest import Visiting
from browser.tables import Language
from houses import Guest, client_of, make_house
from stakes import stakes_on_all
from tapisvert.web import verifier
from tapisvert.web.bundle import inline

STATIC = Path(verifier.__file__).parent / "static"
MODULE = (STATIC / "js" / "deal.js").read_text(encoding="utf-8")


class Saved:
    """The saved verifier in an offline browser."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder = page, folder

    def give(self, proof: object, noted: str = "") -> str:
        """Choose a file; return the kind of its verdict."""
        file = self.folder / "round.json"
        file.write_bytes(proof if isinstance(proof, bytes) else msgspec.json.encode(proof))
        self.page.click("#clear")
        self.page.wait_for_selector(".verdict.none")
        self.page.fill("#noted", noted)
        self.page.set_input_files("#file", file)
        return self.verdict()

    def verdict(self) -> str:
        """Wait for a verdict: true, alone (no commitment given), false or unreadable."""
        found = self.page.wait_for_selector(".verdict:not(.none)")
        assert found is not None
        return (found.get_attribute("class") or "").split()[1]

    def steps(self) -> dict[str, str]:
        """Return the result of each check: pass, fail or open."""
        script = "(all) => all.map((step) => [step.dataset.step, step.className])"
        return dict(self.page.eval_on_selector_all("#steps > li", script))

    def failed(self) -> set[str]:
        """Return the checks that failed."""
        return {step for step, kind in self.steps().items() if kind == "fail"}

    def says(self, selector: str = "#verdict") -> str:
        return self.page.inner_text(selector)

    def load(self, module: str = MODULE) -> None:
        """Load deal.js into the page, in its secure context, as `api`."""
        names = "{commitment, deal, sheetHash, read, check}"
        script = f"globalThis.api = (() => {{ {inline(module)}; return {names}; }})()"
        self.page.evaluate(f"() => {{ {script} }}")


class Opening(Protocol):
    """Opens the saved verifier."""

    def __call__(self, language: Language = "en", width: int = 1280) -> Saved: ...


@contextmanager
def opening(visit: Visiting, folder: Path) -> Iterator[Opening]:
    """Save the verifier; yield a function that opens it. It must send no request."""
    file = folder / "tapis-vert-verifier.html"
    file.write_text(verifier.verifier_page(), encoding="utf-8")
    visits = []

    def start(language: Language = "en", width: int = 1280) -> Saved:
        made = visit(file.as_uri(), language=language, width=width)
        made.page.context.set_offline(True)
        visits.append(made)
        return Saved(made.page, folder)

    yield start
    for made in visits:
        assert set(made.requests) == {file.as_uri()}


class Played(NamedTuple):
    """A finished round: its proof, the commitment shown before the stake, the cards dealt."""

    proof: dict[str, Any]
    shown: str
    dealt: list[str]


def play(folder: Path, game: str = "casino-stud") -> Played:
    """Play a round of Casino Stud or Pai Gow in a real house."""
    with client_of(make_house(folder / "tapis.db")) as client:
        guest = Guest(client)
        shown = guest.seat(game)["commitment"]
        opened = guest.open(
            stakes_on_all(game, 1000, 500), game=game, client_seed="été à Montréal"
        ).json()["round"]
        own, options = opened["hands"]["player"], opened["ask"]["options"]
        choice = next((each["id"] for each in options if each["suggested"]), "play")
        told = guest.choose(opened["id"], choice).json()["round"]
        [house] = [each["cards"] for each in told["events"] if each["kind"] == "revealed"]
        proof = guest.get(f"/rounds/{opened['id']}/proof").json()
        return Played(proof, shown, [*own, *house])
