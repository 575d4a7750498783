"""Detects other wizards on this host, whoever started them: each reports the other.

A name in Linux's abstract socket namespace is held only by a living process: nothing is left of one that was
killed, and no directory has to be writable. The kernel says who is on the other side (SO_PEERCRED, unix(7)).
"""

from __future__ import annotations

import pwd
import socket
import struct
from collections.abc import Mapping

from tunewiz.core.values.record import dataclass

NAME = "tunewiz-wizard"
VARIABLE = "TUNEWIZ_PRESENCE"
"""Variable with another name, so that wizards under test do not find each other."""
CREDENTIALS = struct.Struct("3i")
"""Process, user, group."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Presence:
    """This run's registration among other wizards."""

    held: socket.socket | None
    """Later wizards connect here; None if another run was first, or sockets are not allowed."""
    before: str
    """The run that was here first, in words; empty if there is none."""

    def arrived(self) -> str:
        """Which wizards have started since the last call, in words; empty if none."""
        if self.held is None:
            return ""
        try:
            caller, _ = self.held.accept()
        except OSError:
            return ""
        with caller:
            return f"Another wizard was started on this host: {_who(caller)}."

    def leave(self) -> None:
        """Stop listening."""
        if self.held is not None:
            self.held.close()


NOBODY = Presence(held=None, before="")


def announce(environ: Mapping[str, str]) -> Presence:
    """Register as a running wizard; never fails."""
    name = f"\0{environ.get(VARIABLE, NAME)}"
    try:
        held = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError:
        return NOBODY
    try:
        held.bind(name)
        held.listen()
        held.settimeout(0)
    except OSError:
        held.close()
        return _call(name)
    return Presence(held=held, before="")


def _call(name: str) -> Presence:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        try:
            caller.connect(name)
            return Presence(held=None, before=f"Another wizard runs on this host already: {_who(caller)}.")
        except OSError:
            return NOBODY


def _who(other: socket.socket) -> str:
    process, user, _ = CREDENTIALS.unpack(
        other.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    )
    try:
        name = pwd.getpwuid(user).pw_name
    except KeyError:
        name = f"user {user}"
    return f"process {process} of {name}"
