"""The files that a bundle installs, as they will be on the machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tunewiz.bundle.placement import Placement
from tunewiz.collect.postgres.conf import quoted
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.kinds.sysctl import SYSCTL_FILE
from tunewiz.kinds.sysfs import TMPFILES_FILE

HEADER = "# Put here by a tunewiz bundle, whose REVIEW.md says why; its rollback.sh takes it away."
"""The first line, by which the scripts know their own files (files.sh)."""


def drop_ins(placement: Placement) -> Mapping[str, bytes]:
    """Content by absolute path; files without content are left out."""
    lines = {
        SYSCTL_FILE: [sysctl.line for sysctl in placement.sysctls],
        TMPFILES_FILE: [choice.line for choice in placement.choices],
    }
    for placed in placement.host:
        for file in placed.action.files(placement.cluster):
            lines.setdefault(file.path, []).extend(file.lines)
    if isinstance(placement.cluster, Cluster) and placement.cluster.drop_in:
        settings = placement.settings_in("dropin")
        lines[placement.cluster.drop_in] = [
            f"{setting.name} = {quoted(setting.text)}" for setting in settings
        ]
    return {path: _content(line) for path, line in lines.items() if line}


def _content(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in (HEADER, *lines)).encode()
