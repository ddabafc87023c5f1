"""The page for authors of clients, taken apart into the programs and commands that it shows."""

import shlex

from tests.docs.pages import ROOT, blocks, read

PAGE = ROOT / "docs" / "clients.md"
TEXT = read(PAGE)


def program(language: str, between: str = "\n") -> str:
    """All blocks of a language, which continue each other."""
    return between.join(blocks(TEXT, language))


def command(tool: str) -> list[str]:
    """The words of the command that begins with the tool; `npx` is the shell's affair."""
    lines = [line for block in blocks(TEXT, "console") for line in block.splitlines()]
    (words,) = [words for line in lines if tool in (words := shlex.split(line))]
    return words[words.index(tool) :]
