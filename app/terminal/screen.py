"""Draws a game: dice, scorecards, what has happened. Reads the answers of a server, asks nothing.

Whatever a server sends is text from a stranger: nothing in it reaches the terminal that could
command it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.locale import text
from app.rules import format_dice
from app.schemas.games import GameView, SeatView, TurnView
from app.schemas.rulesets import RulesetView
from app.terminal.words import LETTERS, CategoryName

ROUNDS = 12
_LETTER_WIDTH, _POINTS_WIDTH, _NAME_WIDTH = 1, 3, 12
_GAP = 2
"""Columns of characters: of a category's letter, of points, of a player's name, between two."""
_JOINERS = "\u200c\u200d"
_PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}
_HELD, _POINTS, _NOTHING, _ON_TURN, _FAINT = "bold yellow", "green", "dim", "bold", "dim"


class Screen:
    """What the player sees. ``console`` decides about colours, width and characters."""

    def __init__(self, console: Console, categories: Sequence[CategoryName] = ()) -> None:
        self._console = console
        self.categories = categories

    def learn(self, ruleset: RulesetView) -> None:
        """From now on show cards of this ruleset."""
        self.categories = [
            CategoryName(category["slug"], clean(category["name"]))
            for category in ruleset["categories"]
        ]

    def say(self, message: str, style: str = "") -> None:
        """A sentence of its own."""
        lines = "\n".join(map(clean, message.split("\n")))
        # Wrapped by the terminal, not here: a command in it can then be copied whole.
        self._console.print(Text(lines, style), soft_wrap=True)

    def game(self, game: GameView, held: Sequence[bool]) -> None:
        """Everything: the round, whose turn it is, all cards, the dice."""
        self.table(game)
        if game["turn"] is not None:
            self.dice(game["turn"], held)

    def table(self, game: GameView) -> None:
        """What there is to see without being on turn: the round, whose turn it is, all cards."""
        turn = game["turn"]
        if turn is not None:
            player = name_of(game["seats"][turn["seat"]])
            heading = text("play.heading", round=game["round"], rounds=ROUNDS, name=player)
            self._console.print()
            self._console.rule(Text(heading, _ON_TURN), align="left")
            self.deadline(game)
        self.cards(game)

    def deadline(self, game: GameView) -> None:
        """Until when the turn may last; nothing where no clock runs."""
        if game["turn"] is not None and game["turn"]["deadline"] is not None:
            time = _local_time(game["turn"]["deadline"], game["updated_at"])
            self.say(text("play.deadline", time=time))

    def on_table(self, game: GameView) -> None:
        """The dice that somebody else has rolled, as one line; nothing before the first roll."""
        turn = game["turn"]
        if turn is not None and turn["dice"] is not None:
            name = name_of(game["seats"][turn["seat"]])
            dice = format_dice(tuple(turn["dice"]), tuple(turn["held"]))  # type: ignore[arg-type] # five of each
            self.say(text("play.rolled", name=name, roll=turn["rolls_used"], dice=dice), _FAINT)

    def cards(self, game: GameView) -> None:
        """The cards of all seats side by side; `+` is what the dice would score now."""
        turn = game["turn"]
        categories, names = self._widths(len(game["seats"]))
        table = Table(
            box=None, pad_edge=False, show_footer=True, header_style="", footer_style=_ON_TURN
        )
        table.add_column("", style=_FAINT, min_width=_LETTER_WIDTH)
        table.add_column(
            "", footer=text("play.total"), no_wrap=True, max_width=categories, overflow="ellipsis"
        )
        for seat in game["seats"]:
            is_on_turn = turn is not None and turn["seat"] == seat["index"]
            table.add_column(
                Text(
                    f"> {name_of(seat)}" if is_on_turn else name_of(seat),
                    _ON_TURN if is_on_turn else "",
                ),
                footer=str(seat["total"]),
                justify="right",
                no_wrap=True,
                max_width=names,
                overflow="ellipsis",
            )
        for letter, category in zip(LETTERS, self.categories, strict=False):
            cells = [_cell(seat, turn, category.slug) for seat in game["seats"]]
            table.add_row(letter, clean(category.name), *cells)
        self._console.print(table)

    def _widths(self, seats: int) -> tuple[int, int]:
        """How wide the categories and each player may be, so that every column fits.

        The letters are what is typed: they stay whole, and names become shorter.
        """
        longest = max((len(category.name) for category in self.categories), default=0)
        left = self._console.width - _LETTER_WIDTH - _GAP * (1 + seats)
        names = min(max((left - longest) // seats, _POINTS_WIDTH), _NAME_WIDTH)
        return max(left - names * seats, _POINTS_WIDTH), names

    def dice(self, turn: TurnView, held: Sequence[bool]) -> None:
        """The dice in their positions, which of them stay, and the rolls that are left."""
        dice, rolls = turn["dice"], turn["rolls_left"]
        if dice is None:
            self.say(text("play.no-dice", rolls=rolls))
        else:
            # Pips need a screen and its characters; a script reads numbers more easily.
            is_plain = not self._console.is_terminal or self._console.options.ascii_only
            lines = _numbers(dice, held) if is_plain else _pips(dice, held)
            for line in lines:
                self._console.print(line)
            self.say(text("play.rolls-left" if rolls else "play.no-rolls", rolls=rolls))

    def happened(self, event: Mapping[str, Any], game: GameView) -> None:
        """What somebody else did, as one line; nothing for what does not show at the table."""
        name = _who(event, game)
        match event:
            case {"type": "dice_rolled", "dice": dice, "held": held, "roll": roll}:
                message = text(
                    "play.rolled", name=name, roll=roll, dice=format_dice(tuple(dice), tuple(held))
                )
            case {"type": "category_scored", "category": slug, "points": points}:
                message = text("play.scored", name=name, points=points, category=self.called(slug))
            case {"type": "dice_held", "held": held}:
                positions = [str(place) for place, stays in enumerate(held, 1) if stays]
                key = "play.holds" if positions else "play.holds-none"
                message = text(key, name=name, positions=" ".join(positions))
            case {"type": "seat_resigned", "reason": "clock"}:
                message = text("play.resigned-by-clock", name=name)
            case {
                "type": "turn_expired"
                | "seat_resigned"
                | "seat_joined"
                | "seat_left"
                | "game_started" as kind
            }:
                message = text(f"play.{kind.replace('_', '-')}", name=name)
            case _:
                return
        self.say(message, _FAINT)

    def result(self, game: GameView) -> None:
        """How it ended: the cards, the ranks, who has won."""
        self._console.print()
        self._console.rule(Text(text("play.over"), _ON_TURN), align="left")
        self.cards(game)
        seats = sorted(game["seats"], key=lambda seat: (seat["rank"] or 0, seat["index"]))
        if len(seats) > 1:
            for seat in seats:
                ranked = {
                    "rank": seat["rank"] or "-",
                    "name": name_of(seat),
                    "total": seat["total"],
                }
                has_resigned = seat["state"] == "resigned"
                self.say(text("play.ranked-resigned" if has_resigned else "play.ranked", **ranked))
        winners = [name_of(game["seats"][index]) for index in game["winners"]]
        if not winners:
            self.say(text("play.no-winner"), _ON_TURN)
        elif len(seats) == 1:
            self.say(text("play.final-total", name=winners[0], total=seats[0]["total"]), _ON_TURN)
        elif len(winners) == 1:
            self.say(text("play.winner", name=winners[0]), _ON_TURN)
        else:
            names = ", ".join(winners[:-1])
            self.say(text("play.winners", names=names, last=winners[-1]), _ON_TURN)

    def called(self, slug: str) -> str:
        """What people call the category."""
        return next((known.name for known in self.categories if known.slug == slug), slug)


def clean(told: str) -> str:
    """The text without what would move the cursor, change colours or turn the direction."""
    return "".join(
        c if c.isprintable() or c in _JOINERS else "\N{REPLACEMENT CHARACTER}" for c in told
    )


def name_of(seat: SeatView) -> str:
    """What to call whoever sits there."""
    if seat["name"] is not None:
        return clean(seat["name"])
    return text("play.open-seat" if seat["state"] == "open" else "play.nameless")


def _who(event: Mapping[str, Any], game: GameView) -> str:
    # Once a game has started, the seats that were still open are gone from it.
    told, seat = event.get("name"), event["seat"]
    if isinstance(told, str):
        return clean(told)
    return name_of(game["seats"][seat]) if seat in range(len(game["seats"])) else ""


def _local_time(told: str, beside: str) -> str:
    """The time on clocks here, with its date where that is another one than ``beside``."""
    try:
        time, other = (datetime.fromisoformat(t).astimezone() for t in (told, beside))
    except ValueError:
        return told
    return f"{time:%H:%M:%S}" if time.date() == other.date() else f"{time:%Y-%m-%d %H:%M}"


def offer(turn: TurnView, slug: str) -> int | None:
    """What the category would bring now; None where it cannot be scored."""
    return next((points for known, points in turn["options"].items() if known == slug), None)


def plain_console(console: Console) -> Console:
    """The console, or one without any escape code where NO_COLOR asks for that."""
    if not console.no_color:
        return console
    return Console(
        file=console.file,
        force_terminal=False,
        color_system=None,
        markup=False,
        highlight=False,
        emoji=False,
    )


def _cell(seat: SeatView, turn: TurnView | None, slug: str) -> Text:
    points = dict(seat["scorecard"]).get(slug)
    if points is not None:
        return Text(str(points))
    offered = None if turn is None or turn["seat"] != seat["index"] else offer(turn, slug)
    if offered is None:
        return Text("")
    return Text(f"+{offered}", _POINTS if offered else _NOTHING)


def _numbers(dice: Sequence[int], held: Sequence[bool]) -> list[Text]:
    faces = "".join(
        f" [{face}]" if stays else f"  {face} " for face, stays in zip(dice, held, strict=True)
    )
    positions = "".join(f"  {position} " for position in range(1, len(dice) + 1))
    width = max(len(text("play.position")), len(text("play.dice")))
    return [
        Text(f"{text('play.position'):{width}}{positions}".rstrip()),
        Text(f"{text('play.dice'):{width}}{faces}".rstrip()),
    ]


def _pips(dice: Sequence[int], held: Sequence[bool]) -> list[Text]:
    lines = [Text() for _ in range(6)]
    for position, (face, stays) in enumerate(zip(dice, held, strict=True), 1):
        style = _HELD if stays else ""
        label = f"{position} {text('play.held')}" if stays else f"{position}"
        rows = ("╭───────╮", *(f"│ {row} │" for row in _PIPS[face]), "╰───────╯", f"{label:^9}")
        for line, row in zip(lines, rows, strict=True):
            line.append(f"{row} ", style)
    return lines
