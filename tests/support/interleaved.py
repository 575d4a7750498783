"""Somebody's edit of a file, at each call of a program between a script's look at it and the last move."""

import sys
from dataclasses import dataclass
from pathlib import Path

from pretend_root import PretendRoot, Ran

PROGRAMS = ("cat", "chmod", "cp", "dd", "find", "findmnt", "ln", "mv", "rm", "sha256sum", "sync", "tail")
THEIRS = "# theirs, since"

APPENDED = f"printf '%s\\n' '{THEIRS}' >>FILE"
REPLACED = (
    f"/bin/cp -p FILE FILE.theirs && printf '%s\\n' '{THEIRS}' >>FILE.theirs && /bin/mv FILE.theirs FILE"
)
EDITS = {"appended": APPENDED, "replaced": REPLACED}

EXCHANGE = """import ctypes, sys
sys.exit(ctypes.CDLL(None).renameat2(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2) != 0)
"""
"""What `mv --exchange` of newer coreutils does."""

BODY = """#!/bin/sh
name=${0##*/}
case $name:${1:-} in dd:if=FILE)
    case $(/bin/tail -n 1 BESIDE/state/*/journal) in
        intent* | undo*) [ -e BESIDE/calls ] || echo 0 >BESIDE/calls ;;
    esac
    ;;
esac
if [ -e BESIDE/calls ]; then
    # Programs of one pipeline count one after another; whoever made the file is the one who counts.
    set -C
    until command : >BESIDE/counting; do :; done 2>/dev/null
    set +C
    read calls <BESIDE/calls
    calls=$((calls + 1))
    echo "$calls" >BESIDE/calls
    [ "$calls" -ne AT ] || { EDIT
        echo "$name $*" >BESIDE/edited-at; }
    /bin/rm BESIDE/counting
fi
case $name:$* in mv:*--exchange*) MOVE ;; esac
exec /bin/$name "$@"
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Interleaving:
    """A file that is edited in one of two ways, on a machine whose mv can exchange two files or cannot."""

    file: str
    edit: str
    exchanges: bool

    def run(self, machine: PretendRoot, script: Path, at: int) -> tuple[Ran, str]:
        """Runs a script while the edit is made at that call; which one it was, if there were so many."""
        file, beside = str(machine.path(self.file)), machine.root.parent
        exchanged = f'exec {sys.executable} {beside}/exchange.py "$3" "$4"' if self.exchanges else "exit 1"
        (beside / "exchange.py").write_text(EXCHANGE)
        body = BODY.replace("EDIT", EDITS[self.edit]).replace("MOVE", exchanged)
        body = body.replace("FILE", file).replace("BESIDE", str(beside)).replace("AT", str(at))
        for name in PROGRAMS:
            machine.write(f"/usr/bin/{name}", body)
            machine.path(f"/usr/bin/{name}").chmod(0o755)
        ran = machine.run(script)
        for name in PROGRAMS:
            machine.path(f"/usr/bin/{name}").unlink()
        return ran, _edited_at(beside)


def _edited_at(beside: Path) -> str:
    (beside / "calls").unlink(missing_ok=True)
    edited_at = beside / "edited-at"
    call = edited_at.read_text() if edited_at.exists() else ""
    edited_at.unlink(missing_ok=True)
    return call
