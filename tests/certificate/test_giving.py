"""Issuing certificates: by HTTP and command line, in both languages, with values."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from certificate.played import GAMES, STAKES, rich
from certificate.test_tampering import data_of, examined
from cli.typed import tapis, typed
from coach.present import MadeUp
from houses import Guest, Opinions, client_of, deck_of, make_house
from tapisvert.cli.certify import certified, file_name
from tapisvert.coach.advice import advise
from tapisvert.coach.decisions import decisions
from tapisvert.engine import Answer
from tapisvert.games.registry import current
from tapisvert.history.round_proof import decisions_of
from tapisvert.sheets import load
from tapisvert.web import create_app
from tapisvert.web.certificate import HouseSays, certificate_page
from tapisvert.words import LANGUAGES, catalogue
from web.office import WHY, open_room
from web.test_advice import Absent
from web.test_client_source import words

SOURCE = Path(__file__).parents[2] / "src"
MODULES = {
    path.name: path.read_text(encoding="utf-8")
    for path in (SOURCE / "tapisvert/web/certificate").glob("*.js")
}


def play(guest: Guest, game: str) -> str:
    """Play a round to its end with the first legal options; return its id."""
    round_ = guest.open(STAKES[game], game=game).json()["round"]
    while (ask := round_["ask"]) is not None:
        choice = next(option["id"] for option in ask["options"] if option["legal"])
        round_ = guest.choose(round_["id"], choice, ask["step"]).json()["round"]
    round_id: str = round_["id"]
    return round_id


def fetched(guest: Guest, round_id: str, query: str = "", **headers: str) -> Any:
    """Fetch a certificate."""
    path = f"/rounds/{round_id}/certificate{query}"
    return guest.client.get(path, headers={**guest.headers(None), **headers})


@pytest.mark.parametrize("game", GAMES)
def test_the_certificate_of_a_round_that_was_played_is_true(game: str, tmp_path: Path) -> None:
    coach = MadeUp(Opinions)
    with client_of(make_house(tmp_path / "tapis.db"), coach) as client:
        guest = Guest(client)
        round_id = play(guest, game)
        answer = fetched(guest, round_id)
        proof = guest.get(f"/rounds/{round_id}/proof").json()
    assert answer.status_code == 200
    name = f"certificate-{round_id}.html"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    data = data_of(answer.text)
    assert data["proof"] == proof
    questions = [answer for answer in proof["answers"] if isinstance(answer, str)]
    assert len(data["values"]) == len(coach.asked) == len(questions)
    assert examined(answer.text, [msgspec.json.encode(data)], tmp_path)[0]["true"] is True


def test_without_a_coach_it_is_made_without_values_and_is_as_true(tmp_path: Path) -> None:
    house = make_house(tmp_path / "tapis.db")
    with client_of(house, Absent()) as client:
        guest = Guest(client)
        answer = fetched(guest, play(guest, "casino-stud"))
    assert answer.status_code == 200
    data = data_of(answer.text)
    assert data["values"] is None
    assert examined(answer.text, [msgspec.json.encode(data)], tmp_path)[0]["true"] is True
    assert create_app(house).state.coach is None  # and where no coach is kept at all, as below


def test_nobody_gets_anothers_and_nobody_one_of_a_round_that_goes_on(tmp_path: Path) -> None:
    with client_of(make_house(tmp_path / "tapis.db")) as client:
        guest, other = Guest(client), Guest(client)
        round_id = play(guest, "casino-stud")
        waiting = guest.open({"ante": 1000}).json()["round"]["id"]
        refusals = [(other, round_id), (guest, "nothing"), (guest, waiting)]
        answers = [fetched(who, what) for who, what in refusals]
        stranger = client.get(f"/rounds/{round_id}/certificate")
    told = [(answer.status_code, answer.json()["code"]) for answer in answers]
    assert told == [(404, "round/unknown"), (404, "round/unknown"), (409, "round/not_ended")]
    assert stranger.status_code == 401


def test_the_language_is_the_one_asked_for_or_the_readers(tmp_path: Path) -> None:
    with client_of(make_house(tmp_path / "tapis.db")) as client:
        guest = Guest(client)
        round_id = play(guest, "casino-stud")
        french = {"Accept-Language": "fr-CA"}
        pages = [
            fetched(guest, round_id, "?language=fr"),
            fetched(guest, round_id, **french),
            fetched(guest, round_id, "?language=en", **french),
            fetched(guest, round_id, "?language=de", **french),
        ]
    spoken = [re.findall(r'<html lang="(\w+)">', page.text) for page in pages]
    assert spoken == [["fr"], ["fr"], ["en"], ["fr"]]
    assert catalogue("fr").write("certificate.title") in pages[0].text


def test_a_round_the_house_has_voided_since_says_so(tmp_path: Path) -> None:
    with open_room(tmp_path / "tapis.db") as room:
        before = data_of(fetched(room.player, room.round_id).text)["house"]
        room.clerk.post(f"/operator/rounds/{room.round_id}/void", WHY)
        after = data_of(fetched(room.player, room.round_id).text)["house"]
    assert before["reversal"] is None
    assert after["reversal"]["reason"] == WHY["reason"]
    assert after["opened_at"] == before["opened_at"] is not None


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_is_the_question_as_it_was_put(game: str) -> None:
    proof = rich(game)
    found = decisions_of(proof)
    assert [each.ask.step for each in found] == list(range(len(found)))
    assert len(found) == sum(isinstance(answer, str) for answer in proof.answers)
    for decision, answer in zip(found, proof.answers, strict=True):
        chosen = next(option for option in decision.ask.options if option.id == answer)
        assert chosen.legal
        cards = [card for cards in decision.position.values() if isinstance(cards, tuple)
                 for card in cards]  # fmt: skip
        assert "??" not in cards  # only what the player saw


def test_the_banks_word_is_nobodys_decision() -> None:
    sheet = load("blackjack")
    stakes = {"hand-1": 1000, "hand-2": 1000, "royal": 100}
    answers: list[Answer] = [2_000_000, "stand"]
    found = decisions(
        current("blackjack").script, sheet, deck_of("As Ks Qs Js Ts 2c"), stakes, answers
    )
    assert [each.ask.hand for each in found] == ["hand-2"]
    assert found[0].unit_cents == 1000


# The command line ---------------------------------------------------------------------------------


def test_the_command_writes_the_same_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    proof = rich("casino-stud")
    Path("round.json").write_bytes(msgspec.json.encode(proof))
    done = tapis("certify", "round.json", "--no-values", "--language", "fr")
    name = f"certificate-{proof.round_id}.html"
    assert (done.returncode, done.stdout) == (0, f"{name}\n")
    written = Path(name).read_text(encoding="utf-8")
    assert written == certificate_page(proof, "fr", HouseSays(), None)
    assert typed("certify", "round.json", "--no-values", "--out", "other.html").returncode == 0
    assert '<html lang="en">' in Path("other.html").read_text(encoding="utf-8")


def test_the_command_has_every_decision_valued(tmp_path: Path) -> None:
    data = data_of(certified(rich("high-card-flush"), "en", valued=True))
    [decision] = decisions_of(rich("high-card-flush"))
    position = {**decision.position, "player": list(decision.position["player"])}
    worth = advise(position).options
    [value] = data["values"]
    assert value["options"] == {option: f"{worth[option]:.12f}" for option in value["options"]}
    assert set(value["options"]) == {option.id for option in decision.ask.options if option.legal}


def test_the_command_certifies_nothing_that_is_false(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    proof = msgspec.to_builtins(rich("casino-stud"))
    proof["lines"][0]["returned_cents"] += 100
    Path("round.json").write_bytes(msgspec.json.encode(proof))
    done = typed("certify", "round.json")
    assert done.returncode == 1
    assert catalogue("en").write("verify.false") in done.stdout
    assert list(tmp_path.glob("*.html")) == []


def test_the_name_of_a_round_is_never_a_way_out_of_the_folder() -> None:
    proof = rich("casino-stud")
    for name in ("../../etc/x", "a/b", "", "x" * 65, "."):
        odd = msgspec.structs.replace(proof, round_id=name)
        assert file_name(odd) == Path("certificate.html")


# Words --------------------------------------------------------------------------------------------


def unsaid(keys: set[str]) -> set[str]:
    """Return the words that neither the page nor its data use."""
    source = "".join(MODULES.values())
    named = set(re.findall(r"'(?:certificate\.)?([\w.-]+)'", source))
    named |= set(re.findall(r"\b(\w+)(?=:|,? })", source))
    named |= set(data_of(certified(rich("casino-stud"), "en", valued=False))["digests"])

    def alive(key: str) -> bool:
        table, _, row = key.partition(".")
        return key in named or (f"{table}.${{" in source and row in named)

    return {key for key in keys if not alive(key)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_words_for_all_it_says_and_says_all_it_has(language: str) -> None:
    of_the_house = words(language, "house")
    keys = {key.partition(".")[2] for key in of_the_house if key.startswith("certificate.")}
    by_others = {"no-script", "field.number"}  # the page before it runs, and what deal.js refuses
    assert unsaid(keys - by_others) == set()
    assert unsaid({"left-over", "check.nobody", "nobody.deck"}) == {
        *("left-over", "check.nobody", "nobody.deck")
    }
    asked = set(re.findall(r"this\.t\(\s*'([\w.-]+)'", MODULES["page.js"]))
    assert len(asked) > 15
    assert asked <= keys


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_carries_no_address_and_one_policy(game: str, language: str) -> None:
    page = certificate_page(rich(game), language, HouseSays(), None)
    assert not re.search(r"(?:https?|wss?)://", page)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert page.count("<script") == 3


def test_a_text_of_the_player_cannot_end_the_data(tmp_path: Path) -> None:
    seed = "</script><script>alert(1)</script>{certificate}<!--"
    proof = msgspec.structs.replace(rich("casino-stud"), client_seed=seed)
    page = certificate_page(proof, "en", HouseSays(), None)
    assert page.count("<script") == 3
    assert data_of(page)["proof"]["client_seed"] == seed
