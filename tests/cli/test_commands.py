"""The commands as typed: examples, wrong options, and announcements only after success."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import msgspec
import pytest

from cli.test_help import is_group, pages
from cli.typed import WAYS, Run, refused, tapis, typed
from games.stud import TAPIS, request
from houses import PLAYER_WINS, Guest, client_of, make_house
from tapisvert.cli import serve
from tapisvert.cli.app import app
from tapisvert.cli.replay import answer_line

# Every command that is no group, and `tapis` alone.
NAMES = ["", *(" ".join(words) for words in pages(app.commands) if not is_group(words))]


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the saved proof of a finished round."""
    folder = tmp_path_factory.mktemp("proof")
    with client_of(make_house(folder / "tapis.db")) as client:
        guest = Guest(client)
        opened = guest.open({"ante": 1000}).json()["round"]
        guest.choose(opened["id"], "play")
        path = folder / "round.json"
        path.write_bytes(guest.get(f"/rounds/{opened['id']}/proof").content)
        return path


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES, ids=lambda name: name or "tapis")
def test_every_command_has_help_with_an_example_of_itself(name: str, way: Run) -> None:
    told = way(*name.split(), "--help")
    assert (told.returncode, told.stderr) == (0, "")
    assert re.search(rf"Example: .*tapis {name}", told.stdout)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_round_is_told_and_verified(proof: Path, language: str) -> None:
    commitment = msgspec.json.decode(proof.read_bytes())["commitment"]
    told = typed("verify", proof, "--commitment", commitment, "--language", language)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.count("✓") == 5
    assert commitment in told.stdout


def test_a_commitment_that_is_not_the_one_noted_makes_the_round_false(proof: Path) -> None:
    told = typed("verify", proof, "--commitment", "0" * 64)
    assert told.returncode == 1
    assert told.stdout.count("✗") == 1


@pytest.mark.parametrize(
    "words", [("--commitment", "884e7ee0..."), ("--commitment", ""), ("--language", "de")], ids=str
)
def test_an_option_that_makes_no_sense_is_no_verdict(proof: Path, words: tuple[str, ...]) -> None:
    told = typed("verify", proof, *words)
    assert (told.returncode, told.stdout) == (2, "")


def test_a_terminal_without_check_marks_gets_a_verdict_all_the_same(proof: Path) -> None:
    told = tapis("verify", proof, PYTHONIOENCODING="latin-1")
    assert (told.returncode, told.stderr) == (0, "")
    assert "This round is verified." in told.stdout


def voided(proof: Path, folder: Path, reason: str) -> Path:
    """Write the proof of the same deal, voided before any answer."""
    content = msgspec.json.decode(proof.read_bytes())
    stake = {"bet": "ante", "staked_cents": 1000, "returned_cents": 1000}
    content.update(answers=[], void_reason=reason)
    content["lines"] = [{**stake, "outcome": "returned", "capped": False}]
    path = folder / "voided.json"
    path.write_bytes(msgspec.json.encode(content))
    return path


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("reason", ["expired", "operator"])
def test_a_voided_round_verifies_and_is_told(
    proof: Path, tmp_path: Path, reason: str, language: str
) -> None:
    told = typed("verify", voided(proof, tmp_path, reason), "--language", language)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.count("✓") == 4


def test_a_reason_nobody_voids_for_is_refused(proof: Path, tmp_path: Path) -> None:
    told = typed("verify", voided(proof, tmp_path, "because"))
    assert refused(told)[1] == "proof/unreadable"


@pytest.mark.usefixtures("nothing_serves")
@pytest.mark.parametrize("port", ["99999", "65536", "0", "-1"])
def test_a_port_that_does_not_exist_is_refused(tmp_path: Path, port: str) -> None:
    for words in (
        ("serve", "--database", f"sqlite:///{tmp_path}/a.db", "--port", port),
        ("play", "--no-browser", "--data", tmp_path, "--port", port),
    ):
        assert refused(typed(*words))[1] == "serve/address"


@pytest.mark.usefixtures("nothing_serves")
@pytest.mark.parametrize("name", ["http://play.example", "play.example:80", "a b", ""])
def test_a_host_name_that_could_never_match_is_refused(tmp_path: Path, name: str) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    told = typed("serve", "--database", database, "--port", "1", "--allow-host", name)
    assert (told.returncode, told.stdout) == (2, "")


def test_nothing_is_announced_that_does_not_come_true(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(b"no database at all" * 100)
    port = serve.free_port(18999)
    told = tapis("serve", "--database", f"sqlite:///{tmp_path}/a.db", "--port", port)
    assert refused(told)[1] == "store/damaged"


def test_tapis_alone_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[object, object]] = []
    monkeypatch.setattr(serve, "run_server", lambda *given, **named: started.append((given, named)))
    monkeypatch.setattr(serve, "free_port", lambda port: port)
    monkeypatch.setattr("platformdirs.user_data_path", lambda _: tmp_path)
    for words in ((), ("play",), ("play", "--port", "8000", "--browser", "--data", tmp_path)):
        assert (typed(*words).returncode, len(set(map(repr, started)))) == (0, 1)
    assert "'browse': 'http://localhost:8000/'" in repr(started[0])


def test_output_that_cannot_be_written_is_said_and_no_verdict(proof: Path) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [TAPIS, "verify", proof], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr


def test_replay_without_an_input_says_nothing() -> None:
    ran = subprocess.run(
        ["sh", "-c", f'"{TAPIS}" replay <&-'], capture_output=True, check=False, timeout=60
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_a_body_where_none_belongs_is_refused_and_a_refused_choice_names_its_round(
    tmp_path: Path,
) -> None:
    with client_of(make_house(tmp_path / "tapis.db", PLAYER_WINS)) as client:
        guest = Guest(client)
        round_id = guest.open({"ante": 1000}).json()["round"]["id"]
        assert guest.choose(round_id, "raise").json()["round_id"] == round_id
        for path in ("/wallet/play-money", f"/rounds/{round_id}/seen"):
            for body in ({"a": 1}, [1], 1, "x"):
                assert guest.post(path, body).json()["code"] == "request/malformed"
        guest.choose(round_id, "play")
        assert guest.post(f"/rounds/{round_id}/seen", {}).status_code == 204


def test_the_largest_sheet_the_ledger_can_hold_is_taken() -> None:
    sheet = {"spots.ante.max_cents": 10**8, "caps_cents.round": 10**12}
    line = request(stakes={"ante": 10**8}, choices=[], sheet=sheet)
    assert msgspec.json.decode(answer_line(msgspec.json.encode(line)))["status"] == "waiting"
