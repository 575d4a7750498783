"""The one place that reads and writes TOML.

The standard library reads. The `toml` library writes; it corrupts some strings (a backslash before an x,
U+00A0, U+007F) and drops None, so strings are written here, and the output is read back and compared.
"""

from __future__ import annotations

import tomllib  # noqa: TID251 - this is the place
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tunewiz.core.values.errors import InputError, TunewizError

if TYPE_CHECKING:
    import toml  # noqa: TID251 - as above

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_SIXTEEN_BITS = 0xFFFF


class NotWritableError(TunewizError):
    """Data that TOML cannot hold, or that would not read back the same."""


def loads(text: str, where: str) -> dict[str, object]:
    """The data in a TOML text.

    Args:
        text: The document.
        where: Its file, for the message.

    Raises:
        InputError: It is not valid TOML; the message names the line.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: not valid TOML: {error}") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{where}: TOML that cannot be read: {error}") from error


def dumps(data: Mapping[str, object]) -> str:
    """The data as TOML that reads back as the same data.

    Raises:
        NotWritableError: It would not: it contains None, a lone surrogate, or a type that TOML lacks.
    """
    import toml  # noqa: PLC0415, TID251 - most commands read only

    try:
        text = toml.dumps(dict(data), encoder=_encoder())
        text.encode()
        back = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeEncodeError, TypeError, IndexError) as error:
        raise NotWritableError(f"TOML cannot hold this: {error}") from error
    if back != data:
        raise NotWritableError(
            f"what was written to TOML would not read back the same: {_first_loss(data, back)}"
        )
    return text


def _encoder() -> toml.TomlEncoder[dict[str, object]]:
    import toml  # noqa: PLC0415, TID251 - as above

    encoder: toml.TomlEncoder[dict[str, object]] = toml.TomlEncoder()
    encoder.dump_funcs[str] = basic_string
    return encoder


def basic_string(text: str) -> str:
    r"""A TOML basic string; what does not print is escaped.

    >>> print(basic_string('C:\\xdir\u00a0'))
    "C:\\xdir\u00a0"
    """
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= _SIXTEEN_BITS else f"\\U{code:08x}"


def _first_loss(data: Mapping[str, object], back: Mapping[str, object]) -> str:
    for key, value in data.items():
        if key not in back or back[key] != value:
            return f"{key} = {value!r}"
    return "keys appeared"
