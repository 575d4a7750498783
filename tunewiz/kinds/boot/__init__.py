"""Kernel arguments, in a boot entry beside the default one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tunewiz.core.recommendation.actions import HostAction, Row

_ARGUMENT = re.compile(r"[A-Za-z0-9_.-]+(=[A-Za-z0-9_.,:/-]+)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class KernelArgument(HostAction):
    """A boot entry beside the default one, with additional kernel arguments; the default stays."""

    arguments: tuple[str, ...]
    """Those that belong together, in their order: `hugepagesz=1G` and `hugepages=17`."""

    @property
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without its full stop."""
        words = " ".join(self.arguments)
        return f"Adds a second boot entry that gives the kernel {words}; the default one stays"

    @property
    def why_not(self) -> str:
        """Why the scripts cannot make it; empty where they can."""
        plain = bool(self.arguments) and all(map(_ARGUMENT.fullmatch, self.arguments))
        return "" if plain else f"{' '.join(self.arguments)!r} are not valid arguments for a boot entry"

    @classmethod
    def rows_for_all(cls, actions: Sequence[HostAction], /) -> Iterator[Row]:
        """One step for all arguments: they share one boot entry."""
        yield "boot", *(" ".join(action.arguments) for action in actions if isinstance(action, cls))

    @property
    def usage(self) -> tuple[str, ...]:
        """That a boot is left to people, and which."""
        return (
            "The boot entry takes effect once the machine is booted with it; `apply.sh` ends by saying how.",
            "Confirm first: a reboot before the confirmation removes the entry.",
            "Until it is made the default, `verify.sh` reports that the next boot would not use it.",
        )
