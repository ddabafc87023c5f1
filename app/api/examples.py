"""The examples in the OpenAPI document, made by the code that makes real answers."""

from pydantic_core import to_json

from app import fairness, rules
from app.rules import GameCreated, Roll, Score, SeatRecord
from app.schemas.events import event_view
from app.schemas.fairness import export_view, fairness_view
from app.schemas.games import game_view
from app.schemas.rulesets import ruleset_view, scores_view
from app.store.games import EventRow, GameRow, event_row, stored_event

_SEED = bytes(range(32))
_GAME_ID = "01a0a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
_HOST_ID = "01a0a1b2-c3d4-7000-9a6b-7c8d9e0f1a2b"
_BEGUN = 1_796_126_400_000
_ADA = SeatRecord(0, "human", "Ada", _HOST_ID)


def _opened(*seats: SeatRecord) -> tuple[tuple[rules.Event, ...], rules.Game]:
    return rules.open_game(
        GameCreated(
            seq=1,
            at=_BEGUN,
            ruleset="classic",
            visibility="unlisted",
            hints=True,
            turn_seconds=None,
            host=_HOST_ID,
            commitment=fairness.commitment(_SEED),
            seats=seats,
        )
    )


def _played() -> tuple[list[EventRow], GameRow]:
    """A game with a guest, after two rolls of its second round."""
    events, game = _opened(_ADA, SeatRecord(1, "guest", "Bo", _HOST_ID))
    log = list(events)
    for round_, seat in ((1, 0), (1, 1), (2, 0)):
        for roll in (1, 2):
            faces = fairness.draw(_SEED, "", seat, round_, roll)
            events, game = rules.advance(game, Roll(seat, faces), _BEGUN + 1000 * game.version)
            log += events
        if round_ == 1:
            best = max(game.options, key=lambda category: game.options[category])
            events, game = rules.advance(game, Score(seat, best), _BEGUN + 1000 * game.version)
            log += events
    return [event_row(event) for event in log], GameRow(_GAME_ID, _SEED, game)


_LOG, _ROW = _played()
_WAITING = GameRow(_GAME_ID, _SEED, _opened(_ADA, SeatRecord(1, "open"))[1])

GAME = game_view(_ROW)
WAITING = game_view(_WAITING)
EVENTS = {"items": [event_view(row) for row in _LOG[:3]], "next_cursor": "3"}
STREAM = "retry: 1000\n\n" + "".join(
    f"event: {row.type}\ndata: {to_json(event_view(row)).decode()}\nid: {row.seq}\n\n"
    for row in _LOG[2:4]
)
FAIRNESS = fairness_view(_ROW, _LOG)
EXPORT = export_view(_ROW, _LOG)
TRANSCRIPT = rules.format_game([stored_event(row) for row in _LOG])
RULESET = ruleset_view(rules.RULESETS["classic"])
SCORES = scores_view(rules.RULESETS["classic"], (5, 5, 5, 2, 1))
PLAYER = {"id": _HOST_ID, "name": "Ada", "created_at": GAME["created_at"]}
TOKEN = {"token": "R0ll-5d6-mQ3v4Zb8xK1nT7yWcE2sJf9uLhAoPgDiXtM"}

# Exact play takes a second to compute; these are written down, with the first rows of each list,
# and a test computes them.
POSITION = {"dice": [5, 5, 5, 2, 1], "rolls_left": 1, "scorecard": {"twos": 4, "choice": 21}}
ADVICE = {
    "ruleset": "classic",
    "seat": 0,
    "dice": [5, 5, 5, 2, 1],
    "rolls_left": 1,
    "expected_total": 151.115,
    "best": {"action": "roll", "held": [True, True, True, False, False]},
    "holds": [
        {
            "held": [True, True, True, False, False],
            "kept": [5, 5, 5],
            "expected_total": 151.115,
            "loss": 0.0,
        },
        {
            "held": [True, True, True, True, False],
            "kept": [2, 5, 5, 5],
            "expected_total": 148.772,
            "loss": 2.342,
        },
    ],
    "scores": [
        {"category": "fives", "points": 15, "expected_total": 146.607, "loss": 4.507},
        {"category": "ones", "points": 1, "expected_total": 141.185, "loss": 9.93},
    ],
    "tip": {
        "code": "high-fours",
        "text": "Keep the three 5s: four of a kind pays by its face, and four of these are 20 "
        "points.",
    },
}
ODDS = {
    "seats": [
        {
            "seat": 0,
            "expected_total": 151.115,
            "percentiles": {"p5": 97, "p25": 127, "p50": 149, "p75": 174, "p95": 212},
            "win_probability": 1.0,
        }
    ]
}
REVIEW = {
    "seats": [
        {
            "seat": 0,
            "total": 167,
            "expectation": 166.955,
            "luck": 9.544,
            "loss": 9.499,
            "decisions": [
                {
                    "seq": 4,
                    "round": 1,
                    "roll": 1,
                    "chosen": {"action": "roll", "held": [False, True, False, True, False]},
                    "best": {"action": "roll", "held": [True, True, True, True, False]},
                    "loss": 0.91,
                },
                {
                    "seq": 5,
                    "round": 1,
                    "roll": 2,
                    "chosen": {"action": "score", "category": "ones"},
                    "best": {"action": "roll", "held": [False, True, False, False, True]},
                    "loss": 3.864,
                },
            ],
        }
    ]
}
