"""postgresql.conf as the server reads it, and values as it wants them written."""

from tunewiz.collect.postgres.conf.lines import AssignmentLine, Broken, parse
from tunewiz.collect.postgres.conf.quoting import quoted
from tunewiz.collect.postgres.conf.reading import (
    Assignment,
    Configuration,
    IncludedDirectory,
    Problem,
    read_configuration,
)

__all__ = [
    "Assignment",
    "AssignmentLine",
    "Broken",
    "Configuration",
    "IncludedDirectory",
    "Problem",
    "parse",
    "quoted",
    "read_configuration",
]
