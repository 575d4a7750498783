"""Which test executes which line of the scripts: a plugin for pytest, with bash tracing in the place of sh.

The first comment of each script in a copy of the checkout becomes a line that turns the trace on, so that no
line moves. What each test reached is written to the file MUTATION_TRACED as JSON: test -> seconds, whether it
passed, places as script:number.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mutation_lines import SCRIPTS

from tunewiz.bundle.parts import SCRIPTS as SCRIPTS_RUN

# The descriptor is beyond those that the scripts and the tests use.
_ON = (
    'if [ -n "${BASH_VERSION:-}" ]; then exec 29>>"@LOG@"; BASH_XTRACEFD=29; '
    "PS4='+@${BASH_SOURCE##*/}:${LINENO}@ '; set -x; fi\n"
)
_PLACE = re.compile(rb"\+@([a-z]+\.sh:\d+)@ ")

traced: dict[str, tuple[float, bool, list[str]]] = {}


def log_of(traced_to: Path) -> Path:
    """What the scripts of the running test write into."""
    return traced_to.with_suffix(".log")


def prepare(copy: Path, programs: Path, traced_to: Path) -> None:
    """Turns the trace on in the scripts of a copy; `programs` gets the sh that can trace."""
    # The log is named here and not by a variable: some tests give scripts an environment of their own.
    on = _ON.replace("@LOG@", str(log_of(traced_to)))
    for script in SCRIPTS_RUN:
        file = copy / SCRIPTS / script
        lines = file.read_text().splitlines(keepends=True)
        if not lines[1].startswith("#"):
            sys.exit(f"{script}: the second line is no comment that could give way to the trace")
        file.write_text("".join([lines[0], on, *lines[2:]]))
    programs.mkdir()
    # Called by that name it is as strict as others, and reads no file of its own.
    (programs / "sh").symlink_to("/bin/bash")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Has the scripts of one test write into a log of its own."""
    log = log_of(Path(os.environ["MUTATION_TRACED"]))
    log.write_bytes(b"")
    log.chmod(0o666)  # tests run scripts as other users too
    began, failed = time.monotonic(), item.session.testsfailed
    result = yield
    places = sorted({place.decode() for place in _PLACE.findall(log.read_bytes())})
    passed = item.session.testsfailed == failed
    traced[item.nodeid] = (round(time.monotonic() - began, 2), passed, places)
    return result


def pytest_sessionfinish() -> None:
    """Leaves behind what was learned."""
    Path(os.environ["MUTATION_TRACED"]).write_text(json.dumps(traced))
