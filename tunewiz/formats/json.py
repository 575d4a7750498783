"""Reads JSON strictly: no duplicate keys, no NaN, and error messages that name the line."""

from __future__ import annotations

import json
from typing import NoReturn

from tunewiz.core.values.errors import InputError
from tunewiz.formats.mismatch import shown


def loads(text: str, where: str) -> object:
    """The data in a JSON text.

    Args:
        text: The document.
        where: Its file, for the message.

    Raises:
        InputError: It is not valid JSON; the message names the line.
    """

    def refuse_nan(name: str) -> NoReturn:
        raise InputError(f"{where}: found {name}, expected a number")

    def refuse_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
        result = dict(pairs)
        if len(result) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise InputError(f"{where}: found the key {shown(twice)} twice, expected it once")
        return result

    try:
        return json.loads(text, object_pairs_hook=refuse_duplicates, parse_constant=refuse_nan)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{where}: not valid JSON: {error.msg} ({place})") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{where}: JSON that cannot be read: {error}") from error
