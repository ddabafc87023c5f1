"""Before and after a game: which server, who plays, which game; then the result and the record."""

import os
from pathlib import Path
from typing import Any, NamedTuple

from app.fairness import verify_document
from app.locale import text
from app.schemas.games import GameView
from app.terminal.client import Server
from app.terminal.keep import KnownPlayer, PlayerFile, user_name
from app.terminal.lines import Lines
from app.terminal.refusals import NoServer, Refused, Unreachable
from app.terminal.screen import Screen
from app.terminal.session import Leaving, Session
from app.terminal.transcript import transcript
from app.terminal.ways import Ways

MOST_SEATS = 8
TURN_SECONDS = range(10, 1_209_600 + 1)
"""How long a turn may be given; at most two weeks."""
LOCAL = "local"
"""The name under which tokens of the own server are kept: its port is another each time."""


class Wishes(NamedTuple):
    """What was asked for on the command line."""

    server: str | None = None
    name: str | None = None
    guest: tuple[str, ...] = ()
    bot: tuple[str, ...] = ()
    open: int = 0
    join: str | None = None
    """The id of a game; its address is for whoever looks for the server."""
    ruleset: str | None = None
    turn_seconds: int | None = None
    save: str | None = None
    hints: bool = False

    @property
    def is_new_game(self) -> bool:
        """Whether they describe a game that is to be opened."""
        return bool(
            self.guest or self.bot or self.open or self.ruleset or self.turn_seconds is not None
        )


class Visit:
    """One player's visit to a server, from the greeting to the farewell."""

    def __init__(
        self,
        server: Server,
        screen: Screen,
        lines: Lines,
        players: PlayerFile,
        ways: Ways,
        *,
        poll_seconds: float = 1.0,
    ) -> None:
        self._server = server
        self._screen = screen
        self._lines = lines
        self._players = players
        self._ways = ways
        self._poll_seconds = poll_seconds
        self._name = ""
        self._game: GameView | None = None

    def run(self, wishes: Wishes) -> int:
        """Play one game, or go on with one; the exit status."""
        try:
            return self._run(wishes)
        except (Leaving, EOFError, KeyboardInterrupt):
            self._say_farewell()
            return 0
        except Refused as refused:
            self._screen.say(str(refused))
            if refused.code == "already-started" and wishes.join is not None:
                command = self._ways.watch(wishes.join)
                self._screen.say(text("play.watch-instead", command=command))
        except NoServer as error:
            is_closed = self._ways.is_own and isinstance(error, Unreachable)
            self._screen.say(text("play.window-closed") if is_closed else str(error))
            if self._game is not None:
                self._say_farewell()
        return 1

    def _run(self, wishes: Wishes) -> int:
        if wishes.save is not None and (fault := _save_fault(wishes.save)) is not None:
            self._screen.say(fault)
            return 1
        rulesets = [ruleset["slug"] for ruleset in self._server.greet()]
        if 1 + len(wishes.guest) + len(wishes.bot) + wishes.open > MOST_SEATS:
            self._screen.say(text("play.too-many-seats", most=MOST_SEATS))
            return 1
        if wishes.turn_seconds is not None and wishes.turn_seconds not in TURN_SECONDS:
            bounds = {"least": TURN_SECONDS[0], "most": TURN_SECONDS[-1]}
            self._screen.say(text("play.no-such-clock", **bounds))
            return 1
        if wishes.ruleset is not None and wishes.ruleset not in rulesets:
            self._screen.say(text("play.no-ruleset", known=", ".join(rulesets)))
            return 1
        player_id = self._sit_down(wishes.name)
        session = Session(
            self._server,
            self._screen,
            self._lines,
            player_id,
            self._poll_seconds,
            hints=wishes.hints,
        )
        game: GameView | None = self._find_game(wishes, session, player_id)
        save = wishes.save
        while game is not None:
            game = self._play(game, session, save)
            save = None  # the first game is there already
            if game is not None:
                game = self._find_rematch(game, session, player_id)
        return 0

    def _play(self, game: GameView, session: Session, save: str | None) -> GameView | None:
        """Play the game; how it ended, None where it was called off."""
        self._game = game
        self._screen.learn(self._server.ruleset(game["ruleset"]))
        promised = str(self._server.fairness(game["id"])["commitment"])
        if game["status"] in ("waiting", "active"):
            self._screen.say(text("play.game", game=game["id"], commitment=promised))
        if game["status"] == "waiting":
            self._screen.say(self._ways.invitation(game["id"]))
        game = self._game = session.play(game)
        if game["status"] == "cancelled":
            self._screen.say(text("play.cancelled"))
            return None
        self._screen.result(game)
        self._keep_record(game["id"], promised, session, save)
        return game

    def _find_rematch(self, game: GameView, session: Session, player_id: str) -> GameView | None:
        """The game in which the same players meet again, where this one wants to."""
        self._game = None  # nothing is left to come back to
        if not self._lines.is_interactive:
            return None
        is_open = self._server.game(game["id"])["rematch_id"] is not None
        question = text("play.join-again" if is_open else "play.again")
        if not session.ask(question, on_enter=False, unasked=False):
            return None
        try:
            again = self._server.rematch(game)
            is_seated = any(seat["player_id"] == player_id for seat in again["seats"])
            return again if is_seated else self._server.join(again["id"])
        except Refused as refused:
            self._screen.say(str(refused))
            return None

    def _sit_down(self, name: str | None) -> str:
        """Be the player of that name, or who played here last, or a new one; gives the id."""
        place = LOCAL if self._ways.is_own else self._server.url
        known = self._players.find(place, name)
        if known is not None:
            self._server.token = known.token
            try:
                me = self._server.me()
            except Refused as refused:
                if refused.code != "unauthenticated":
                    raise
                self._server.token = None
                self._screen.say(text("play.forgotten", name=known.name))
                name = known.name
            else:
                self._players.keep(place, known)
                self._name = known.name
                self._screen.say(text("play.welcome-back", name=me["name"]))
                return me["id"]
        if name is None:
            name = user_name()
            if self._lines.is_interactive:
                name = self._lines.read(text("play.your-name", name=name)).strip() or name
        player = self._server.new_player(name)
        self._players.keep(place, KnownPlayer(player["name"], player["token"]))
        self._name = player["name"]
        self._screen.say(text("play.welcome", name=player["name"]))
        return player["id"]

    def _find_game(self, wishes: Wishes, session: Session, player_id: str) -> GameView:
        if wishes.join is not None:
            game = self._server.game(wishes.join)
            is_seated = any(seat["player_id"] == player_id for seat in game["seats"])
            return game if is_seated else self._server.join(game["id"])
        if not wishes.is_new_game and self._lines.is_interactive:
            unfinished = self._server.unfinished_game()
            if unfinished is not None:
                question = text("play.go-on", round=unfinished["round"] or "-")
                if session.ask(question, on_enter=True, unasked=False):
                    return unfinished
        guests = [{"type": "guest", "name": name} for name in wishes.guest]
        bots = [{"type": "bot", "level": level} for level in wishes.bot]
        seats = [{"type": "me"}, *guests, *bots, *([{"type": "open"}] * wishes.open)]
        opening: dict[str, Any] = {"seats": seats, "ruleset": wishes.ruleset or "classic"}
        if wishes.turn_seconds is not None:
            opening["turn_seconds"] = wishes.turn_seconds
        return self._server.open_game(opening)

    def _keep_record(self, game_id: str, promised: str, session: Session, file: str | None) -> None:
        """Check the dice against the promise, and write the game down where that is wanted."""
        events = self._server.events(game_id)
        self._lines.drop_earlier()  # the game may have ended in the middle of a word
        if session.ask(text("play.check-dice"), on_enter=True, unasked=True):
            fairness = self._server.fairness(game_id)
            faults = verify_document({"fairness": fairness, "events": events})
            if fairness["commitment"] != promised:
                faults.append(text("play.promise-broken", promised=promised))
            for fault in faults:
                self._screen.say(fault)
            self._screen.say(text("play.dice-wrong" if faults else "play.dice-right"))
        if file is None:
            file = self._ask_for_file()
        while file is not None:
            try:
                Path(file).expanduser().write_text(transcript(events), encoding="utf-8")
            except OSError as error:
                self._screen.say(text("play.not-saved", file=file, reason=error.strerror))
                file = self._ask_for_file()
            else:
                self._screen.say(text("play.saved", file=file))
                return

    def _ask_for_file(self) -> str | None:
        """Where to write the game down; None where nobody wants it, or can be asked."""
        if not self._lines.is_interactive:
            return None
        # It looks like a question that yes and no answer: neither is meant as the name of a file.
        while True:
            said = self._lines.read(text("play.save")).strip()
            if not said or said.lower() in text("play.no").split():
                return None
            if said.lower() not in text("play.yes").split():
                return said

    def _say_farewell(self) -> None:
        game = self._game
        if game is None:
            self._screen.say(text("play.farewell"))
        else:
            command = self._ways.play(game["id"], self._name)
            self._screen.say(text("play.come-back", command=command))


def _save_fault(name: str) -> str | None:
    """Why a file of that name cannot be written; None where it can, as far as can be seen."""
    file = Path(name).expanduser()
    if not file.parent.is_dir():
        return text("play.no-folder", file=name, folder=file.parent)
    if file.is_dir():
        return text("play.is-folder", file=name)
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        return text("play.not-allowed", file=name)
    return None
