"""What the clients do in a run: pgbench's built-in scripts or custom ones, and whether they write."""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType

from tunewiz.bench.mix import Mix
from tunewiz.bench.options import BenchOptions
from tunewiz.bundle.manifest import digest_of
from tunewiz.collect.system import regular_content
from tunewiz.core.proof.proof import ProofScript
from tunewiz.core.values.errors import InputError

READS = "select-only"
USUAL = "tpcb-like"
MOST_BYTES = 1_000_000
_WRITES = re.compile(
    r"\b(insert|update|delete|merge|truncate|copy|create|drop|alter|call|do|nextval|setval|lock|vacuum"
    r"|reindex|cluster|refresh|into)\b",
    re.IGNORECASE,
)
"""Words of statements that may write; a function that writes is missed, and its run is then too short."""


def typed_mix(options: BenchOptions) -> Mix:
    """Pgbench's own script, or the files that were named; raises InputError for one that cannot be read."""
    if not options.scripts:
        name = options.builtin or USUAL
        return Mix(source="builtin", scripts=(ProofScript(name=name, weight=1, writes=name != READS),))
    # Generated names: pgbench reads weights from names, and a typed one may contain anything.
    contents = {
        f"script-{number}.sql": content_of(file) for number, (file, _) in enumerate(options.scripts, 1)
    }
    weights = (weight for _, weight in options.scripts)
    scripts = (_own(name, contents[name], weight) for name, weight in zip(contents, weights, strict=True))
    return Mix(source="scripts", scripts=tuple(scripts), contents=MappingProxyType(contents))


def _own(name: str, content: bytes, weight: int) -> ProofScript:
    return ProofScript(
        name=name,
        weight=weight,
        writes=_WRITES.search(content.decode(errors="replace")) is not None,
        digest=digest_of(content),
    )


def content_of(file: Path) -> bytes:
    """A script; raises InputError."""
    try:
        content = regular_content(str(file))
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
    if not content.strip() or len(content) > MOST_BYTES:
        raise InputError(f"{file}: found {len(content):,} bytes, expected a pgbench script")
    return content
