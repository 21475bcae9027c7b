"""The saved verifier: one file, opened from disk offline, detects false proofs."""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from browser.conftest import Visiting
from browser.saved import MODULE, Opening, Played, opening, play
from browser.tables import Language
from tapisvert.engine.sheet import content
from tapisvert.engine.sheet_file import with_changes
from tapisvert.history.round_proof import check_proof, read_proof
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES, catalogue
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "tests/dealing/vectors.json").read_text(encoding="utf-8"))["vectors"]
ANOTHER = next(vector for vector in VECTORS if vector["cards"] == 52)
REJECTION = "for (; word >= limit; skipped++)"
REJECTING = 6  # vectors that pass a word over
Spoil = Callable[[dict[str, Any]], None]


@pytest.fixture
def saved(visit: Visiting, tmp_path: Path) -> Iterator[Opening]:
    """Open the saved verifier; it must send no request."""
    with opening(visit, tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(tmp_path_factory.mktemp("house"))


# The deal -----------------------------------------------------------------------------------------

DEAL_ALL = """(vectors) => Promise.all(vectors.map(async (vector) => {
  const { deck, draws } = await api.deal(vector, vector.cards);
  const skipped = draws.reduce((sum, draw) => sum + draw.skipped, 0);
  return { deck, skipped, draws, commitment: await api.commitment(vector.server_seed) };
}))"""


def test_every_vector_gives_its_commitment_and_its_deck(saved: Opening) -> None:
    page = saved()
    page.load()
    dealt = page.page.evaluate(DEAL_ALL, VECTORS)
    assert len(VECTORS) > 100
    for vector, found in zip(VECTORS, dealt, strict=True):
        assert (found["deck"], found["commitment"]) == (vector["deck"], vector["commitment"])
        assert [draw["n"] for draw in found["draws"]] == [*range(vector["cards"], 1, -1)]
    assert sum(found["skipped"] > 0 for found in dealt) == REJECTING


def test_control_a_deal_that_passes_no_word_over_fails_the_vectors_made_for_it(
    saved: Opening,
) -> None:
    page = saved()
    assert MODULE.count(REJECTION) == 1
    page.load(MODULE.replace(REJECTION, "for (; false; skipped++)"))
    dealt = page.page.evaluate(DEAL_ALL, VECTORS)
    pairs = zip(VECTORS, dealt, strict=True)
    assert sum(found["deck"] != vector["deck"] for vector, found in pairs) == REJECTING


def test_the_draws_are_those_the_docs_print(saved: Opening) -> None:
    docs = (ROOT / "docs/fair-dealing.md").read_text(encoding="utf-8")
    vector = json.loads(re.findall(r"```json\n(.*?)```", docs, re.DOTALL)[-1])
    rows = re.findall(r"^\| (\d+) \| `\w+` \| (\d+) \| \d+ \| places (\d+) and (\d+)", docs, re.M)
    page = saved()
    page.load()
    [dealt] = page.page.evaluate(DEAL_ALL, [vector])
    told = [[draw["n"], draw["word"], *draw["swap"]] for draw in dealt["draws"][: len(rows)]]
    assert told == [[int(cell) for cell in row] for row in rows]
    assert len(rows) == 4


def test_a_sheet_has_the_hash_the_house_gives_it(saved: Opening) -> None:
    shipped = load("casino-stud")
    changed = with_changes(shipped, {"play.times_ante": 3, "bonus.pays.flush": "31:2"})
    odd = {"é": 'été \x7f\u2028 \x1f\b"\\/<', "\uffff": 1, "\U0001f600": [], "9": 2**53 - 1}
    odd |= {"10": {"b": [True, None, {}], "a": -5}, "": "0", "__proto__": 1}
    sheets = [content(shipped), content(changed), odd]
    page = saved()
    page.load()
    # As text, the way a file brings it: Playwright's own passing would lose "__proto__".
    texts = [msgspec.json.encode(sheet).decode() for sheet in sheets]
    hashes = page.page.evaluate(
        "(all) => Promise.all(all.map(t => api.sheetHash(api.read(t))))", texts
    )
    ours = [
        hashlib.sha256(msgspec.json.encode(each, order="sorted")).hexdigest() for each in sheets
    ]
    assert hashes == ours
    assert hashes[:2] == [shipped.hash, changed.hash]


# A real round -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_real_round_is_verified_offline(
    saved: Opening, played: Played, language: Language
) -> None:
    proof, shown, dealt = played.proof, played.shown, played.dealt
    words, page = catalogue(language), saved(language)
    assert page.page.get_attribute("html", "lang") == language
    assert page.give(proof, shown) == "true"
    assert words.write("verifier.true") in page.says()
    assert words.write("verifier.true-help") in page.says()
    checked = dict.fromkeys(("promised", "commitment", "sheet", "deck"), "pass")
    assert page.steps() == {**checked, "settlement": "open"}
    assert words.write("verifier.pass") in page.says("[data-step=deck]")
    drawn = "(all) => all.map((card) => card.dataset.card)"
    assert page.page.eval_on_selector_all("#cards > li", drawn) == proof["deck"]
    assert page.page.eval_on_selector_all("#cards > .dealt", drawn) == dealt
    assert words.card(proof["deck"][0]) in (page.page.text_content("#cards > li") or "")


def test_without_a_note_the_file_only_agrees_with_itself(saved: Opening, played: Played) -> None:
    page, words = saved(), catalogue("en")
    assert page.give(played.proof) == "alone"
    assert page.steps()["promised"] == "open"
    assert words.write("verifier.true") not in page.says()
    page.page.fill("#noted", f"  {played.shown.upper()} ")
    page.page.press("#noted", "Enter")
    page.page.wait_for_selector(".verdict.true")


def turn_cards(proof: dict[str, Any]) -> None:
    deck = proof["deck"]
    deck[3], deck[7] = deck[7], deck[3]


def change(path: str, value: object) -> Spoil:
    def spoil(proof: dict[str, Any]) -> None:
        *outer, last = path.split(".")
        for name in outer:
            proof = proof[name]
        proof[last] = value

    return spoil


def other_game(proof: dict[str, Any]) -> None:
    proof["sheet"]["game"] = "other"
    written = msgspec.json.encode(proof["sheet"], order="sorted")
    proof["sheet_hash"] = hashlib.sha256(written).hexdigest()


SPOILED: list[tuple[str, Spoil, set[str]]] = [
    ("card order", turn_cards, {"deck"}),
    ("another deck", change("deck", ANOTHER["deck"]), {"deck"}),
    ("seed", change("server_seed", "ab" * 32), {"commitment", "deck"}),
    ("client seed", change("client_seed", "ete a Montreal"), {"deck"}),
    ("not normalised", change("client_seed", "e\u0301té à Montréal"), {"deck"}),
    ("round id", change("round_id", "another"), {"deck"}),
    ("sheet figure", change("sheet.play.times_ante", 3), {"sheet"}),
    ("sheet hash", change("sheet_hash", "0" * 64), {"sheet", "deck"}),
    ("commitment", change("commitment", "0" * 64), {"promised", "commitment"}),
    ("sheet of another game", other_game, {"sheet", "deck"}),
]


def test_what_was_changed_is_named(saved: Opening, played: Played) -> None:
    page, words = saved(), catalogue("en")
    for name, spoil, fails in SPOILED:
        proof = copy.deepcopy(played.proof)
        spoil(proof)
        assert (page.give(proof, played.shown), page.failed()) == ("false", fails), name
        assert words.write("verify.false") in page.says(), name
        for step, word in itertools.product(fails, ("fail", "wrong.{}")):
            told = page.says(f"[data-step={step}]")
            assert words.write(f"verifier.{word.format(step)}") in told, name
        if spoil is not other_game:  # which `tapis verify` refuses to read
            checks = check_proof(read_proof(msgspec.json.encode(proof), ""), "").checks
            wrong = {check for check, holds in checks.items() if not holds}
            assert wrong - {"settlement"} == fails - {"promised"}, name


def test_a_promise_that_was_not_kept_is_named(saved: Opening, played: Played) -> None:
    page = saved()
    assert page.give(played.proof, "0" * 64) == "false"
    assert page.failed() == {"promised"}
    assert played.shown in page.says("[data-step=promised]")
    assert "0" * 64 in page.says("[data-step=promised]")


def test_cards_that_lie_elsewhere_are_shown_with_those_of_the_file(
    saved: Opening, played: Played
) -> None:
    proof, page = copy.deepcopy(played.proof), saved()
    turn_cards(proof)
    page.give(proof)
    places = "(all) => all.map((card) => [...card.parentNode.children].indexOf(card))"
    assert page.page.eval_on_selector_all("#cards > .elsewhere", places) == [3, 7]
    told = page.page.locator("#cards > .elsewhere").first.text_content() or ""
    assert catalogue("en").card(proof["deck"][3]) in told


def test_a_real_round_with_the_joker_is_verified_offline(saved: Opening, tmp_path: Path) -> None:
    (proof, shown, dealt), page = play(tmp_path, "pai-gow"), saved("fr")
    assert (len(proof["deck"]), dealt) == (53, proof["deck"][:14])
    assert page.give(proof, shown) == "true"
    drawn = "(all) => all.map((card) => card.dataset.card)"
    assert page.page.eval_on_selector_all("#cards > li", drawn) == proof["deck"]
    assert page.page.eval_on_selector_all("#cards > .dealt", drawn) == dealt
    assert "joker" in (page.page.text_content("#cards > [data-card=Jk]") or "")
    turn_cards(proof)
    assert page.give(proof, shown) == "false"
    assert page.failed() == {"deck"}
