"""Advice for whoever is on turn, in a line or two. Knows no strategy: the server works it out."""

from collections.abc import Sequence

from app.locale import text
from app.rules import format_dice
from app.schemas.advice import AdviceView
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
        for line in worded(advice, self._screen):
            self._screen.say(line)


def worded(advice: AdviceView, screen: Screen) -> list[str]:
    """The advice in at most two lines: the best choice and why, and what the next ones cost."""
    tip = advice["tip"]["text"]
    dice, best = advice["dice"], advice["best"]
    if dice is None:
        return [tip]
    if best["action"] == "score":
        choice = _scoring(best["category"], screen)
    else:
        choice = _rolling(dice, best["held"])
    others = [
        (score["loss"], _scoring(score["category"], screen))
        for score in advice["scores"]
        if best["action"] != "score" or best["category"] != score["category"]
    ] + [
        (hold["loss"], _rolling(dice, hold["held"]))
        for hold in advice["holds"]
        if best["action"] != "roll" or best["held"] != hold["held"]
    ]
    lines = [text("play.hint", choice=choice, tip=tip)]
    if others:
        choices = [_priced(other, loss) for loss, other in sorted(others)[:RUNNERS_UP]]
        lines.append(text("play.hint-others", choices=", ".join(choices)))
    return lines


def _scoring(category: str, screen: Screen) -> str:
    return text("play.hint-score", category=screen.called(category))


def _rolling(dice: Sequence[int], held: Sequence[bool]) -> str:
    """The dice as they lie on the table, so that it is seen which positions to type."""
    if not any(held):
        return text("play.hint-roll")
    return text("play.hint-hold", dice=format_dice(tuple(dice), tuple(held)))  # type: ignore[arg-type] # five of each


def _priced(choice: str, loss: float) -> str:
    price = f"{loss:.2f}"
    if price == "0.00":
        return text("play.hint-as-good", choice=choice)
    return text("play.hint-loss", choice=choice, loss=price)
