"""For whom a bundle can be written, by name: the command line needs no more."""

from __future__ import annotations

from typing import Literal, TypeAlias

KeptTarget: TypeAlias = Literal["patroni", "cloudnativepg", "pgo", "zalando", "autobase"]
"""What keeps a server's configuration in place of files."""
TargetName: TypeAlias = Literal["host", KeptTarget]
