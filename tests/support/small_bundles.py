"""Bundles of a few changes, written for a pretend root, and what they put in force there."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from pretend_root import DATA, DROP_IN, SYSCTL_FILE, TMPFILES_FILE, PretendRoot
from small_plans import THP, WANTED, small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json


def small_bundle(directory: Path, wanted: Mapping[str, str] = WANTED, *, facts: Facts | None = None) -> Path:
    """The bundle that puts the wanted values in force on a pretend root."""
    result = facts or small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))
    return bundle_of(small_plan(result, wanted), directory)


def bundle_of(plan: Plan, directory: Path) -> Path:
    """A plan's bundle."""
    facts_json = facts_to_json(plan.start.facts)
    write_bundle(plan, directory, facts_json, answers_to_toml(small_answers()))
    return directory


def give_up_after(bundle: Path, seconds: int) -> None:
    """Scripts that wait only so long for a server, in a bundle that is whole all the same."""
    script, sums = bundle / "lib" / "restart.sh", bundle / "SHA256SUMS"
    was = script.read_bytes()
    now = was.replace(b"SECONDS_TO_START=600", b"SECONDS_TO_START=%d" % seconds)
    assert now != was
    script.write_bytes(now)
    old, new = (hashlib.sha256(data).hexdigest() for data in (was, now))
    sums.write_text(sums.read_text().replace(old, new))


def reword(bundle: Path, old: str, new: str) -> None:
    """Another word in the plan's data, in a bundle that is whole all the same."""
    steps, sums = bundle / "steps.txt", bundle / "SHA256SUMS"
    was = hashlib.sha256(steps.read_bytes()).hexdigest()
    steps.write_text(steps.read_text().replace(old, new))
    sums.write_text(sums.read_text().replace(was, hashlib.sha256(steps.read_bytes()).hexdigest()))


def in_force(machine: PretendRoot) -> dict[str, str]:
    """What the small plan changes, as it is now."""
    values = {name: machine.read(f"/proc/sys/vm/{name}").strip() for name in ("dirty_bytes", "dirty_ratio")}
    drop_ins = {path: machine.path(path).exists() for path in (SYSCTL_FILE, TMPFILES_FILE, DROP_IN)}
    return {**values, "thp": machine.read(THP).strip(), "drop-ins": str(set(drop_ins.values()))}


AS_PLANNED = {
    "dirty_bytes": "536870912",
    "dirty_ratio": "0",
    "thp": "always madvise [never]",
    "drop-ins": "{True}",
}
