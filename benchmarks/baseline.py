"""The server to compare with: Starlette and sqlite3, one commit a move, only what the load needs.

It plays by the real rules and is as durable as the real server, but it has no verifiable dice, no
idempotency keys, no events of holds, and solo games only. It must not know anything of `app`.
"""

import argparse
import hashlib
import json
import secrets
import sqlite3
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

Document = dict[str, Any]
"""A JSON object: a game as it is stored and answered, a turn, an event, a body."""

SCHEMA = """
CREATE TABLE player (id TEXT PRIMARY KEY, name TEXT NOT NULL, token_hash BLOB NOT NULL UNIQUE);
CREATE TABLE game (id TEXT PRIMARY KEY, player_id TEXT NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE event (game_id TEXT, seq INTEGER, event TEXT NOT NULL,
                    PRIMARY KEY (game_id, seq)) WITHOUT ROWID;
"""
NEW_TURN = """
{"seat": 0, "rolls_used": 0, "rolls_left": 3, "dice": null,
 "held": [false, false, false, false, false], "options": {}, "actions": ["roll"], "deadline": null}
"""
NEW_GAME = """
{"id": null, "version": 1, "status": "active", "ruleset": "classic", "visibility": "unlisted",
 "host": null, "hints": true, "turn_seconds": null, "round": 1, "daily": null,
 "seats": [{"index": 0, "type": "human", "name": null, "player_id": null, "level": null,
            "state": "playing",
            "scorecard": {"ones": null, "twos": null, "threes": null, "fours": null, "fives": null,
                          "sixes": null, "full_house": null, "four_of_a_kind": null,
                          "little_straight": null, "big_straight": null, "choice": null,
                          "yacht": null},
            "total": 0, "rank": null}],
 "turn": null, "winners": [], "rematch_id": null,
 "created_at": null, "updated_at": null, "finished_at": null}
"""
NUMBERS = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}

system_random = secrets.SystemRandom()
to_json = json.JSONEncoder(separators=(",", ":")).encode


def score_all(dice: list[int]) -> dict[str, int]:
    """What five dice score in each category, 0 where they do not fit."""
    counts = [dice.count(face) for face in range(1, 7)]
    most, total = max(counts), sum(dice)
    return {
        **{category: face * counts[face - 1] for category, face in NUMBERS.items()},
        "full_house": total if most == 3 and 2 in counts else 0,
        "four_of_a_kind": 4 * (counts.index(most) + 1) if most >= 4 else 0,
        "little_straight": 30 if most == 1 and not counts[5] else 0,
        "big_straight": 30 if most == 1 and not counts[0] else 0,
        "choice": total,
        "yacht": 50 if most == 5 else 0,
    }


def new_game(player_id: str, name: str) -> Document:
    """A solo game that waits for its first roll."""
    game: Document = json.loads(NEW_GAME)
    game.update(id=str(uuid.uuid4()), host=player_id, turn=json.loads(NEW_TURN))
    game["created_at"] = game["updated_at"] = now()
    game["seats"][0].update(name=name, player_id=player_id)
    return game


def roll(game: Document, body: Document) -> Document:
    """Rolls the dice that are not held, in place; gives the event."""
    turn = game["turn"]
    if turn is None or not turn["rolls_left"]:
        raise HTTPException(409, "no roll is left")
    held = body.get("held", turn["held"])
    if not isinstance(held, list) or [type(mark) for mark in held] != [bool] * 5:
        raise HTTPException(422, "held must be five booleans")
    if all(held) or (any(held) and turn["dice"] is None):
        raise HTTPException(409, "these dice cannot be held")
    before, faces = turn["dice"] or [0] * 5, system_random.choices(range(1, 7), k=5)
    dice = [old if keep else new for old, new, keep in zip(before, faces, held, strict=True)]
    card = game["seats"][0]["scorecard"]
    turn["rolls_used"] += 1
    turn["rolls_left"] -= 1
    turn["dice"], turn["held"] = dice, held
    turn["options"] = {
        each: points for each, points in score_all(dice).items() if card[each] is None
    }
    turn["actions"] = ["roll", "hold", "score"] if turn["rolls_left"] else ["score"]
    roll_number = turn["rolls_used"]
    return {
        "type": "dice_rolled",
        "round": game["round"],
        "roll": roll_number,
        "held": held,
        "dice": dice,
    }


def score(game: Document, body: Document) -> Document:
    """Fills a category and ends the turn, in place; gives the event."""
    turn, seat, category = game["turn"], game["seats"][0], body.get("category")
    if category not in seat["scorecard"]:
        raise HTTPException(422, "category must be one of the twelve")
    if turn is None or category not in turn["options"]:
        raise HTTPException(409, "this category cannot be scored now")
    points = turn["options"][category]
    event = {"type": "category_scored", "round": game["round"], "category": category}
    seat["scorecard"][category] = points
    seat["total"] += points
    if None in seat["scorecard"].values():
        game.update(round=game["round"] + 1, turn=json.loads(NEW_TURN))
    else:
        seat["rank"] = 1
        game.update(status="finished", turn=None, winners=[0], finished_at=now())
    return {**event, "points": points, "dice": turn["dice"]}


def now() -> str:
    """The time as it is on the wire."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def token_hash(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def open_database(path: Path) -> sqlite3.Connection:
    """A new database; what is committed to it is on the disk."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.executescript(SCHEMA)
    return database


def create_app(database: sqlite3.Connection) -> Starlette:
    """The application, which has the database to itself: no handler awaits within a transaction."""

    def authenticate(request: Request) -> tuple[str, str]:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        query = "SELECT id, name FROM player WHERE token_hash = ?"
        row: tuple[str, str] | None = database.execute(query, (token_hash(token),)).fetchone()
        if row is None:
            raise HTTPException(401, "the token is not known")
        return row

    def append(game: Document, event: Document) -> None:
        line = to_json({**event, "seat": 0, "at": game["updated_at"]})
        database.execute("INSERT INTO event VALUES (?, ?, ?)", (game["id"], game["version"], line))

    async def create_player(request: Request) -> Response:
        name = (await request.json())["name"]
        player_id, token = str(uuid.uuid4()), secrets.token_urlsafe(32)
        database.execute(
            "INSERT INTO player VALUES (?, ?, ?)", (player_id, name, token_hash(token))
        )
        player = {"id": player_id, "name": name, "created_at": now(), "token": token}
        return JSONResponse(player, 201)

    async def create_game(request: Request) -> Response:
        with database:
            database.execute("BEGIN IMMEDIATE")
            player_id, name = authenticate(request)
            game = new_game(player_id, name)
            state = to_json(game)
            database.execute("INSERT INTO game VALUES (?, ?, ?)", (game["id"], player_id, state))
            append(game, {"type": "game_created", "host": player_id, "seats": game["seats"]})
        return Response(state, 201, media_type="application/json")

    async def move(request: Request) -> Response:
        body, game_id = await request.json(), request.path_params["game_id"]
        with database:
            database.execute("BEGIN IMMEDIATE")
            player_id, _ = authenticate(request)
            query = "SELECT player_id, state FROM game WHERE id = ?"
            row = database.execute(query, (game_id,)).fetchone()
            if row is None:
                raise HTTPException(404, "there is no such game")
            if row[0] != player_id:
                raise HTTPException(403, "this is the game of someone else")
            game = json.loads(row[1])
            event = (roll if request.url.path.endswith("/rolls") else score)(game, body)
            game.update(version=game["version"] + 1, updated_at=now())
            state = to_json(game)
            database.execute("UPDATE game SET state = ? WHERE id = ?", (state, game_id))
            append(game, event)
        return Response(state, 201, media_type="application/json")

    async def ready(_: Request) -> Response:
        return JSONResponse({"status": "ready"})

    routes = [
        Route("/v1/players", create_player, methods=["POST"]),
        Route("/v1/games", create_game, methods=["POST"]),
        Route("/v1/games/{game_id}/rolls", move, methods=["POST"]),
        Route("/v1/games/{game_id}/scores", move, methods=["POST"]),
        Route("/readyz", ready),
    ]
    return Starlette(routes=routes)


def main() -> None:
    """Serves solo games on 127.0.0.1 until told to stop."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.baseline", description=main.__doc__)
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--database", type=Path, required=True, help="the new file to make")
    options = parser.parse_args()
    app = create_app(open_database(options.database))
    server = uvicorn.Config(
        app, "127.0.0.1", options.port, loop="uvloop", http="httptools", access_log=False
    )
    uvicorn.Server(server).run()


if __name__ == "__main__":
    main()
