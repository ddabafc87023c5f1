"""The texts that people read, by key, so that no other room holds a sentence for players."""

from collections.abc import Sequence
from typing import Literal

from app.locale.en import TEXTS

DEFAULT_LANGUAGE = "en"


def text(key: str, **values: object) -> str:
    """The text for the key, with the values in their places. Raises KeyError for an unknown key."""
    return TEXTS[key].format(**values)


def has_text(key: str) -> bool:
    """Whether there is a text for the key."""
    return key in TEXTS


def listed(items: Sequence[str], word: Literal["and", "or"] = "and") -> str:
    """The items as one enumeration: `2, 3 and 5`."""
    *first, last = items
    return text(f"list.{word}", first=", ".join(first), last=last) if first else last
