"""Pages about problem codes, as HTML, for whoever follows the `type` of a problem in a browser."""

import re
from html import escape

from app.api.problems import STATUS
from app.locale import DEFAULT_LANGUAGE, has_text, text

_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto;
padding: 0 1rem }} code {{ font-size: 1rem }}
td {{ padding-right: 1rem; vertical-align: top }}</style>
<body>
<h1>{title}</h1>
{content}
<p>{links}</p>
</body>
</html>
"""
_FAULT_CODES = (
    "required",
    "unknown",
    "wrong-type",
    "out-of-range",
    "wrong-length",
    "not-allowed",
    "repeated",
    "reused",
    "card-full",
    "dice-before-first-roll",
    "dice-missing",
    "points-impossible",
    "name",
    "one-me",
)
"""The codes of the entries of `errors`."""


def problem_page(code: str) -> str:
    """What one code means and what to do about it."""
    about = _marked(text(f"problem.{code}.detail", version="N"))
    content = [f"<p><code>{STATUS[code]} {code}</code></p>", f"<p>{about}</p>"]
    if has_text(f"problem.{code}.help"):
        content.append(f"<h2>{escape(text('problems.help'))}</h2>")
        content.append(f"<p>{_marked(text(f'problem.{code}.help'))}</p>")
    if code == "invalid-request":
        rows = [
            [f"<code>{fault}</code>", _marked(text(f"invalid.{fault}.about"))]
            for fault in _FAULT_CODES
        ]
        content.append(_table(rows))
    return _page(text(f"problem.{code}.title"), content, "problems", "docs")


def index_page() -> str:
    """All codes with their status and title."""
    rows = [
        [
            str(status),
            f'<a href="/problems/{code}"><code>{code}</code></a>',
            escape(text(f"problem.{code}.title")),
        ]
        for code, status in STATUS.items()
    ]
    return _page(text("problems.title"), [_table(rows)], "docs")


def _page(title: str, content: list[str], *links: str) -> str:
    return _PAGE.format(
        language=DEFAULT_LANGUAGE,
        title=escape(title),
        content="\n".join(content),
        links=" · ".join(
            f'<a href="/{link}">{escape(text(f"problems.to-{link}"))}</a>' for link in links
        ),
    )


def _table(rows: list[list[str]]) -> str:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return "<table>\n" + "\n".join(f"<tr>{line}</tr>" for line in lines) + "\n</table>"


def _marked(words: str) -> str:
    """A text with what stands between backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(words))
