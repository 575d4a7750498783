"""What runs first in the one file. Any Python 3 can read it, so that a newer one can take its place."""

import sys

if sys.version_info < (3, 11):
    from newer_python import run_again

    run_again()
else:
    from start import start

    start()
