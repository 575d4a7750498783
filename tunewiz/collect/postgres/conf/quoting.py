"""Writes a value so that the server reads exactly that value: always quoted.

Unquoted, `1.5GB` and `128 MB` are syntax errors to the server; quoted, every value is safe.
"""

from __future__ import annotations

from tunewiz.core.values.errors import InputError

_IMPOSSIBLE = {"\n": "a line break", "\0": "a NUL"}


def quoted(value: str) -> str:
    r"""The value in single quotes, quotes and backslashes doubled; raises InputError for what cannot be.

    >>> print(quoted("it's 16GB"))
    'it''s 16GB'
    """
    for character, name in _IMPOSSIBLE.items():
        if character in value:
            raise InputError(
                f"a setting's value cannot hold {name}, found {value!r}", "Write the value on one line."
            )
    doubled = value.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
