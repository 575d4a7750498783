"""How much later the one file's wizard is there than the installed one's, in one run on one machine.

    make benchmark    # or: PYTHONPATH=tests/support .venv/bin/python benchmarks/onefile.py [RUNS]

Both are built from this checkout and run by the same Python, in turn; times are medians of RUNS (default 5)
from the second start on. Ends with 1 where the one file takes more than LIMIT times as long.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from wizard import first_screen, headless, medians, use_home

CHECKOUT = Path(__file__).resolve().parent.parent
FIRST_PAGE = "Which machine"
LIMIT = 1.3


def installed(folder: Path) -> str:
    """A Python with the wheel and its locked dependencies, compiled by pip as for a user."""
    built = folder / "wheel"
    quietly(sys.executable, "-m", "build", "--no-isolation", "--outdir", built, CHECKOUT)
    quietly(sys.executable, "-m", "venv", folder / "venv")
    python = str(folder / "venv" / "bin" / "python")
    pip = (python, "-m", "pip", "install", "--no-deps")
    quietly(*pip, "--require-hashes", "-r", CHECKOUT / "requirements.lock")
    quietly(*pip, *built.glob("*.whl"))
    return python


def one_file(folder: Path) -> Path:
    """As it is released."""
    quietly(sys.executable, CHECKOUT / "distribution" / "onefile.py", "-o", folder / "tunewiz.pyz")
    return folder / "tunewiz.pyz"


def quietly(*command: str | Path) -> None:
    """Ends with what it printed where it fails."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode != 0:
        sys.exit(done.stdout.decode())


def row(what: str, ours: float, base: float, limit: str) -> str:
    """Of Markdown."""
    return f"| {what} | {ours:,.0f} ms | {base:,.0f} ms | {ours / base:.2f} x | {limit} |"


def measured(python: str, file: Path, runs: int) -> int:
    """Print the table; 1 where the limit is exceeded."""
    ours: Sequence[str] = (python, str(file))
    base: Sequence[str] = (str(Path(python).with_name("tunewiz")),)
    first = first_screen(ours, FIRST_PAGE)
    page = tuple(
        medians(runs, lambda: first_screen(ours, FIRST_PAGE), lambda: first_screen(base, FIRST_PAGE))
    )
    version, plain = medians(runs, lambda: headless(*ours, "--version"), lambda: headless(*base, "--version"))
    print("| what | one file | installed | ratio | limit |\n|---|---|---|---|---|")
    print(row("first page, first start", first, page[1], ""))
    print(row("first page, later", *page, f"{LIMIT:.2f} x"))
    print(row("--version, later", version, plain, ""))
    return 0 if page[0] <= LIMIT * page[1] else 1


def main() -> int:
    """Build both and compare."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        python, file = installed(folder), one_file(folder)
        home = folder / "home"
        home.mkdir()
        use_home(str(home))
        os.environ["XDG_CACHE_HOME"] = str(home / "cache")
        os.chdir(home)
        return measured(python, file, runs)


if __name__ == "__main__":
    sys.exit(main())
