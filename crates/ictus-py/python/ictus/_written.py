"""Python values as a scene's text writes them (TOML)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Union

from ._ictus import Problem

Value = Union[bool, float, str, "Iterable[Value]", "Mapping[str, Value]"]
"""What a key of a scene can be: a truth, a number in SI units, a text (with a unit, if it is a quantity), a list or a table."""

DEEPEST = 16
"""Lists and tables lie at most so deep in each other."""


def written(value: Any, path: str, depth: int = 0) -> str:
    """A value as TOML; `path` is what it is for, in messages."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "true" if value else "false"
    if depth > DEEPEST:
        raise Problem(f"{path}: lists and tables lie too deep in each other")
    if isinstance(value, Mapping):
        pairs = (f"{key_of(key, path)} = {written(inner, f'{path}.{key}', depth + 1)}" for key, inner in value.items())
        return "{ " + ", ".join(pairs) + " }"
    number = _number(value)
    if number is not None:
        return number
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return "[" + ", ".join(written(inner, path, depth + 1) for inner in value) + "]"
    kind = type(value).__name__
    raise TypeError(f"{path} must be a number, a text, a truth, a list or a dictionary, not {kind}")


def _number(value: Any) -> str | None:
    """A number as the shortest text that reads back as the same one."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    elif hasattr(value, "shape"):
        return None
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if hasattr(value, "__float__"):
        return repr(float(value))
    return None


def whole(text: str) -> str:
    """A text as it is, if it is one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Problem(f"{text[:100]!r} is not text: half of a character is missing") from None
    return text


def quoted(text: str) -> str:
    """A text in quotation marks."""
    whole(text)
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def key_of(key: object, path: str) -> str:
    """A key, in quotation marks where it needs them."""
    if not isinstance(key, str):
        raise TypeError(f"{path}: names must be texts, not {type(key).__name__}")
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if plain else quoted(key)
