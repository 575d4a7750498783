"""`tunewiz check`: is a bundle intact, and does it still match this host?"""

from __future__ import annotations

from tunewiz.bundle.check import check_bundle
from tunewiz.commands.host import read_host
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.values.errors import UsageError

DIFFERS = 1


def run_check(options: Options) -> int:
    """Print each finding on a line; exit status 0 if there are none, else 1."""
    if options.bundle is None:
        raise UsageError("check: expected the directory of a bundle")
    findings = check_bundle(options.bundle, read_host())
    if findings:
        output.write("".join(f"{finding}\n" for finding in findings))
        return DIFFERS
    output.write(f"{options.bundle}: intact, and this host matches what it was planned on\n")
    return 0
