"""`tunewiz check`: is a bundle intact, and does it still match this host?"""

from __future__ import annotations

import os
import time
from pathlib import Path

from tunewiz.bundle.check import check_bundle
from tunewiz.bundle.since_applied import STATE, applied_at, since_applied
from tunewiz.commands.host import read_host
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.errors import UsageError

DIFFERS = 1


def run_check(options: Options) -> int:
    """Print each finding on a line; exit status 0 if there are none, else 1."""
    if options.bundle is None:
        raise UsageError("check: expected the directory of a bundle")
    facts = read_host()
    findings = check_bundle(options.bundle, facts)
    if findings:
        lines = (*_history(options.bundle, facts), *findings)
        output.write("".join(f"{line}\n" for line in lines))
        return DIFFERS
    output.write(f"{options.bundle}: intact, and this host matches what it was planned on\n")
    return 0


def _history(bundle: Path, facts: Facts) -> tuple[str, ...]:
    """When it was applied here and what changed since, where the records can be read: as a rule by root."""
    applied = applied_at(bundle, Path(os.environ.get("TUNEWIZ_STATE_DIR") or STATE))
    history = None if applied is None else since_applied(bundle, facts, int(time.time()) - applied)
    return () if history is None else (history,)
