"""Watching a game to its end: for whoever has no seat in it, and needs none."""

from contextlib import closing

from app.locale import text
from app.schemas.games import GameView
from app.terminal.client import Server
from app.terminal.follow import POLL_SECONDS, happenings
from app.terminal.refusals import NoServer, Refused, Unreachable
from app.terminal.screen import Screen
from app.terminal.ways import Ways


def watch_game(
    server: Server,
    screen: Screen,
    game_id: str,
    *,
    ways: Ways,
    poll_seconds: float = POLL_SECONDS,
) -> int:
    """Show the game as it is, then what happens in it, then the result; the exit status."""
    try:
        server.greet()
        _follow(server, screen, server.game(game_id), poll_seconds)
    except KeyboardInterrupt:
        screen.say(text("play.watch-again", command=ways.watch(game_id)))
        return 0
    except (Refused, NoServer) as error:
        if ways.is_own and isinstance(error, Unreachable):
            screen.say(text("play.window-closed"))
            screen.say(text("play.watch-again", command=ways.watch(game_id)))
        else:
            screen.say(str(error))
        return 1
    return 0


def _follow(server: Server, screen: Screen, game: GameView, poll_seconds: float) -> None:
    screen.learn(server.ruleset(game["ruleset"]))
    shown_round = game["round"]
    if game["status"] == "waiting":
        screen.say(text("play.waiting"))
    elif game["status"] == "active":
        screen.table(game)
        screen.on_table(game)
    if game["status"] in ("waiting", "active"):
        with closing(happenings(server, game, poll_seconds)) as told:
            for event, state in told:
                screen.happened(event, state)
                is_newest = event["seq"] >= state["version"]
                if is_newest and state["turn"] is not None and state["round"] != shown_round:
                    shown_round = state["round"]
                    screen.table(state)
        game = server.game(game["id"])
    if game["status"] == "cancelled":
        screen.say(text("play.cancelled"))
    else:
        screen.result(game)
