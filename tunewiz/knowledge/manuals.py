"""Where PostgreSQL's and the kernel's own manuals describe a setting."""

from __future__ import annotations

from functools import cache

from tunewiz.core.recommendation.targets import (
    AdviceTarget,
    HostTarget,
    PgTarget,
    SysctlTarget,
    SysfsTarget,
    Target,
)
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.profiles import read_record

POSTGRES, KERNEL = "https://www.postgresql.org/docs", "https://docs.kernel.org"
VACUUM_TOGETHER = Major.parse("18")
"""From this version on, one page describes vacuum and autovacuum."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PostgresPage:
    """A page of PostgreSQL's manual, and the settings on it."""

    page: str
    page_from_18: str = ""
    """The name of the page since version 18, if it has another."""
    settings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class KernelPage:
    """Where the kernel's manual describes one value."""

    of: str
    """The name under /proc/sys, or the path under /sys."""
    page: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Manuals:
    """The content of profiles/help/manuals.toml."""

    postgres: tuple[PostgresPage, ...]
    kernel: tuple[KernelPage, ...]


@cache
def load_manuals() -> Manuals:
    """All pages."""
    return read_record(Manuals, "help", "manuals.toml")


def manual_pages(target: Target, major: Major) -> tuple[str, ...]:
    """The addresses of the pages about it, for that major version; none where no manual has one."""
    match target:
        case PgTarget(name=name):
            pages = (
                postgres_page for postgres_page in load_manuals().postgres if name in postgres_page.settings
            )
            return tuple(f"{POSTGRES}/{major}/{_page(page, major)}.html#{_anchor(name)}" for page in pages)
        case SysctlTarget(name=name) | SysfsTarget(name=name):
            return tuple(
                f"{KERNEL}/{kernel_page.page}"
                for kernel_page in load_manuals().kernel
                if kernel_page.of == name
            )
        case HostTarget() | AdviceTarget():
            return ()


def _page(page: PostgresPage, major: Major) -> str:
    return page.page_from_18 if page.page_from_18 and major >= VACUUM_TOGETHER else page.page


def _anchor(setting: str) -> str:
    return f"GUC-{setting.upper().replace('_', '-')}"
