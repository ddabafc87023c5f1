"""What the bytes of a stream mean, however they are cut and their lines ended."""

import pytest

from app.terminal.sse import Message, Retry, read_stream

STREAM = (
    b": here\n\nretry: 1500\n\nid: 7\nevent: dice\ndata: a\ndata:  b\n\ndata\n\nid\ndata: c\n\n"
)
MEANING = [
    Retry(1.5),
    Message("dice", "a\n b", "7"),
    Message("message", "", "7"),
    Message("message", "c", ""),
]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["LF", "CR LF", "CR"])
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_lines_end_in_three_ways_and_chunks_anywhere(end: bytes, size: int) -> None:
    # A CR alone may be the first half of a line's end: only what follows tells.
    stream = STREAM.replace(b"\n", end) + b":"
    chunks = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert list(read_stream(chunks)) == MEANING


@pytest.mark.parametrize("size", range(1, len("data: é€🎲") + 5))
def test_a_letter_of_several_bytes_may_come_in_pieces(size: int) -> None:
    stream = "data: é€🎲\n\n".encode()
    chunks = [stream[:size], stream[size:]]
    assert list(read_stream(chunks)) == [Message("message", "é€🎲", "")]


def test_an_event_that_is_cut_off_is_left_out() -> None:
    whole = b"id: 1\ndata: a\n\n"
    for end in range(len(whole)):
        assert list(read_stream([whole, whole[:end]])) == [Message("message", "a", "1")]


@pytest.mark.parametrize(
    "line",
    [
        b"retry: soon",
        b"retry: -1",
        b"retry: " + b"9" * 5_000,
        b"retry:",
        "retry: ²".encode(),
        b"id: 1\0",
        b"colour: red",
    ],
)
def test_what_has_no_meaning_is_passed_over(line: bytes) -> None:
    assert list(read_stream([line + b"\ndata: a\n\n"])) == [Message("message", "a", "")]


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert list(read_stream([b"\xef\xbb", b"\xbfdata: a\n\n"])) == [Message("message", "a", "")]
