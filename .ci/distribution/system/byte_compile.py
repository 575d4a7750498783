"""Compiles the packaged tunewiz once, at installation: by the Python that will run it."""

import compileall
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
if sys.version_info < (3, 11):
    from newer_python import run_again

    run_again()
else:
    sys.exit(0 if compileall.compile_dir(HERE, quiet=2) else 1)
