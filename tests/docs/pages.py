"""The Markdown pages of the project, and what can be read out of them."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
API = ROOT / "docs" / "api.md"
FAIRNESS = ROOT / "docs" / "fairness.md"
OPERATE = ROOT / "docs" / "operate.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")])

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def page_id(page: Path) -> str:
    """How a test names a page: the path from the root of the project."""
    return page.relative_to(ROOT).as_posix()


def read(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """What stands under a heading, its sub-sections included. KeyError where there is none."""
    # A comment in a shell block begins like a heading, so headings are looked for beside blocks.
    bare = _BLOCK.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)
    found = re.search(rf"^(#+) {re.escape(heading)}$", bare, re.MULTILINE)
    if found is None:
        raise KeyError(heading)
    end = re.compile(rf"^#{{1,{len(found[1])}}} ", re.MULTILINE).search(bare, found.end())
    return text[found.end() :] if end is None else text[found.end() : end.start()]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks in that language, in order."""
    return [body for name, body in _BLOCK.findall(text) if name == language]


def rows(text: str, *header: str) -> list[list[str]]:
    """The rows of the tables whose header begins with these cells, cell by cell."""
    found: list[list[str]] = []
    is_inside = False
    for line in text.splitlines():
        if not line.startswith("|"):
            is_inside = False
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if is_inside:
            if set(line) - set("|-"):
                found.append(cells)
        elif cells[: len(header)] == list(header):
            is_inside = True
    return found


def spans(text: str) -> list[str]:
    """The code spans of a text, fenced blocks left out."""
    return re.findall(r"`([^`\n]+)`", _BLOCK.sub("", text))


def span(cell: str) -> str:
    """The first code span of a cell. ValueError where there is none."""
    found = spans(cell)
    if not found:
        raise ValueError(f"no code in {cell!r}")
    return found[0]


def links(text: str) -> Iterator[str]:
    """The targets of the links on a page, fenced blocks left out."""
    yield from _LINK.findall(_BLOCK.sub("", text))


def anchors(text: str) -> set[str]:
    """The names under which the headings of a page can be linked to."""
    titles = (title for _, title in _HEADING.findall(_BLOCK.sub("", text)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
