"""Advice for whoever is on turn, in a line or two. Knows no strategy: the server works it out."""

from app.locale import text
from app.rules import format_dice
from app.schemas.advice import ActionView, AdviceView
from app.schemas.games import GameView
from app.terminal.client import Server
from app.terminal.refusals import Refused
from app.terminal.screen import Screen

RUNNERS_UP = 2
_NEVER = ("hints-off", "not-found")
"""Refusals that no later turn of the game changes."""


class Hints:
    """Shows what is best where that is wanted, until the server says that it will not tell."""

    def __init__(self, server: Server, screen: Screen, *, are_wanted: bool) -> None:
        self._server = server
        self._screen = screen
        self._are_wanted = are_wanted
        self._silent_in: str | None = None

    def show(self, game: GameView) -> None:
        """Say what is best for the seat on turn, and what other choices would cost."""
        if not self._are_wanted or game["id"] == self._silent_in:
            return
        try:
            advice = self._server.advice(game)
        except Refused as refused:
            if refused.code in _NEVER:
                self._silent_in = game["id"]
            # In a game that has moved on, the next move is told so, and the new state shown.
            if refused.code != "stale-version":
                is_unknown = refused.code == "not-found"  # a server from before there was advice
                self._screen.say(text("play.no-hints") if is_unknown else str(refused))
            return
        for line in self._lines(advice):
            self._screen.say(line)

    def _lines(self, advice: AdviceView) -> list[str]:
        tip = advice["tip"]["text"]
        dice, best = advice["dice"], advice["best"]
        if dice is None:
            return [tip]
        if best["action"] == "score":
            choice = self._scoring(best["category"])
        elif any(best["held"]):
            choice = text("play.hint-hold", dice=format_dice(tuple(dice), tuple(best["held"])))  # type: ignore[arg-type] # five of each
        else:
            choice = text("play.hint-roll")
        lines = [text("play.hint", choice=choice, tip=tip)]
        others = self._others(advice, best)
        if others:
            lines.append(text("play.hint-others", choices=", ".join(others)))
        return lines

    def _others(self, advice: AdviceView, best: ActionView) -> list[str]:
        """The choices that come next to the best one, with what they give away."""
        others = [
            (score["loss"], self._scoring(score["category"]))
            for score in advice["scores"]
            if best["action"] != "score" or best["category"] != score["category"]
        ]
        for hold in advice["holds"]:
            if best["action"] == "roll" and best["held"] == hold["held"]:
                continue
            kept = " ".join(map(str, hold["kept"]))
            choice = text("play.hint-hold", dice=kept) if kept else text("play.hint-roll")
            others.append((hold["loss"], choice))
        return [
            text("play.hint-loss", choice=choice, loss=f"{loss:.2f}")
            for loss, choice in sorted(others)[:RUNNERS_UP]
        ]

    def _scoring(self, category: str) -> str:
        return text("play.hint-score", category=self._screen.called(category))
