"""The parser of the command line: argparse with messages of ours.

What finds similar names is imported when a name is refused: `--version` is fast.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from tunewiz.console import output

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class CommandLineParser(argparse.ArgumentParser):
    """Prints one message on standard error, without the usage, and names what was probably meant.

    A command's options are added when they are needed: of twenty commands one was typed.
    """

    add_later: Callable[[argparse.ArgumentParser], None] | None = None

    def complete(self) -> None:
        """Add the options that were left for later."""
        if self.add_later is not None:
            add, self.add_later = self.add_later, None
            add(self)

    def parse_known_args(  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        args: Sequence[str] | None = None,
        namespace: Any = None,  # noqa: ANN401 - as in argparse
    ) -> tuple[Any, list[str]]:
        """As argparse does, with all options."""
        self.complete()
        return super().parse_known_args(args, namespace)

    def unrecognized(self, arguments: Sequence[str]) -> NoReturn:
        """End the program with what this command does not take, and the option that was meant."""
        from tunewiz.core.values.names import meant

        known = tuple(self._option_string_actions)
        question = next((meant(argument, known) for argument in arguments if argument.startswith("--")), "")
        self.error(f"unrecognized arguments: {' '.join(arguments)}{question and f'. {question}'}")

    def error(self, message: str) -> NoReturn:
        """End the program with status 2."""
        self.exit(2, f"{self.prog}: {message}\nTry `{self.prog} --help`.\n")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        # argparse lists all choices, of which the one that was meant is easily overlooked.
        choices = [str(choice) for choice in action.choices or ()]
        if choices and value not in choices:
            from tunewiz.core.values.names import expected_name

            expected = expected_name(str(value), choices)
            raise argparse.ArgumentError(action, f"found {str(value)!r}, expected {expected}")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse itself ignores write errors, and exits with 0.
        if file is sys.stdout:
            output.write(message)
        else:
            super()._print_message(message, file)
