"""A directory that is put back as it was: for sweeps that begin at the same state hundreds of times."""

import shutil
import subprocess
from pathlib import Path
from typing import Self


class Kept:
    """What a directory held at one moment: content, mode, owner, times, links.

    It comes back under the path that it had: what was written there may name it.
    """

    def __init__(self, directory: Path) -> None:
        """Keeps the directory as it is now."""
        self.directory = directory
        self._aside = directory.with_name(f"{directory.name}-kept")
        _copy(directory, self._aside)

    def put_back(self) -> Self:
        """Nothing that was made since is left."""
        shutil.rmtree(self.directory)
        _copy(self._aside, self.directory)
        return self


def _copy(directory: Path, to: Path) -> None:
    subprocess.run(("cp", "-a", "-T", directory, to), check=True)
