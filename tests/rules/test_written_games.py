"""Whole games as texts: what is written reads back, and only what could have happened is read."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.rules import (
    Abandon,
    Cancel,
    Category,
    Event,
    Expire,
    Game,
    GameCreated,
    NotationError,
    Roll,
    Score,
    SeatRecord,
    fold,
    format_game,
    open_game,
    parse_card,
    parse_dice,
    parse_game,
    parse_turn,
)
from tests.builders import (
    OPEN,
    PLAIN,
    bot,
    created,
    dice,
    guest,
    resign,
    tell,
)
from tests.rules.watched import walk

NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=40)
SEEDS = st.integers(0, 2**32)

SCRAPS = st.sampled_from(
    [
        "Yacht, ruleset classic",
        'Seat 0: human "Ada"',
        "Seat 0: human",
        "Seat 1: open",
        "Seat 1: guest",
        'Seat 1: bot "\\\\u12"',
        "Round 1, seat 0",
        "Round 1, seat 1",
        "roll 1: 5 5 5 2 1",
        "roll 2: [5] [5] [5] 2 1",
        "roll 2: [5] [5] [5] [2] [1]",
        "roll 3: 1 1 1 1 1",
        "score yacht: 0",
        "score fives: 15",
        "score ones: 1",
        "resign seat 0: player",
        "resign seat 7, seat 0: account",
        "time up",
        "resign seat 0: clock",
        "cancel: host",
        "cancel: idle",
        "Seat 0: 15 points, rank 1",
        "Seat 0: 0 points, rank -",
        "",
    ]
)


def outcome(game: Game) -> object:
    """What a written game must not lose of a game, apart from names."""
    return (
        game.ruleset,
        game.status,
        game.round,
        [(seat.type, seat.state, seat.card, seat.rank) for seat in game.seats],
        game.winners,
    )


def check_reads_back(events: list[Event] | tuple[Event, ...]) -> None:
    text = format_game(events)
    again = parse_game(text)
    assert format_game(again) == text
    before, after = fold(events), fold(again)
    assert outcome(after) == outcome(before)
    assert [seat.name for seat in after.seats] == [seat.name for seat in before.seats]


@settings(max_examples=20)
@given(SEEDS)
def test_a_whole_game_reads_back(seed: int) -> None:
    """R64, R65: the replay reaches the same cards, totals, ranks and winners."""
    check_reads_back(walk(seed).events)


@settings(max_examples=80)
@given(SEEDS, st.integers(0, 60))
def test_a_game_reads_back_at_any_point(seed: int, steps: int) -> None:
    """R64, R65: while it waits, in the middle of a turn, cancelled."""
    check_reads_back(walk(seed, steps=steps, nonsense=0.4).events)


@given(NAMES)
@example('"')
@example("\\")
@example("\\u0041")
@example('Ada", human "Bo')
@example("שלום עולם")
@example("👩‍👩‍👧 🎲")
@example("a\u2028b\u2029c\x85d")
@example("\u00a0Ada\u3000")
@example("open")
def test_any_name_reads_back(name: str) -> None:
    """R64, R65: whatever it is made of, for a human and a guest; a bot is named by its level."""
    events, game = open_game(created(SeatRecord(0, "human", name, "ada"), guest(name), bot()))
    assert [seat.name for seat in game.seats] == [name, name, "expert"]
    check_reads_back(events)


def test_a_name_that_was_taken_is_not_written() -> None:
    """R57, R64: the seat is written without one."""
    events, _ = open_game(created(SeatRecord(0, "human"), SeatRecord(1, "guest")))
    assert format_game(events).splitlines()[1:3] == ["Seat 0: human", "Seat 1: guest"]
    check_reads_back(events)


def test_a_waiting_game_is_its_seats() -> None:
    """R64: an open seat has no name."""
    events, _ = open_game(created("Ada", OPEN, bot("novice"), ruleset="fixed-house"))
    assert format_game(events) == (
        'Yacht, ruleset fixed-house\nSeat 0: human "Ada"\nSeat 1: open\nSeat 2: bot "novice"\n'
    )
    check_reads_back(events)


def test_seats_that_gave_up_at_once_are_written_together() -> None:
    """R52, R64: one after the other, the last one would have won."""
    events, game = open_game(created("Ada", guest("Di")))
    events += tell(game, resign(0, 1))
    assert format_game(events).splitlines()[4:] == [
        "Round 1, seat 0",
        "resign seat 0, seat 1: player",
        "",
        "Seat 0: 0 points, rank -",
        "Seat 1: 0 points, rank -",
    ]
    check_reads_back(events)


def test_seats_that_gave_up_one_by_one_read_back_too() -> None:
    """R64, R65: the turn went on to seat 1, which gave up next, and seat 2 won."""
    events, game = open_game(created("Ada", "Bo", "Cy"))
    events += tell(game, resign(0), resign(1))
    check_reads_back(events)


def test_the_turn_that_follows_is_written_after_all_who_gave_up() -> None:
    """R45, R64: seat 0 passed its turn on, seat 1 had none to pass."""
    events, game = open_game(created("Ada", guest("Di"), "Bo", "Cy"))
    events += tell(game, resign(0, 1))
    assert format_game(events).splitlines()[6:] == [
        "Round 1, seat 0",
        "resign seat 0, seat 1: player",
        "",
        "Round 1, seat 2",
    ]
    check_reads_back(events)


def test_seats_that_gave_up_are_written_in_seat_order() -> None:
    """R64: whoever was first, as long as nothing else came between."""
    events, game = open_game(created("Ada", "Bo", "Cy", "Di"))
    events += tell(game, resign(2), resign(1))
    assert format_game(events).splitlines()[-1] == "resign seat 1, seat 2: player"
    check_reads_back(events)


def test_seats_that_gave_up_for_other_reasons_are_written_apart() -> None:
    """R64: each line has one reason."""
    events, game = open_game(created("Ada", "Bo", "Cy", "Di"))
    events += tell(game, resign(2), resign(1, reason="account"), resign(3))
    lines = format_game(events).splitlines()
    assert lines[lines.index("Round 1, seat 0") + 1 :][:3] == [
        "resign seat 2: player",
        "resign seat 1: account",
        "resign seat 3: player",
    ]
    check_reads_back(events)


def test_what_the_clock_plays_is_written_as_its_doing() -> None:
    """R64, R67, R68: three late turns, the second of which had its dice; then seat 0 gives up."""
    events, game = open_game(created("Ada", "Bo"))
    bo = (Roll(1, PLAIN), Score(1, Category.CHOICE))
    own = Roll(0, dice("5 5 5 2 1"))
    late = Expire(dice("6 6 1 2 4"))
    events += tell(game, late, *bo, own, late, Roll(1, PLAIN), Score(1, Category.YACHT), late)
    lines = format_game(events).splitlines()[4:]
    assert lines[:4] == ["Round 1, seat 0", "time up", "roll 1: 6 6 1 2 4", "score choice: 19"]
    assert lines[9:13] == ["Round 2, seat 0", "roll 1: 5 5 5 2 1", "time up", "score fives: 15"]
    assert lines[18:] == [
        "Round 3, seat 0",
        "time up",
        "roll 1: 6 6 1 2 4",
        "score sixes: 12",
        "resign seat 0: clock",
        "",
        "Seat 0: 46 points, rank 2",
        "Seat 1: 16 points, rank 1",
    ]
    check_reads_back(events)


def test_a_late_turn_that_is_followed_by_others_reads_back() -> None:
    """R64, R65: a resignation or a further late turn right after it are lines of their own."""
    events, game = open_game(created("Ada", "Bo", "Cy", "Di"))
    late = Expire(PLAIN)
    events += tell(game, late, late, resign(0), late, resign(1))
    assert format_game(events).count("time up") == 3
    check_reads_back(events)


def test_a_forgotten_game_is_written_with_its_end() -> None:
    """R64, R69: in the middle of a turn, and read again."""
    events, game = open_game(created("Ada", "Bo"))
    events += tell(game, Roll(0, PLAIN), Abandon())
    assert format_game(events).splitlines()[-3:] == ["roll 1: 1 2 3 4 6", "", "cancel: idle"]
    check_reads_back(events)


def test_a_read_game_has_no_ids_and_no_times() -> None:
    """R64: they are not written."""
    events, game = open_game(created("Ada", guest("Di"), turn_seconds=60))
    first, *rest = parse_game(format_game((*events, *tell(game, Roll(0, PLAIN)))))
    assert isinstance(first, GameCreated)
    assert (first.host, first.commitment, first.turn_seconds) == (None, "", None)
    assert [seat.player_id for seat in first.seats] == [None, None]
    assert {event.at for event in (first, *rest)} == {0}


def test_space_around_a_line_does_not_matter() -> None:
    """R65: a text may be indented, spread out or come from another system."""
    events, game = open_game(created("Ada"))
    text = format_game((*events, *tell(game, Roll(0, PLAIN))))
    spread = "\r\n\r\n".join(f"\t {line} " for line in text.split("\n"))
    assert format_game(parse_game(spread)) == text


GAME = """\
Yacht, ruleset classic
Seat 0: human "Ada"
Seat 1: guest "Di"

Round 1, seat 0
roll 1: 5 5 2 1 5
roll 2: [5] [5] 4 4 [5]
score full_house: 23

Round 1, seat 1
roll 1: 6 6 6 2 6
resign seat 0: player

Seat 0: 23 points, rank 2
Seat 1: 0 points, rank 1
"""


def test_the_game_of_these_tests_is_one() -> None:
    """R65: so what the next test changes is what makes it none."""
    assert format_game(parse_game(GAME)) == GAME


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (GAME, "", 1, "expected Yacht, ruleset classic or fixed-house or"),
        ("Yacht, ruleset classic", "Chess", 1, "expected Yacht, ruleset"),
        ("classic", "unheard-of", 1, "expected Yacht, ruleset"),
        ('human "Ada"', 'guest "Ada"', 2, "a human among them"),
        ('Seat 0: human "Ada"', "", 2, "a human among them"),
        ("Seat 1: guest", "Seat 2: guest", 3, "expected Seat 1: guest"),
        ('"Di"', '"D\\i"', 3, "a name quoted"),
        ('"Di"', '"D\\u0069"', 3, 'expected Seat 1: guest "Di"'),
        ("Seat 1: guest", "Seat 1: queen", 3, "expected Round 1, seat 0"),
        ("Seat 1: guest", "Seat 1: bot", 3, "one of the levels of bots"),
        ("Round 1, seat 0", "Round 1, seat 1", 5, "expected Round 1, seat 0"),
        ("roll 1: 5 5 2 1 5", "roll 1: 5 5 2 1 7", 6, "expected a roll"),
        ("roll 1: 5 5 2 1 5", "roll 1: [5] 5 2 1 5", 6, "the rules say roll-first"),
        ("[5] [5] 4 4 [5]", "[5] [5] 4 4 [6]", 7, r"expected roll 2: \[5\] \[5\] 4 4 \[5\]"),
        ("[5] [5] 4 4 [5]", "[5] [5] [2] [1] [5]", 7, "the rules say all-dice-held"),
        ("roll 2", "roll 3", 7, "expected roll 2"),
        ("full_house: 23", "full_house: 24", 8, "expected score full_house: 23"),
        ("score full_house: 23\n", "", 9, "expected a roll"),
        ("seat 0: player", "seat 2: player", 12, "expected a roll"),
        ("seat 0: player", "seat 0: player\ncancel: host", 13, "expected Seat 0"),
        ("resign seat 0: player", "cancel: host", 12, "the rules say already-started"),
        ("23 points, rank 2", "24 points, rank 2", 14, "expected Seat 0: 23 points, rank 2"),
        ("0 points, rank 1\n", "0 points, rank 2\n", 15, "expected Seat 1: 0 points, rank 1"),
        ("Seat 1: 0 points, rank 1\n", "", 15, "expected Seat 1: 0 points, rank 1"),
        ("rank 1\n", "rank 1\nroll 1: 1 1 1 1 1\n", 16, "the rules say game-over"),
        ("seat 0: player", "seat 0: clock", 12, "expected a roll"),
        ("score full_house", "time up\nscore fives", 9, "expected score full_house: 23"),
        ("roll 1: 6", "time up\nroll 1: [6]", 12, "expected roll 1: 6 6 6 2 6"),
        ("resign seat 0: player", "time up", 14, "expected score choice: 26"),
        ("roll 1: 6 6 6 2 6\nresign seat 0: player", "time up", 13, "expected roll 1"),
    ],
    ids=[
        "nothing",
        "another game",
        "an unknown ruleset",
        "no human",
        "no seat",
        "a seat too high",
        "a name that is not JSON",
        "a name quoted otherwise",
        "an unknown type",
        "a bot of no level",
        "another turn",
        "a seven",
        "held on the first roll",
        "a held die that moved",
        "all held",
        "a roll left out",
        "wrong points",
        "no score",
        "a seat that is not there",
        "more than the end",
        "cancelled too late",
        "a wrong total",
        "a wrong rank",
        "half a result",
        "a move after the end",
        "too late without having been late",
        "another choice than that of the clock",
        "held on the roll of the clock",
        "late without a score",
        "late without a roll",
    ],
)
def test_a_text_that_is_no_game_is_refused_with_its_line(
    old: str, new: str, line: int, reason: str
) -> None:
    """R65: the first line that is not in the notation, against the rules, or not true."""
    assert GAME.count(old) == 1
    with pytest.raises(NotationError, match=f"line {line}: .*{reason}") as refused:
        parse_game(GAME.replace(old, new))
    assert refused.value.line == line


@settings(max_examples=150)
@given(st.lists(SCRAPS | st.text(max_size=20), max_size=14).map("\n".join))
@example('Yacht, ruleset classic\nSeat 0: human "\\ud800"')
@example("Yacht, ruleset classic\nSeat 0: human\nRound 1, seat 0\n" + "roll 1: 1 1 1 1 1\n" * 5)
def test_hostile_texts_are_refused_and_nothing_else(text: str) -> None:
    """R65: a text is read, or refused with the number of a line that it has or lacks."""
    for parse in (parse_dice, parse_card, parse_turn, parse_game):
        try:
            parse(text)
        except NotationError as refused:
            assert 1 <= refused.line <= text.count("\n") + 4  # noqa: PT017 - it may be read as well


@settings(max_examples=60)
@given(SEEDS, st.data())
def test_a_game_with_any_change_is_read_or_refused(seed: int, data: st.DataObject) -> None:
    """R65: a line dropped, doubled or swapped makes another game or none."""
    lines = format_game(walk(seed, steps=25, nonsense=0.05).events).splitlines()
    here = data.draw(st.integers(0, len(lines) - 1))
    there = data.draw(st.integers(0, len(lines) - 1))
    match data.draw(st.sampled_from(["drop", "double", "swap"])):
        case "drop":
            del lines[here]
        case "double":
            lines.insert(here, lines[here])
        case _:
            lines[here], lines[there] = lines[there], lines[here]
    text = "\n".join(lines)
    try:
        events = parse_game(text)
    except NotationError:
        return
    written = [line for line in format_game(events).splitlines() if line]
    assert written == [line for line in lines if line]


def test_a_cancelled_game_tells_why() -> None:
    """R36, R64: and nothing after it."""
    events, game = open_game(created("Ada", OPEN))
    events += tell(game, Cancel("host"))
    assert format_game(events).splitlines()[3:] == ["", "cancel: host"]
    check_reads_back(events)
