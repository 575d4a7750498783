"""Names of the targets of a bundle, for the command line."""

from __future__ import annotations

from typing import Literal, TypeAlias

KeptTarget: TypeAlias = Literal[
    "patroni", "cloudnativepg", "pgo", "percona", "zalando", "stackgres", "kubeblocks", "autobase"
]
"""Targets that manage a server's configuration themselves: its keepers."""
TargetName: TypeAlias = Literal["host", KeptTarget]
