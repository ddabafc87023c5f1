"""The loop at the table: whose turn it is, what is typed, what becomes of it.

Every move is made by the server, and every state shown is the server's; here are only the marks of
dice that will stay, until the roll takes them along.
"""

from collections.abc import Callable
from contextlib import closing

from app.locale import text
from app.schemas.games import GameView, TurnView
from app.terminal.client import Server
from app.terminal.follow import POLL_SECONDS, happenings
from app.terminal.hints import Hints
from app.terminal.lines import Lines
from app.terminal.refusals import Refused
from app.terminal.screen import Screen, name_of, offer
from app.terminal.words import CategoryName, Plain, Score, Toggle, Typed, Unclear, Verb, read_line

NONE_HELD = [False] * 5


class Leaving(Exception):
    """The player gets up; the game stays where it is."""


class Session:
    """One player's part in one game, that of guests at the same keyboard included."""

    def __init__(
        self,
        server: Server,
        screen: Screen,
        lines: Lines,
        player_id: str,
        poll_seconds: float = POLL_SECONDS,
        *,
        hints: bool = False,
    ) -> None:
        self._server = server
        self._screen = screen
        self._lines = lines
        self._player_id = player_id
        self._poll_seconds = poll_seconds
        self._hints = Hints(server, screen, are_wanted=hints)
        self._held = NONE_HELD
        self._is_shown = False

    def play(self, game: GameView) -> GameView:
        """Play until the game has ended, and give its last state.

        Raises Leaving where the player wants to go, EOFError where no more lines come, Refused
        where the server has no place for this player any more.
        """
        self._enter(game)
        while self._game["status"] in ("waiting", "active"):
            turn = self._game["turn"]
            if turn is None:
                self._wait_for_players()
            elif self._is_mine(turn):
                self._act(turn)
            else:
                self._watch(turn)
        return self._game

    def ask(self, question: str, *, on_enter: bool, unasked: bool) -> bool:
        """Yes or no; ``unasked`` is the answer where nobody is there to be asked."""
        if not self._lines.is_interactive:
            return unasked
        choices = text("play.yes-no" if on_enter else "play.no-yes")
        said = self._lines.read(f"{question} {choices} ").strip().lower()
        return on_enter if not said else said in text("play.yes").split()

    def _enter(self, game: GameView) -> None:
        self._game = game
        self._held = NONE_HELD if game["turn"] is None else list(game["turn"]["held"])
        self._is_shown = False

    def _is_mine(self, turn: TurnView) -> bool:
        return self._game["seats"][turn["seat"]]["player_id"] == self._player_id

    def _act(self, turn: TurnView) -> None:
        """Show what there is to decide, and do what the next line says."""
        if not self._is_shown:
            self._screen.game(self._game, self._held)
            self._hints.show(self._game)
            self._is_shown = True
        prompt = text("play.prompt", name=name_of(self._game["seats"][turn["seat"]]))
        typed = list(read_line(self._lines.read(prompt), self._screen.categories))
        if all(self._do(item, turn) for item in typed) and isinstance(typed[-1], Toggle):
            self._screen.dice(turn, self._held)

    def _do(self, typed: Typed, turn: TurnView) -> bool:
        """Do one thing; whether what was typed after it still makes sense."""
        match typed:
            case Toggle():
                return self._toggle(typed, turn)
            case Score(category):
                return self._score(category, turn)
            case Plain(verb):
                return self._do_plain(verb, turn)
            case Unclear(reason):
                self._screen.say(reason)
                return False

    def _do_plain(self, verb: Verb, turn: TurnView) -> bool:
        match verb:
            case "roll":
                # Before the first roll there is nothing that could stay.
                held = None if turn["dice"] is None else self._held
                return self._send(lambda: self._server.roll(self._game, held))
            case "resign":
                name = name_of(self._game["seats"][turn["seat"]])
                if self.ask(text("play.resign", name=name), on_enter=False, unasked=True):
                    return self._send(lambda: self._server.resign(self._game, turn["seat"]))
                return False
            case "leave":
                raise Leaving
            case "help":
                self._screen.say(text("play.help"))
                return True

    def _toggle(self, typed: Toggle, turn: TurnView) -> bool:
        refused = None
        if turn["dice"] is None:
            refused = "roll-first"
        elif not turn["rolls_left"]:
            refused = "no-rolls-left"
        if refused is not None:
            self._screen.say(text(f"play.problem.{refused}"))
            return False
        held = list(self._held)
        for position in typed.positions:
            held[position] = not (held[position] and typed.lets_go)
        self._held = held
        return True

    def _score(self, category: CategoryName, turn: TurnView) -> bool:
        # The server knows best what is possible; only a zero is worth a second thought.
        is_zero = offer(turn, category.slug) == 0
        question = text("play.score-zero", category=category.name)
        if is_zero and not self.ask(question, on_enter=False, unasked=True):
            return False
        return self._send(lambda: self._server.score(self._game, category.slug))

    def _send(self, move: Callable[[], GameView]) -> bool:
        """Make a move; refused, look again at the game, as somebody else may have changed it."""
        try:
            game, own_events = move(), 1
        except Refused as refused:
            if refused.is_final:
                raise
            self._screen.say(str(refused))
            self._take(self._server.game(self._game["id"]), own_events=0)
            return False
        self._take(game, own_events=own_events)
        return True

    def _take(self, game: GameView, own_events: int) -> None:
        """Go on from this state; tell what others did to bring it about."""
        before = self._game
        if _stage(game) == _stage(before):
            self._game = game
            self._is_shown = self._is_shown and game["version"] == before["version"]
        else:
            self._enter(game)
        if game["version"] > before["version"] + own_events:
            for event in self._server.events(game["id"], before["version"] + own_events):
                if event["seq"] <= game["version"]:
                    self._screen.happened(event, game)

    def _watch(self, turn: TurnView) -> None:
        """Tell what happens until it is this player's turn, or over."""
        self._screen.say(text("play.waiting-for", name=name_of(self._game["seats"][turn["seat"]])))
        self._screen.deadline(self._game)
        self._follow(lambda game: game["turn"] is not None and game["turn"]["seat"] == turn["seat"])

    def _follow(self, goes_on: Callable[[GameView], bool]) -> None:
        """Tell what happens for as long as the game is like that."""
        self._lines.drop_earlier()
        with closing(happenings(self._server, self._game, self._poll_seconds)) as told:
            for event, game in told:
                self._screen.happened(event, game)
                # What a newer state holds besides is still to be told.
                if event["seq"] >= game["version"] and not goes_on(game):
                    self._enter(game)
                    return
        self._enter(self._server.game(self._game["id"]))

    def _wait_for_players(self) -> None:
        """Wait until all seats are taken; the host may also begin without them, or call it off."""
        is_host = self._game["host"] == self._player_id
        prompt = "play.lobby-host" if is_host else "play.lobby"
        verb = "wait"
        if self._lines.is_interactive:
            said = self._lines.read(text(prompt))
            verb = said.strip().lower() or "wait"
        match verb:
            case "wait":
                self._screen.say(text("play.waiting"))
                self._follow(lambda game: game["status"] == "waiting")
            case "q" | "quit" | "exit":
                raise Leaving
            case "start" if is_host:
                self._send(lambda: self._server.start(self._game))
            case "cancel" if is_host:
                self._send(lambda: self._server.cancel(self._game))
            case "leave" if not is_host:
                if self._send(lambda: self._server.leave(self._game)):
                    raise Leaving
            case "?" | "help":
                self._screen.say(text(f"{prompt}-help"))
            case _:
                self._screen.say(text("play.not-in-lobby", said=verb))
                self._screen.say(text(f"{prompt}-help"))


def _stage(game: GameView) -> tuple[int | None, ...]:
    """What has to be the same for marks on dice to stay: the turn, and the roll in it."""
    turn = game["turn"]
    return () if turn is None else (game["round"], turn["seat"], turn["rolls_used"])
