"""Kept games, replayed line by line by a reader that shares nothing with the notation."""

from pathlib import Path

import pytest

from app.rules import (
    Abandon,
    Cancel,
    Category,
    Dice,
    Game,
    Held,
    Resign,
    Roll,
    Score,
    Turn,
    fold,
    format_game,
    open_game,
    parse_game,
)
from tests.builders import created, play, refusal
from tests.rules.plain_scoring import expected_points

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").glob("*.txt"))

RESULTS: dict[str, tuple[str, list[int], list[int | None]]] = {
    "bots_left_alone": ("finished", [20, 25, 19, 2], [3, 3, 1, 2]),
    "cancelled": ("cancelled", [0, 0, 0, 0], [None, None, None, None]),
    "forgotten": ("cancelled", [14, 0], [None, None]),
    "late_three_times": ("finished", [28, 36, 22], [2, 2, 1]),
    "late_zero_yacht": ("finished", [139, 85], [1, 2]),
    "solo": ("finished", [117], [1]),
    "solo_given_up": ("finished", [27], [None]),
    "three_players_resignations": ("finished", [93, 55, 86], [2, 1, 2]),
    "two_players_tie": ("finished", [91, 91], [1, 1]),
}

every_transcript = pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)


def opening(text: str) -> Game:
    """The game as its header opens it, taken from the first event that the notation reads."""
    first = parse_game(text)[0]
    assert first.type == "game_created"
    return open_game(created(*first.seats, ruleset=first.ruleset))[1]


def replay(game: Game, line: str) -> Game:
    """The game after one line, of which everything is checked that it says."""
    verb, _, rest = line.partition(" ")
    if verb == "Round":
        number, seat = rest.split(", seat ")
        assert game.turn == Turn(int(seat), int(number))
        return game
    if verb == "roll":
        number, _, lying = rest.partition(": ")
        faces, marks = five(lying)
        assert game.open_turn.rolls_used == int(number) - 1
        for stays, old, new in zip(marks, game.open_turn.dice or faces, faces, strict=True):
            assert not stays or old == new
        game = play(game, Roll(game.open_turn.seat, faces, marks))
        assert (game.open_turn.dice, game.open_turn.held) == (faces, marks)
        return game
    if verb == "score":
        slug, points = rest.split(": ")
        category, scorer = Category(slug), game.open_turn.seat
        assert game.open_turn.dice is not None
        assert int(points) == expected_points(game.rules, category, game.open_turn.dice)
        game = play(game, Score(scorer, category))
        assert game.seats[scorer].card.points(category) == int(points)
        return game
    if verb == "resign":
        seats, _, reason = rest.partition(": ")
        resigning = Resign(tuple(int(seat.split()[1]) for seat in seats.split(", ")), reason)
        game = play(game, resigning)
        assert all(game.seats[seat].state == "resigned" for seat in resigning.seats)
        return game
    if verb == "time":
        assert rest == "up"
        return game  # what the clock has played is told like any other move
    if verb == "cancel:":
        return play(game, Abandon() if rest == "idle" else Cancel(rest))
    seat, points, rank = (line.replace(",", "").split()[i] for i in (1, 2, 5))
    result = game.seats[int(seat[:-1])]
    assert str(result.card.total) == points
    assert rank == ("-" if result.rank is None else str(result.rank))
    return game


def five(lying: str) -> tuple[Dice, Held]:
    """The faces and the brackets of five dice."""
    first, second, third, fourth, fifth = lying.split()
    faces = [int(die.strip("[]")) for die in (first, second, third, fourth, fifth)]
    marks = ["[" in die for die in (first, second, third, fourth, fifth)]
    return (
        (faces[0], faces[1], faces[2], faces[3], faces[4]),
        (marks[0], marks[1], marks[2], marks[3], marks[4]),
    )


@every_transcript
def test_a_transcript_replays_line_by_line(path: Path) -> None:
    """R4, R21, R37, R39, R44, R45, R47, R50, R51, R52: each line is what the rules then have."""
    text = path.read_text(encoding="utf-8")
    game = opening(text)
    header = 1 + len(game.seats)
    for line in text.splitlines()[header:]:
        if line:
            game = replay(game, line)
    status, totals, ranks = RESULTS[path.stem]
    assert (game.status, [seat.card.total for seat in game.seats]) == (status, totals)
    assert [seat.rank for seat in game.seats] == ranks
    assert refusal(game, Roll(0, (1, 1, 1, 1, 1))) == "game-over"


@every_transcript
def test_the_points_of_a_transcript_add_up_to_its_totals(path: Path) -> None:
    """R23, R46: the text alone, without any rule: a plain sum for each seat."""
    totals = [0] * len(RESULTS[path.stem][1])
    seat = -1
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("Round"):
            seat = int(line.rpartition(" ")[2])
        elif line.startswith("score"):
            totals[seat] += int(line.rpartition(" ")[2])
    assert totals == RESULTS[path.stem][1]


@every_transcript
def test_a_transcript_is_written_as_it_was_read(path: Path) -> None:
    """R65: to the last character."""
    text = path.read_text(encoding="utf-8")
    events = parse_game(text)
    assert format_game(events) == text
    assert [seat.rank for seat in fold(events).seats] == RESULTS[path.stem][2]


@every_transcript
def test_every_block_of_a_transcript_ends_a_beginning_of_it(path: Path) -> None:
    """R64: a game can be written, and read, while it goes on."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    for end in range(2, len(blocks)):
        begun = "\n\n".join(blocks[:end])
        following = blocks[end].split("\n")[0]
        if following.startswith("Round"):
            begun = f"{begun}\n\n{following}"
            assert format_game(parse_game(begun)) == f"{begun}\n"


def test_each_kept_game_has_its_result() -> None:
    """R64: none is missing, none is left over."""
    assert [path.stem for path in TRANSCRIPTS] == sorted(RESULTS)


def test_a_zero_yacht_may_be_the_last_score() -> None:
    """R21, R22: the only cell left, whatever the dice."""
    path = next(path for path in TRANSCRIPTS if path.stem == "late_zero_yacht")
    assert "score yacht: 0" in path.read_text(encoding="utf-8").partition("Round 12")[2]
