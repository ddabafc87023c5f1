"""The texts that people read, by key, so that no other room holds a sentence for players."""

from app.locale.en import TEXTS

DEFAULT_LANGUAGE = "en"


def text(key: str, **values: object) -> str:
    """The text for the key, with the values in their places. Raises KeyError for an unknown key."""
    return TEXTS[key].format(**values)
