"""Players at their tables: tabs that know only their answers; some send invalid requests."""

from __future__ import annotations

import time
from typing import Any

from history.doors import Door
from history.people import Board, Client, Person
from history.records import Answer, Log, Request
from simulation.tabs import AMOUNTS, LARGE_AMOUNTS, side_stake
from stakes import free_spots, main_stake
from tapisvert.sheets import load

MISCHIEF, AGAIN, LOOK = 0.07, 0.05, 0.12  # how often a tab does something else than play
PROVE = 0.8  # how often a round's proof is fetched when it is over
COMMANDS = ("open", "choose", "more")


class Tab(Client):
    """One open tab of a person."""

    def __init__(
        self, person: Person, number: int, board: Board, door: Door, log: Log, until: int
    ) -> None:
        name = f"{person.name}/{number}"
        super().__init__(name, door, log, f"{name} {until}", until)
        self.person, self.board = person, board
        self.seats = {**person.seats}  # round id and commitment, by game
        self.rounds: dict[str, dict[str, Any]] = {}  # what waits for an answer, by game
        self.look_at: str | None = None
        self.broke = False

    def act(self) -> None:
        """Enter, play, query, or send a request that must be refused."""
        what = self.dice.random()
        if not self.person.token:
            self._come_in()
        elif what < MISCHIEF:
            self._mischief()
        elif what < MISCHIEF + AGAIN and self.person.recent:
            self._again(self.dice.choice(list(self.person.recent)))
        elif self.look_at is not None:
            round_id, self.look_at = self.look_at, None
            self._say("round", round_id=round_id, since=self.dice.choice((0, 0, 4)))
        elif self.broke:
            self.broke = False
            if self.person.guest:
                self._command("more")
            else:
                self._look_around()
        elif what < MISCHIEF + AGAIN + LOOK:
            self._look_around()
        else:
            self._play(self.dice.choice(self.person.games))

    # Playing ---------------------------------------------------------------------------------

    def _come_in(self) -> None:
        """Wait for a token; the first tab of a guest gets it for all."""
        if self.person.guest and self.name.endswith("/0"):
            answer = self.ask(Request("guest"))
            if answer.granted:
                told = answer.read()
                self.person.player_id, self.person.token = told["player_id"], told["token"]
        else:
            time.sleep(0.01)

    def _play(self, game: str) -> None:
        if game in self.rounds:
            waiting = self.rounds[game]
            options = [each for each in waiting["options"] if each["legal"]]
            payable = [each for each in options if each["affordable"]]
            if len(payable) < len(options) and self.person.guest and self.dice.random() < 0.6:
                self._command("more")
                return
            wanted = payable if payable and self.dice.random() < 0.9 else waiting["options"]
            self._choose(waiting["id"], waiting["step"], self.dice.choice(wanted)["id"], game)
        elif game in self.seats:
            self._open(game, *self.seats[game], self._stakes(game))
        else:
            self._say("seat", game=game)

    def _open(self, game: str, round_id: str, commitment: str, stakes: dict[str, Any]) -> None:
        seed = f"{self.name} {self.dice.randrange(1000)}"
        self._command(
            "open", game, round_id=round_id, commitment=commitment, stakes=stakes, client_seed=seed
        )

    def _choose(self, round_id: str, step: int, choice: str, game: str = "") -> None:
        since = self.dice.choice((0, 2, 5, 9))
        self._command("choose", game, round_id=round_id, step=step, choice=choice, since=since)

    def _stakes(self, game: str) -> dict[str, int]:
        amounts = LARGE_AMOUNTS if self.person.bold else AMOUNTS
        amount = self.dice.choice(amounts)
        stakes = main_stake(game, amount)
        for bet in free_spots(game)[1:]:
            if self.dice.random() < (0.9 if self.person.bold else 0.5):
                stakes[bet] = side_stake(game, bet, self.dice.choice(amounts))
        for bet in load(game).pot_bets:
            if bet in stakes and self.dice.random() < (0.05 if self.person.guest else 0.9):
                del stakes[bet]
        return stakes

    def _wrong_stakes(self, game: str) -> dict[str, Any]:
        main, *others = free_spots(game)
        amount: Any = self.dice.choice((150, 20_000, 0, "100", 100, 100, 100, 100))
        if amount == 100:
            bet = self.dice.choice((others[-1], others[-1], "nothing", main))
            return {} if bet == main else {bet: amount}
        return main_stake(game, amount)

    # Looking ---------------------------------------------------------------------------------

    def _look_around(self) -> None:
        ended = self.dice.choice(self.person.ended) if self.person.ended else None
        kind = self.dice.choice(
            ("wallet", "wallet", "rounds", "rounds", "transfers", "recall", "seen", "round")
        )
        if kind == "wallet":
            self._say("wallet")
        elif kind == "rounds":
            self._page("rounds", status=self.dice.choice((None, "open", "unseen")))
        elif kind == "transfers":
            self._page("transfers")
        elif ended and kind == "round":
            self._say("round", round_id=ended, since=self.dice.choice((0, 7)))
        elif ended:
            self._say(kind, round_id=ended)

    def _page(self, kind: str, **args: Any) -> None:
        """Read a list, and sometimes the page after it."""
        answer = self._say(kind, **args, before=None)
        if answer.granted and self.dice.random() < 0.5:
            following = answer.read()["next"]
            if following is not None:
                self._say(kind, **args, before=following)

    # No good ---------------------------------------------------------------------------------

    def _again(self, request: Request) -> None:
        """Repeat a command that may be under way, or reuse its key with another body."""
        args, what = request.args, self.dice.random()
        if what > 0.75 and request.kind == "choose":
            args = {**args, "step": args["step"] + 1}
        elif what > 0.75 and request.kind == "open":
            args = {**args, "client_seed": "another"}
        elif what > 0.9:
            args = {"round_id": "0" * 32, "step": 0, "choice": "fold", "since": 0}
            request = Request("choose", request.token, request.key, args)
        answer = self.ask(Request(request.kind, self.person.token, request.key, args))
        self._hear(request.kind, "", args, answer)

    def _mischief(self) -> None:
        dice, board = self.dice, self.board
        mine = dice.choice(list(self.rounds.values())) if self.rounds else None
        other = dice.choice(list(board.rounds)) if board.rounds else None
        match dice.randrange(11):
            case 0 if mine:
                option = dice.choice(mine["options"])["id"]
                self._choose(mine["id"], mine["step"] + dice.choice((-1, 1, 2)), option)
            case 1 if mine:
                self._choose(mine["id"], mine["step"], "everything")
            case 2 if mine:
                self._say(dice.choice(("proof", "recall", "seen")), round_id=mine["id"])
            case 3 if other:
                self._say(
                    dice.choice(("round", "proof", "recall")), round_id=other.round_id, since=0
                )
            case 4 if other:
                self._choose(other.round_id, dice.randrange(2), "play")
            case 5 if board.seats:
                self._open("", *dice.choice(list(board.seats)), {"ante": 100})
            case 6 | 7 if self.rounds:  # a second round at a game where one is open
                game = dice.choice(list(self.rounds))
                if game in self.seats:
                    self._open(game, *self.seats[game], self._stakes(game))
                else:
                    self._say("seat", game=game)
            case 8 if self.seats:
                game = dice.choice(list(self.seats))
                self._open(game, *self.seats[game], self._wrong_stakes(game))
            case 9:
                self._odd_request()
            case _:
                self._command("more")

    def _odd_request(self) -> None:
        """Send a request with an invalid token, without a key, for an unknown game ..."""
        stray = "0" * 60 + f"{self.dice.randrange(10**4):04}"
        match self.dice.randrange(5):
            case 0 | 1:
                self.ask(Request("wallet", self.dice.choice((stray, stray, None))))
            case 2:
                self.ask(Request("more", self.person.token))
            case 3:
                self._say("seat", game="roulette")
            case _ if self.seats:
                game = self.dice.choice(list(self.seats))
                round_id, commitment = self.seats[game]
                asked = {"round_id": round_id, "commitment": commitment, "stakes": {}}
                self._command("open", game, **asked, client_seed="")
            case _:
                self._say("rounds", status="lost", before=None)

    # Asking and hearing ----------------------------------------------------------------------

    def _say(self, kind: str, **args: Any) -> Answer:
        if kind != "round":
            args.pop("since", None)
        answer = self.ask(Request(kind, self.person.token, None, args))
        self._hear(kind, args.get("game", ""), args, answer)
        return answer

    def _command(self, kind: str, game: str = "", **args: Any) -> None:
        request = Request(kind, self.person.token, self.person.key(), args)
        self.person.recent.append(request)
        self._hear(kind, game, args, self.ask(request))

    def _hear(self, kind: str, game: str, args: dict[str, Any], answer: Answer) -> None:
        if not answer.granted:
            self._refused(kind, game, args, answer)
        elif kind == "seat":
            self._seated(answer.read())
        elif kind == "rounds":
            waiting = [each["id"] for each in answer.read()["rounds"] if each["state"] == "open"]
            self.look_at = self.dice.choice(waiting) if waiting else None
        elif kind in ("open", "choose", "round"):
            self._told(answer.read())

    def _told(self, reply: dict[str, Any]) -> None:
        told = reply["round"]
        game = told["game"]
        self.board.opened.setdefault(told["id"], self.person)
        if self.seats.get(game, ("",))[0] == told["id"]:
            del self.seats[game]
        if told["ask"] is not None:
            self.rounds[game] = {"id": told["id"], **told["ask"]}
        else:
            if self.rounds.get(game, {"id": told["id"]})["id"] == told["id"]:
                self.rounds.pop(game, None)
            self._over(told)
        if reply.get("seat"):
            self._seated(reply["seat"])

    def _over(self, told: dict[str, Any]) -> None:
        if told["id"] in self.board.proven or told["state"] == "open":
            return
        self.board.over(self.person, told["id"], told["returned_cents"] - told["staked_cents"])
        if self.dice.random() < PROVE and self._say("proof", round_id=told["id"]).granted:
            self.board.proven.add(told["id"])

    def _seated(self, seat: dict[str, Any]) -> None:
        self.seats[seat["game"]] = seat["round_id"], seat["commitment"]
        self.person.seats[seat["game"]] = self.seats[seat["game"]]
        self.board.seats.append(self.seats[seat["game"]])

    def _refused(self, kind: str, game: str, args: dict[str, Any], answer: Answer) -> None:
        told = answer.read()
        self.broke = answer.code == "wallet/insufficient_funds"
        if answer.code.startswith("seat/"):
            self.seats.pop(game, None)
        elif answer.code == "round/already_open":
            self.look_at = told["round_id"]
        elif answer.code.startswith("round/") and kind == "choose":
            known = self.rounds.get(game)
            if known is not None and known["id"] == args["round_id"]:
                del self.rounds[game]
                self.look_at = known["id"]
