"""What can go wrong for a reason that the user can do something about."""


class TunewizError(Exception):
    """A failure told in one message.

    Args:
        message: What, where, found, expected.
        hint: What to do about it; empty where the message says it already.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class InputError(TunewizError):
    """A file or a value that was handed in is not what it should be (exit status 2)."""


class UsageError(TunewizError):
    """The command line asks for something that cannot be (exit status 2)."""


class BundleError(TunewizError):
    """A bundle cannot be written, or is broken (exit status 2)."""


class ServerError(TunewizError):
    """A PostgreSQL server cannot be asked; the rest goes on without it."""
