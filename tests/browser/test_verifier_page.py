"""The verifier as a page: unreadable files, pointer and keyboard use, and its restrictions."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from browser.conftest import Visiting
from browser.saved import STATIC, Opening, Played, opening, play
from browser.tables import Language, axe
from tapisvert.games.registry import GAMES
from tapisvert.web.verifier import verifier_page
from tapisvert.words import LANGUAGES, catalogue
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py


@pytest.fixture
def saved(visit: Visiting, tmp_path: Path) -> Iterator[Opening]:
    """Open the saved verifier; it must send no request."""
    with opening(visit, tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(tmp_path_factory.mktemp("house"))


# Files that cannot be read ------------------------------------------------------------------------

MISSING = object()
SPOILED: list[tuple[str, object]] = [
    *((field, MISSING) for field in ("format", "game", "sheet_hash", "sheet", "round_id")),
    *((field, MISSING) for field in ("client_seed", "server_seed", "commitment", "deck")),
    *((field, 1) for field in ("game", "round_id", "client_seed", "commitment", "sheet", "deck")),
    ("format", "tapisvert/round/2"),
    ("client_seed", ["seed"]),
    ("server_seed", ""),
    ("server_seed", "ab" * 31),
    ("server_seed", "ab" * 33),
    ("server_seed", "xy" * 32),
    ("server_seed", "ab" * 32 + "\n"),
    ("sheet", []),
    ("sheet", None),
    ("sheet", {"game": "casino-stud", "step_cents": 2**53}),
    ("deck", []),
    ("deck", ["As"] * 51),
    ("deck", ["As"] * 53),
    ("deck", ["As"] * 51 + ["Jk"]),
    ("deck", ["As"] * 51 + ["as"]),
    ("deck", ["As"] * 51 + [["As"]]),
]
CARDS = {game.id: len(game.sheet_type.deck) for game in GAMES.values()}
TRY_ALL = """([texts, cards]) => Promise.all(texts.map(async ([text, promised]) => {
  try {
    const proof = api.read(text);
    return (await api.check(proof, cards[proof?.game], promised ?? undefined)).true;
  } catch (error) {
    return [error instanceof Error, error.code, error.reason];
  }
}))"""


def spoiled(proof: dict[str, Any], field: str, value: object) -> dict[str, Any]:
    """Return a proof without a field, or with an invalid value in it."""
    rest = {name: each for name, each in proof.items() if name != field}
    return rest if value is MISSING else {**rest, field: value}


def test_a_proof_that_lacks_something_is_refused_by_the_name_of_the_field(
    saved: Opening, played: Played
) -> None:
    page = saved()
    page.load()
    whole = msgspec.json.encode(played.proof).decode()
    tries: list[tuple[str, str | None]] = [(whole, None), (whole, played.shown)]
    tries += [
        (msgspec.json.encode(spoiled(played.proof, field, value)).decode(), None)
        for field, value in SPOILED
    ]
    tries += [(text, None) for text in ("null", "1", '"deck"', "[]")]
    tries += [(text, None) for text in ("", "{", "{'deck'}", "NaN", whole + "}")]
    tries += [(whole.replace('"edition":1', '"edition":1.0'), None)]
    tries += [(whole.replace("casino-stud", "pai-gow"), None)]  # which has 53 cards
    tries += [(whole.replace("casino-stud", "faro"), None)]  # whose deck we do not know
    tries += [(whole.replace("été à Montréal", "\\ud800"), None)]
    tries += [(whole.replace('"step_cents":100', '"step_cents":' + "[" * 99 + "]" * 99), None)]
    tries += [(whole, noted) for noted in ("", " ", "0x00", played.shown[:-1], played.shown + "0")]
    reasons = [*(field for field, _ in SPOILED), *["proof"] * 4, *["json"] * 5]
    reasons = [*reasons, "number", "deck", "game", "client_seed", "sheet", *["promised"] * 5]
    told = page.page.evaluate(TRY_ALL, [tries, CARDS])
    assert told[:2] == [True, True]
    for (text, _), reason, found in zip(tries[2:], reasons, told[2:], strict=True):
        assert found == [True, "proof/unreadable", reason], text[:200]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_is_no_proof_gets_a_message_and_the_page_goes_on(
    saved: Opening, played: Played, language: Language
) -> None:
    page, words = saved(language), catalogue(language)
    whole = msgspec.json.encode(played.proof)
    for content, reason in (
        (b"", "json"),
        (b"{", "json"),
        (b"[" * 100_000, "json"),
        (b"\xff\xfe{}", "text"),
        (b'"' + b"a" * 1_000_000 + b'"', "size"),
        (b"[]", "proof"),
        (whole.replace(b'"edition":1', b'"edition":1e0'), "number"),
        (whole.replace(b'"deck"', b'"dech"'), "deck"),
    ):
        field = {"field": reason}
        told = words.write(f"verifier.reason.{'field' if reason == 'deck' else reason}", field)
        assert page.give(content) == "unreadable"
        assert words.write("error.proof/unreadable", {"file": "round.json", "reason": told}) in (
            page.says()
        )
        assert "pass" not in page.steps().values()
        assert page.page.is_hidden("#deck")
    assert page.give(played.proof, "123") == "unreadable"
    assert words.write("verifier.noted-wrong") in page.says()
    assert page.page.get_attribute("#noted", "aria-invalid") == "true"
    assert page.give(played.proof) == "alone"


def test_a_browser_without_WebCrypto_is_told_so(saved: Opening, played: Played) -> None:
    page = saved("fr")
    gone = "Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})"
    page.page.context.add_init_script(gone)
    page.page.reload()
    assert page.verdict() == "unreadable"
    assert catalogue("fr").write("verifier.no-crypto") in page.says()


# Hands --------------------------------------------------------------------------------------------


def test_it_is_used_with_the_keyboard_alone(saved: Opening, played: Played) -> None:
    page = saved("en").page
    words = catalogue("en")
    asked = "document.activeElement.id || document.activeElement.value"
    order = []
    for _ in range(7):
        page.keyboard.press("Tab")
        order.append(page.evaluate(asked))
        assert page.evaluate("document.activeElement.matches(':focus-visible')")
    assert order == ["fr", "en", "file", "text", "noted", "check", "clear"]
    page.get_by_label(words.write("verifier.paste")).focus()
    page.keyboard.insert_text(msgspec.json.encode(played.proof).decode())
    page.wait_for_selector(".verdict.alone")
    page.keyboard.press("Tab")
    page.keyboard.insert_text(played.shown)
    page.wait_for_selector(".verdict.true")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text("{}")
    page.wait_for_selector(".verdict.unreadable")
    assert words.write("verifier.pasted") in page.inner_text("#verdict")
    assert page.get_attribute("#verdict", "aria-live") == "polite"


def test_a_file_can_be_dropped_anywhere(saved: Opening, played: Played) -> None:
    page = saved()
    page.page.evaluate(
        """(text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], 'dropped.json'));
          const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector('footer').dispatchEvent(event);
        }""",
        msgspec.json.encode(played.proof).decode(),
    )
    assert page.verdict() == "alone"
    assert "dropped.json" in page.says("#name")


def test_a_value_is_copied_as_it_is(saved: Opening, played: Played) -> None:
    page = saved()
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.give(played.proof)
    page.page.evaluate("window.setTimeout = () => 0")  # which would take the word back
    copied = []
    for button in ("[data-step=commitment] button", "#copy-deck button"):
        page.page.click(button)
        page.page.wait_for_selector(f"{button}:text-is('Copied')")
        copied.append(page.page.evaluate("navigator.clipboard.readText()"))
    assert copied == [played.shown, " ".join(played.proof["deck"])]


def test_the_language_is_changed_without_losing_the_result(saved: Opening, played: Played) -> None:
    page = saved("fr")
    assert page.give(played.proof, played.shown) == "true"
    for language in ("en", "fr"):
        page.page.click(f".languages button[value={language}]")
        words = catalogue(language)
        assert page.page.get_attribute("html", "lang") == language
        assert words.write("verifier.true") in page.says()
        assert page.page.title().startswith(words.write("verifier.title"))
        pressed = page.page.locator(".languages [aria-pressed=true]")
        assert pressed.get_attribute("value") == language


# Looks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [320, 360, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_sticks_out_and_axe_finds_nothing(
    saved: Opening, played: Played, language: Language, width: int
) -> None:
    page = saved(language, width)
    wrong = copy.deepcopy(played.proof)
    wrong["server_seed"] = "ab" * 32
    for proof, verdict in ((b"{", "unreadable"), (played.proof, "true"), (wrong, "false")):
        assert page.give(proof, played.shown) == verdict
        page.page.evaluate("document.querySelector('details').open = true")
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        assert axe(page.page) == []


def test_its_own_policy_lets_nothing_out(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "verifier.html"
    file.write_text(verifier_page(), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    asked = page.evaluate("""() => new Promise((told) => {
      addEventListener('securitypolicyviolation', (event) => told(event.effectiveDirective));
      navigator.sendBeacon('http://127.0.0.1:9/', 'x');
      setTimeout(told, 20_000, 'nothing stopped it');
    })""")
    page.context.close()
    assert asked == "connect-src"


def test_the_template_is_filled_and_its_script_ends_once() -> None:
    page, template = verifier_page(), (STATIC / "verifier.html").read_text(encoding="utf-8")
    assert page.count("</script") == template.count("</script") == 1
    assert "{deal.js}" not in page
    assert "{words}" not in page
    assert "export " not in page.replace('"export"', "")
    assert "://" not in page  # no address it could ask
    for language in LANGUAGES:
        assert catalogue(language).write("verifier.no-script") in page.replace("&#x27;", "'")
