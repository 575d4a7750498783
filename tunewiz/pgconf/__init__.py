"""postgresql.conf as the server reads it, and values as it wants them written."""

from tunewiz.pgconf.lines import Broken, Plain, parse
from tunewiz.pgconf.quoting import quoted
from tunewiz.pgconf.reading import Assignment, Configuration, IncludedDirectory, Problem, read_configuration

__all__ = [
    "Assignment",
    "Broken",
    "Configuration",
    "IncludedDirectory",
    "Plain",
    "Problem",
    "parse",
    "quoted",
    "read_configuration",
]
