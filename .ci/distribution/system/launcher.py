#!/usr/bin/python3 -I
"""Starts the packaged tunewiz: its own libraries come before the distribution's, which may be older."""

import sys

sys.path.insert(0, "/usr/lib/tunewiz")
if sys.version_info < (3, 11):
    from newer_python import run_again

    run_again()
else:
    from tunewiz.cli import run

    run()
