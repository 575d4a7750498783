"""The process that queries a server: reads a Request, writes an Answer.

Run as `python -m tunewiz.collect.postgres.client_process`.

A process of its own, because it may become the server's operating-system user for good (peer authentication
believes nothing else), because a server that hangs is got rid of by ending it, and because psycopg then
loads in no other. It starts with our rights and gives them up only after everything is loaded: the program
itself may lie where that user cannot read.
"""

from __future__ import annotations

import json
import os
import pwd
import sys

from tunewiz.collect.postgres.protocol import Attempt, Request
from tunewiz.package_files import package_file


def find_fallback() -> None:
    """The host's psycopg comes first; packages and the one file carry its Python part for hosts without."""
    folder = package_file("tunewiz").parent / "fallback"
    if folder.is_dir():
        sys.path.append(str(folder))


def become(user: str) -> None:
    """Switch to that user, with its groups, its home and none of our connection settings."""
    try:
        account = pwd.getpwnam(user)
    except KeyError as error:
        raise PermissionError(f"there is no user {user} to connect as") from error
    if os.geteuid() == account.pw_uid:
        return
    os.initgroups(user, account.pw_gid)
    os.setgid(account.pw_gid)
    os.setuid(account.pw_uid)
    os.chdir("/")
    os.environ["HOME"] = account.pw_dir
    for name in [name for name in os.environ if name.startswith("PG")]:
        del os.environ[name]


def main() -> int:
    """Try one way after the other; print the answer, or everything that went wrong, as JSON."""
    request = Request.from_json(_first_line())
    find_fallback()
    try:
        import psycopg  # noqa: PLC0415 - a missing client library is an answer, not a traceback

        from tunewiz.collect.postgres.conversations import converse_with  # noqa: PLC0415
        from tunewiz.collect.postgres.session import WrongServerError, one_line  # noqa: PLC0415
    except ImportError as error:
        print(json.dumps({"unreached": [_missing(error)]}))  # noqa: T201 - the answer
        return 0
    reasons = list[str]()
    for attempt in request.attempts:
        try:
            if attempt.user:
                become(attempt.user)
            converse_with(attempt, request)
        except (psycopg.Error, WrongServerError, OSError, UnicodeDecodeError) as error:
            reasons.append(f"{_way(attempt)}: {one_line(error)}")
            if isinstance(error, psycopg.errors.ConnectionTimeout):
                break
        else:
            return 0
    print(json.dumps({"unreached": list(dict.fromkeys(reasons))}))  # noqa: T201 - the answer
    return 0


def _first_line() -> str:
    """The request, byte by byte: what comes after it must not wait in a buffer of ours."""
    read = bytearray()
    while (byte := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        read += byte
    return read.decode()


def _missing(error: ImportError) -> str:
    why = str(error).splitlines()[0]
    return f"psycopg cannot be loaded ({why}): it needs PostgreSQL's client library, libpq"


def _way(attempt: Attempt) -> str:
    """`as postgres over /var/run/postgresql, port 5432`."""
    role = f"as {attempt.conninfo['user']} " if "user" in attempt.conninfo else ""
    return f"{role}over {attempt.place}"


if __name__ == "__main__":
    sys.exit(main())
