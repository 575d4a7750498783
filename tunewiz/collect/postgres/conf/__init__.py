"""postgresql.conf as the server reads it, and values as it wants them written."""

from tunewiz.collect.postgres.conf.lines import Broken, Plain, parse
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
    "Broken",
    "Configuration",
    "IncludedDirectory",
    "Plain",
    "Problem",
    "parse",
    "quoted",
    "read_configuration",
]
