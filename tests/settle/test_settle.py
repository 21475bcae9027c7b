"""The certificate's settlement in JavaScript equals that of the scripts."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import msgspec
import pytest

from games.test_properties import GAMES
from node import WEB, run
from settle.program import SHARED, lay_out
from settle.rounds import REFUSED, Round, random_rounds
from tapisvert.cards import text
from tapisvert.dealing import Deal, commitment, shuffle
from tapisvert.games import registry
from tiers import few_or_many, long

AGAIN = str(WEB.parent / "testing" / "settle_again.mjs")  # an absolute path
DEAL = WEB / "static/js/deal.js"
ROUNDS, MORE_ROUNDS = 1_000, 10_000  # for a control; of every game
CONTROL_ROUNDS = 2_000
# Short enough to be read. Each file has a limit, so that a new game needs no lines that another one
# saves. The longest game, Pai Gow, has about 110 lines; the longest shared module, deal.js, 152.
GAME_LINES_MAX, SHARED_LINES_MAX = 150, 200
each_game = pytest.mark.parametrize("name", GAMES)


@cache
def vectors(name: str, count: int = ROUNDS) -> tuple[bytes, list[Round]]:
    """Return the cached rounds of a game; a larger count begins with the same rounds."""
    return random_rounds(name, count, f"vectors {name}")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the program."""
    return lay_out(tmp_path_factory.mktemp("settle") / "program")


def differing(sheets: bytes, rounds: list[Round], program: Path) -> list[tuple[Round, bytes]]:
    """Return the rounds that the two programs settle differently."""
    lines = [sheets, *(each.written for each in rounds)]
    found = run(AGAIN, program, lines=lines)
    pairs = zip(rounds, found, strict=True)
    return [(each, line) for each, line in pairs if line != each.expected]


@long  # the first tier settles fewer rounds of every game again: tests/kit, `certificate`
@each_game
def test_every_line_of_every_round_is_the_same_by_both_programs(name: str, program: Path) -> None:
    count = MORE_ROUNDS
    sheets, rounds = vectors(name, count)
    refused = sum(each.expected == REFUSED for each in rounds)
    print(f"{name}: {len(rounds) - refused} rounds settled alike, {refused} refused alike")
    assert differing(sheets, rounds, program) == []
    assert len(rounds) - refused >= count


@long
@each_game
def test_the_rounds_reach_what_is_rare(name: str) -> None:
    count = MORE_ROUNDS
    _, rounds = vectors(name, count)
    voided = [each for each in rounds if b'"void_reason":null' not in each.written]
    assert len(voided) > count / 20
    assert sum(each.expected == REFUSED for each in rounds) > count / 20
    seen = b"".join(each.expected for each in rounds)
    outcomes = {"won", "returned", "lost"} | (
        {"part"} if name in ("casino-stud", "pai-gow") else set()
    )
    assert all(f'"outcome":"{outcome}"'.encode() in seen for outcome in outcomes)
    assert (b'"capped":true' in seen) == ("part" in outcomes)
    if name == "blackjack":
        bets = ("insurance", "double", "split")
        staked = {f"{bet}-{n}" for bet in bets for n in "12"} | {"double-1b", "double-2b", "royal"}
        assert all(f'"bet":"{bet}"'.encode() in seen for bet in staked)
        claims = [each for each in rounds if b'"answers":["' not in each.written]
        assert (
            sum(b'"answers":[]' not in each.written for each in claims) > count / 200
        )  # of the pot


CONTROLS = {
    "casino-stud": {
        "the house always qualifies": ("category !== 'high-card'", "category"),
        "a tie is lost": ("mine.value === theirs", "0 === theirs"),
        "a royal flush may be folded": ("!== 'royal-flush'", "!== ''"),
    },
    "high-card-flush": {
        "the house always qualifies": ("theirs.value >= inOrder", "0 <= inOrder"),
        "a seven-card flush may be folded": ("ranks !== 'AKQJT98'", "ranks !== ''"),
        "a raise may always be double": ("times <= most", "times <= 2 || times <= most"),
    },
    "ultimate": {
        "the ante needs no opening": ("opens_with)) table.push('ante')", "opens_with)) {}"),
        "a blind below a straight wins": ("?? '0:1'", "?? '1:1'"),
    },
    "blackjack": {
        "soft 17 stands": ("=== 'soft' &&", "=== '' &&"),
        "split aces go on": ("let last = aces;", "let last = false;"),
        "a soft 21 stands": ("&& category === 'hard'", ""),
        "insurance is never paid": ("beaten ? sheet.insurance.pays : undefined", "undefined"),
    },
    "pai-gow": {
        "a copy goes to the player": ("mine.highHand.value >", "mine.highHand.value >="),
        "the house is always eligible": ("isOut || won", "won"),
        "two pairs are never kept": ("|| split || !stay", "|| true"),
        "a foul set is allowed": ("low([...two]).value >=", "0 <="),
    },
    "table.js": {
        "the round has no cap": ("caps.round ?? Infinity", "Infinity"),
        "of equals the first is cut": (".reverse()", ""),
    },
    "ranking.js": {
        "five high beats king high": ("wheel = 3", "wheel = 11.5"),
        "five high is the lowest at Pai Gow": ("WHEEL_SECOND = 11.5", "WHEEL_SECOND = 3"),
        "the joker is always an ace": ("completed.filter(isComplete)", "[]"),
    },
}
WITH = {
    "table.js": "casino-stud",
    "five high beats king high": "casino-stud",
    "ranking.js": "pai-gow",
}
PLANTED = [  # one of each file in the first tier
    pytest.param(file, mistake, CONTROL_ROUNDS, marks=long)
    if place
    else pytest.param(file, mistake, ROUNDS)
    for file, mistakes in CONTROLS.items()
    for place, mistake in enumerate(mistakes)
]


@pytest.mark.parametrize(("file", "mistake", "count"), PLANTED)
def test_control_a_mistake_planted_in_the_program_is_noticed(
    file: str, mistake: str, count: int, tmp_path: Path
) -> None:
    right, wrong = CONTROLS[file][mistake]
    program = lay_out(tmp_path / "program")
    name = WITH.get(mistake) or WITH.get(file) or file
    planted = program / (f"games/{file}/settle.js" if file in GAMES else f"settle/{file}")
    source = planted.read_text(encoding="utf-8")
    assert source.count(right) == 1
    planted.write_text(source.replace(right, wrong), encoding="utf-8")
    assert differing(*vectors(name, count), program)


def test_control_a_sheet_with_one_other_price_is_noticed(program: Path) -> None:
    sheets, rounds = vectors("ultimate")
    assert sheets.count(b'"pays":"1:1"') > 1
    changed = sheets.replace(b'"pays":"1:1"', b'"pays":"2:1"', 1)
    assert differing(changed, rounds, program)


@each_game
@pytest.mark.parametrize("deals", few_or_many(200, 1_000))
def test_every_deal_is_the_same_by_both_programs(name: str, deals: int) -> None:
    chance, sheet = random.Random(f"deals {name}"), GAMES[name].sheet
    asked, expected = [], []
    for number in range(deals):
        seed = chance.randbytes(32)
        spoken = "".join(chr(chance.randint(0x21, 0x2FF)) for _ in range(chance.randint(1, 40)))
        deal = Deal(name, sheet.hash, f"{number:x}", spoken)
        facts = {**deal._asdict(), "server_seed": seed.hex(), "cards": len(sheet.deck)}
        asked.append(msgspec.json.encode(facts))
        deck = " ".join(text(card) for card in shuffle(seed, deal, sheet.deck))
        expected.append(f"{commitment(seed)} {deck}".encode())
    assert run("settle/deals.mjs", DEAL, lines=asked) == expected


@each_game
def test_a_settlement_knows_every_edition_and_every_spot(name: str, program: Path) -> None:
    [line] = run("settle/declared.mjs", program / f"games/{name}/settle.js")
    layout = registry.GAMES[name].sheet_type.layout
    assert msgspec.json.decode(line) == {
        "editions": [edition.number for edition in registry.GAMES[name].editions],
        "spots": {spot: list(place.requires) for spot, place in layout.items()},
        "equals": {spot: place.equals for spot, place in layout.items() if place.equals},
    }


def lines_of(file: Path) -> int:
    """Count the lines of a file."""
    return len(file.read_text(encoding="utf-8").splitlines())


def test_the_program_is_short_enough_to_be_read() -> None:
    own = {game.id: lines_of(game.folder / "settle.js") for game in registry.GAMES.values()}
    assert {game: lines for game, lines in own.items() if lines > GAME_LINES_MAX} == {}
    shared = {file.name: lines_of(file) for file in (DEAL, *SHARED.glob("*.js"))}
    assert {name: lines for name, lines in shared.items() if lines > SHARED_LINES_MAX} == {}
    print(f"{own}, {shared}")
