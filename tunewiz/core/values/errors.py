"""Errors that the user can do something about."""


class TunewizError(Exception):
    """A failure with one message.

    Args:
        message: What, where, found, expected.
        hint: What to do about it; empty if the message already says it.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class InputError(TunewizError):
    """An input file or value is invalid (exit status 2)."""


class UsageError(TunewizError):
    """The command line asks for something impossible (exit status 2)."""


class BundleError(TunewizError):
    """A bundle cannot be written, or is broken (exit status 2)."""


class ServerError(TunewizError):
    """A PostgreSQL server cannot be queried; the rest continues without it."""
