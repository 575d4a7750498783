"""Runs a script that opens the wizard in a terminal, waits for the first page, prints it and leaves.

PYTHONPATH=tests/support python .ci/first_page.py SHELL SCRIPT
"""

import sys
import time

from terminal_session import TerminalSession

PATIENCE = 600
"""Seconds: the wizard's environment is made first, of packages that are downloaded."""
ENTER = b"\r"


def main() -> int:
    """The program's own exit status."""
    deadline = time.monotonic() + PATIENCE
    with TerminalSession(command=sys.argv[1:]) as session:
        while "Which machine" not in session.text and not session.has_ended():
            session.watch(1)
            if time.monotonic() > deadline:
                break
        print(session.text)
        if session.status is None:
            session.settle()
            session.press(b"q", ENTER)
        status = session.end()
        sys.stdout.flush()
        return status


if __name__ == "__main__":
    sys.exit(main())
