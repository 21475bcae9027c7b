"""The valid refusals of each kind of operation; any other code is an error of the house."""

from __future__ import annotations

_PLAYER = {"session/missing"}
_KEY = {"idempotency/missing", "idempotency/reused"}
_OPERATOR = {"operator/missing"}
_CASHIER = {*_OPERATOR, *_KEY, "player/unknown", "cashier/amount", "cashier/play_money"}
_SWITCH = {*_OPERATOR, *_KEY, "switch/unknown", "operator/reason"}
_NOT_DRAWN = "dealing/unavailable"
_ENDED = {*_PLAYER, "round/unknown", "round/not_ended"}

REFUSED_WITH: dict[str, set[str]] = {
    "guest": {_NOT_DRAWN},
    "seat": {*_PLAYER, "request/unknown_game", _NOT_DRAWN},
    "open": {
        *(*_PLAYER, *_KEY, _NOT_DRAWN, "play/stopped", "jackpot/closed"),
        *("seat/unknown", "seat/stale", "seat/client_seed"),
        *("stake/unknown", "stake/not_a_number", "stake/off_step", "stake/under_limit"),
        *("stake/over_limit", "stake/needs_main", "stake/missing"),
        *("round/already_open", "wallet/insufficient_funds"),
    },
    "choose": {
        *(*_PLAYER, *_KEY, "round/unknown", "round/ended", "round/stale_step"),
        *("choice/not_offered", "choice/not_legal", "wallet/insufficient_funds"),
    },
    "more": {*_PLAYER, *_KEY, "wallet/not_broke", "wallet/play_money_only"},
    "seen": _ENDED,
    "recall": _ENDED,
    "proof": _ENDED,
    "round": {*_PLAYER, "round/unknown"},
    "rounds": {*_PLAYER, "request/malformed"},
    "wallet": _PLAYER,
    "transfers": _PLAYER,
    "player": {*_OPERATOR, "player/currency", _NOT_DRAWN},
    "new-token": {*_OPERATOR, "player/unknown", _NOT_DRAWN},
    "show": {*_OPERATOR, "player/unknown"},
    "deposit": _CASHIER,
    "withdraw": {*_CASHIER, "cashier/in_debt", "wallet/insufficient_funds"},
    "pay-debt": {*_OPERATOR, *_KEY, "player/unknown"},
    "void": {*_OPERATOR, *_KEY, "round/unknown", "round/already_voided", "operator/reason"},
    "stop": _SWITCH,
    "resume": _SWITCH,
    "stops": _OPERATOR,
    "events": _OPERATOR,
    "sweep": set(),
    "start": set(),
    "source-fails": {_NOT_DRAWN},
    "operator": set(),
}
KINDS = set(REFUSED_WITH)
REFUSALS = {code for codes in REFUSED_WITH.values() for code in codes}
