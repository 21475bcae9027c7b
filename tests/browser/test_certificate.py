"""The certificate in a real browser: opened from disk offline, read, printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import msgspec
import pytest
from playwright.sync_api import Page

from browser.conftest import Sit, Visiting
from browser.served import Served
from browser.tables import Language, Visit, axe
from browser.turns import first_of
from certificate.played import GAMES, first, rich
from certificate.test_tampering import SAID, data_of, made_up
from tapisvert.history.round_proof import Proof, check_proof, read_proof
from tapisvert.rounds.schemas import ReversalView
from tapisvert.web.certificate import HouseSays, certificate_page
from tapisvert.words import LANGUAGES, catalogue
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

WIDTHS = (1280, 360)


class Opening(Protocol):
    """Saves a page and opens it from the disk, offline."""

    def __call__(self, page: str, language: Language = "en", width: int = 1280) -> Page: ...


@pytest.fixture
def saved(visit: Visiting, tmp_path: Path) -> Iterator[Opening]:
    """Open certificates; none may send a request."""
    visits: list[tuple[Visit, Path]] = []

    def start(page: str, language: Language = "en", width: int = 1280) -> Page:
        file = tmp_path / f"certificate-{len(visits)}.html"
        file.write_text(page, encoding="utf-8")
        made = visit(file.as_uri(), language=language, width=width)
        made.page.context.set_offline(True)
        made.page.wait_for_selector("main[data-verdict]")
        visits.append((made, file))
        return made.page

    yield start
    for made, file in visits:
        assert {each for each in made.requests if not each.startswith("blob:")} == {file.as_uri()}


def certificate(proof: Proof, language: Language = "en", house: HouseSays = SAID) -> str:
    return certificate_page(proof, language, house, made_up(proof))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", first_of(GAMES, "blackjack"))
def test_a_true_certificate_is_read_and_verified(
    saved: Opening, game: str, language: Language, width: int
) -> None:
    proof, words = rich(game), catalogue(language)
    page = saved(certificate(proof, language), language, width)
    assert page.get_attribute("main", "data-verdict") == "true"
    told = page.inner_text("main")
    assert words.write("certificate.true") in told
    assert words.write("title", {}, game) in told
    for field in (proof.commitment, proof.server_seed, proof.client_seed, proof.sheet_hash):
        assert field in told
    for line in proof.lines:
        assert words.write(f"bet.{line.bet}", {}, game) in told
        assert words.money(line.returned_cents) in told
    assert page.locator(".decision").count() == len(proof.answers)
    assert page.locator(".decision tr.chosen").count() == len(proof.answers)
    assert page.locator(".deck .card").count() == len(proof.deck)
    assert axe(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_what_is_shown_is_drawn_from_the_data_and_not_written_in_the_file(saved: Opening) -> None:
    """A changed amount is reported, and the ledger shows the page's own result."""
    proof, words = rich("casino-stud"), catalogue("en")
    written = certificate(proof)
    line = proof.lines[0]
    told = f'"returned_cents":{line.returned_cents}'
    assert written.count(words.write("certificate.true")) == 1  # among its words, and nowhere else
    page = saved(written.replace(told, '"returned_cents":765432', 1))
    assert page.get_attribute("main", "data-verdict") == "false"
    verdict = page.inner_text(".verdict")
    assert words.write("certificate.false") in verdict
    assert words.write("certificate.part.settlement") in verdict
    failed = page.eval_on_selector_all(".checks .fail", "(all) => all.map((e) => e.dataset.part)")
    assert failed == ["settlement", "written"]
    assert words.money(765432) in page.inner_text("[data-part=settlement]")
    assert words.money(765432) not in page.inner_text("[aria-labelledby=settlement]")
    assert axe(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_changed_card_is_named_by_its_place(saved: Opening, language: Language) -> None:
    proof, words = rich("ultimate"), catalogue(language)
    other = proof.deck[40]
    written = certificate(proof, language).replace(f'["{proof.deck[0]}"', f'["{other}"', 1)
    page = saved(written, language, 360)
    told = page.inner_text("[data-part=deck]")
    assert words.write("certificate.place", {"place": 1}) in told
    assert words.card(other) in told
    assert words.card(proof.deck[0]) in told
    assert axe(page) == []


def test_without_values_it_says_so(saved: Opening) -> None:
    page = saved(certificate_page(rich("casino-stud"), "en", HouseSays(), None))
    assert page.get_attribute("main", "data-verdict") == "true"
    assert catalogue("en").write("certificate.no-values") in page.inner_text("main")
    assert page.locator("time").count() == 0


def test_a_void_round_and_one_the_house_voided_later_say_so(saved: Opening) -> None:
    words = catalogue("fr")
    proof = first("ultimate", lambda each: each.void_reason is not None, "expired")
    reversal = ReversalView("2026-11-16T00:00:00.000Z", "écran gelé", 0, 500, 250)
    house = HouseSays("2026-11-15T09:45:03.086Z", reversal)
    page = saved(certificate_page(proof, "fr", house, None), "fr")
    assert page.get_attribute("main", "data-verdict") == "true"
    told = page.inner_text("[aria-labelledby=settlement]")
    assert words.write("why.expired") in told.lower()
    assert "écran gelé" in told
    assert words.money(250) in told


def test_the_proof_can_be_taken_out_of_it_and_checked_elsewhere(
    saved: Opening, tmp_path: Path
) -> None:
    proof = rich("blackjack")
    page = saved(certificate(proof))
    with page.expect_download() as waiting:
        page.click("a[download]")
    target = tmp_path / "taken.json"
    waiting.value.save_as(target)
    assert waiting.value.suggested_filename == "round.json"
    taken = read_proof(target.read_bytes(), "taken.json")
    assert taken == proof
    assert check_proof(taken, "taken.json").true


@pytest.mark.parametrize(
    "spoiled", first_of(["{", "", "[]", '{"format":"tapisvert/certificate/1"}'])
)
def test_data_that_makes_no_sense_is_false_and_not_a_blank_page(
    saved: Opening, spoiled: str
) -> None:
    written = certificate(rich("casino-stud"))
    before, after = written.split('id="certificate">')
    page = saved(f'{before}id="certificate">{spoiled}</script>{after.split("</script>", 1)[1]}')
    assert page.get_attribute("main", "data-verdict") == "false"
    assert catalogue("en").write("certificate.false") in page.inner_text(".verdict")


def test_a_script_that_is_not_its_own_does_not_run(visit: Visiting, tmp_path: Path) -> None:
    written = certificate(rich("casino-stud"))
    planted = "<script>document.title = 'planted'</script></main>"
    file = tmp_path / "planted.html"
    file.write_text(written.replace("</main>", planted, 1), encoding="utf-8")
    made = visit(file.as_uri())
    made.page.wait_for_selector("main[data-verdict]")
    assert made.page.title() != "planted"
    made.page.evaluate("0")  # an answer comes after all that was said before it
    assert len(made.csp_violations) == 1
    made.forget()


@pytest.mark.parametrize("way", first_of(["replay", "fairness"]))
def test_the_pages_lead_to_it(sit: Sit, house: Served, way: str, tmp_path: Path) -> None:
    seat = sit()
    page = seat.page
    seat.press(".spot.ante")
    seat.deal()
    seat.choose(0)
    page.goto(f"{house.url}/history")
    page.locator(".rounds a").nth(0 if way == "replay" else 1).click()
    link = page.get_by_role("link", name=catalogue("fr").write("fair.save-certificate"), exact=True)
    link.wait_for()
    with page.expect_download() as waiting:
        link.click()
    assert waiting.value.suggested_filename.startswith("certificate-")
    target = tmp_path / "given.html"
    waiting.value.save_as(target)
    data = data_of(target.read_text(encoding="utf-8"))
    assert read_proof(msgspec.json.encode(data["proof"]), "").game == "casino-stud"
    assert '<html lang="fr">' in target.read_text(encoding="utf-8")
