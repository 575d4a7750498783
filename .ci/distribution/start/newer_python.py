"""Runs the program again by a newer Python where the default is too old: on EL 8 and 9, for example.

The default itself reads this: its syntax is that of Python 3.6.
"""

import os
import re
import sys

OLDEST_MINOR = 11


def run_again():  # noqa: ANN201 - see above: typing's NoReturn is newer than some 3.6
    """Becomes the newest Python 3.11+ on the path; without one, ends with a message."""
    result = newest(os.environ.get("PATH", os.defpath).split(os.pathsep))
    if result is None:
        sys.exit(
            "tunewiz: found Python {}.{}, expected 3.{} or newer. Install one (python3.11 on EL 8 and 9, "
            "python311 on SLES 15), or name it: /path/to/python3.11 {}".format(
                sys.version_info[0], sys.version_info[1], OLDEST_MINOR, sys.argv[0]
            )
        )
    isolated = ["-I"] if sys.flags.isolated else []
    os.execv(result, [result] + isolated + sys.argv)  # noqa: S606, RUF005 - the same program, in old syntax


def newest(folders):  # noqa: ANN001, ANN201 - see above
    """The path of the interpreter with the highest minor version; None where there is none."""
    result = {}
    for folder in reversed([folder for folder in folders if os.path.isabs(folder)]):
        for name in _names(folder):
            version = re.match(r"python3\.([0-9]+)$", name)
            path = os.path.join(folder, name)
            if version and int(version.group(1)) >= OLDEST_MINOR and os.access(path, os.X_OK):
                result[int(version.group(1))] = path
    return result[max(result)] if result else None


def _names(folder):  # noqa: ANN001, ANN202 - see above
    try:
        return os.listdir(folder)
    except OSError:
        return []
