"""Programs of the machine that fail, or end the script that calls them, at a call of the test's choosing."""

from collections.abc import Mapping
from pathlib import Path

from pretend_root import Entry, PretendRoot


def shim(machine: PretendRoot, name: str, body: str) -> None:
    """Puts a program before the real one; scripts look into the pretend root first."""
    machine.write(f"/usr/bin/{name}", f"#!/bin/sh\n{body}\n")
    machine.path(f"/usr/bin/{name}").chmod(0o755)


def without_shims(tree: Mapping[str, Entry]) -> dict[str, Entry]:
    return {path: each for path, each in tree.items() if not path.startswith("usr")}


def strike(machine: PretendRoot, program: str, at: int, signal: str) -> None:
    """The Nth call of a program sends a signal to the script that called it; later ones are as ever."""
    counter = machine.root.parent / "calls"
    counter.write_text("0")
    shim(
        machine,
        program,
        f"read calls <{counter}\ncalls=$((calls + 1))\necho $calls >{counter}\n"
        f'[ $calls -ne {at} ] || kill -{signal} $PPID\nexec /bin/{program} "$@"',
    )


def calls_of(machine: PretendRoot, program: str, script: Path) -> int:
    """How often a whole run calls the program."""
    strike(machine, program, 0, "KILL")
    machine.run(script)
    return int((machine.root.parent / "calls").read_text())
