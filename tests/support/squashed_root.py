"""Storage on which root has no power, as on NFS with root_squash: the owner alone may look into a directory.

In a user namespace root rules only files whose user and group have a number there.
The directory's group has none.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from own_namespaces import entering, held

NUMBERS = 65535
UNMAPPED = 61000
"""The group that has no number in the namespace."""


@contextmanager
def squashing() -> Generator[tuple[str, ...]]:
    """Words to put before a command: its root has no power over what is of the group `UNMAPPED`."""
    with held("user") as process:
        maps = Path(f"/proc/{process}")
        (maps / "uid_map").write_text(f"0 0 {NUMBERS}\n")
        above = UNMAPPED + 1
        (maps / "gid_map").write_text(f"0 0 {UNMAPPED}\n{above} {above} {NUMBERS - above}\n")
        yield entering("user", process)


def squash(directory: Path) -> None:
    """Closes a directory to the root of the namespace; its owner has it as before."""
    os.chown(directory, -1, UNMAPPED)
    directory.chmod(0o700)
