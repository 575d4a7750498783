"""The bundles of a history: of kernel and server, planned on what that one leaves, and apart from both."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from history_machine import BASE
from history_truth import DROP_IN, SWAPPINESS, SYSCTL_FILE, Truth, auto_line, canonical, gives
from pretend_root import Entry
from real_postgres import Cluster
from small_bundles import bundle_of
from small_plans import small_facts, small_plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Absent, Known

Way = Literal["drop-in", "ALTER SYSTEM"]
Name = Literal["first", "upon", "apart"]

WANTED: Final[Mapping[Name, Mapping[str, str]]] = MappingProxyType(
    {
        "first": {"kernel.swappiness": "10", "pg.shared_buffers": "2MB", "pg.work_mem": "24MB"},
        "upon": {"pg.work_mem": "48MB"},
        "apart": {"pg.maintenance_work_mem": "32MB"},
    }
)
PLANNED_ON: Final[Mapping[Name, Mapping[str, str]]] = MappingProxyType(
    {"first": {}, "upon": {"work_mem": "24MB", "shared_buffers": "2MB"}, "apart": {}}
)
PLANNED_SWAPPINESS: Final = "10"


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryBundle:
    """A bundle, and all that it may change."""

    name: Name
    directory: Path
    way: Way
    settings: Mapping[str, str]
    """Values that pg_settings shows once they are in force."""
    changes_kernel: bool

    @property
    def cells(self) -> tuple[str, ...]:
        """What it changes and takes back by itself: paths, and lines of ALTER SYSTEM's file."""
        kernel = (SWAPPINESS, SYSCTL_FILE) if self.changes_kernel else ()
        lines = tuple(f"auto:{setting}" for setting in self.settings)
        return (*kernel, *((DROP_IN,) if self.way == "drop-in" else lines))

    def planned_settings(self, truth: Truth) -> bool:
        """Whether the files give every planned value."""
        configured = truth.configured
        return configured is not None and all(
            configured[name] == value for name, value in self.settings.items()
        )

    def planned_kernel(self, truth: Truth) -> bool:
        """Whether the kernel has the planned value, and will after a reboot."""
        if not self.changes_kernel:
            return True
        kept = gives(truth, SYSCTL_FILE, "vm.swappiness")
        return (truth.text(SWAPPINESS) or "").strip() == kept == PLANNED_SWAPPINESS


def cell(truth: Truth, name: str) -> Entry | str | None:
    """What stands there."""
    if name.startswith("auto:"):
        return auto_line(truth, name.removeprefix("auto:"))
    return truth.files.get(name)


def is_planned(bundle: HistoryBundle, truth: Truth, name: str) -> bool:
    """Whether a kernel value or a line is what the bundle puts there, whoever has written it."""
    if name == SWAPPINESS:
        return (truth.text(SWAPPINESS) or "").strip() == PLANNED_SWAPPINESS
    if name.startswith("auto:"):
        setting = name.removeprefix("auto:")
        line = auto_line(truth, setting)
        return line is not None and canonical(setting, line) == bundle.settings[setting]
    return False


def make_history_bundle(cluster: Cluster, directory: Path, name: Name, way: Way) -> HistoryBundle:
    """Written as the program writes it."""
    wanted = WANTED[name]
    has = {"shared_buffers": BASE["shared_buffers"], **PLANNED_ON[name]}
    facts = small_facts(
        Given(major=cluster.programs.major, settings=has),
        data_directory=Known("/data", "test"),
        config_file=Known("/data/postgresql.conf", "test"),
        include_directory=Known("/data/conf.d", "test") if way == "drop-in" else Absent("test"),
    )
    settings = {name.removeprefix("pg."): value for name, value in wanted.items() if name.startswith("pg.")}
    return HistoryBundle(
        name=name,
        directory=bundle_of(small_plan(facts, wanted), directory / f"{name}-{way.replace(' ', '-')}"),
        way=way,
        settings={name: canonical(name, value) for name, value in settings.items()},
        changes_kernel="kernel.swappiness" in wanted,
    )
