"""Bundles that follow one another on a pretend root: each is written for the values of its own time."""

import dataclasses
import hashlib
from collections.abc import Mapping
from pathlib import Path

from pretend_root import DATA, PretendRoot
from small_bundles import small_bundle
from small_plans import THP, small_facts, with_settings
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Setting
from tunewiz.core.values.known import Known


def id_of(bundle: Path) -> str:
    """As the scripts form it."""
    return hashlib.sha256((bundle / "SHA256SUMS").read_bytes()).hexdigest()[:16]


def facts_of_machine(machine: PretendRoot, settings: Mapping[str, str] | None = None) -> Facts:
    """The small machine as it stands; settings of the server, which does not run, as given."""
    result = small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))
    values: dict[str, int | str] = {
        f"vm.{file.name}": int(file.read_text()) for file in machine.path("/proc/sys/vm").iterdir()
    }
    values["thp.enabled"] = machine.read(THP).partition("[")[2].partition("]")[0]
    known = {name: Known(value, "test") for name, value in values.items()}
    kernel = dataclasses.replace(result.kernel, settings={**result.kernel.settings, **known})

    changed = {name: Setting(value=value, unit="kB") for name, value in (settings or {}).items()}
    servers = tuple(with_settings(server, **changed) for server in result.postgres)
    return dataclasses.replace(result, kernel=kernel, postgres=servers)


def next_bundle(machine: PretendRoot, name: str, wanted: Mapping[str, str]) -> Path:
    """A bundle beside the machine, for the values that are there by now."""
    return small_bundle(machine.root.parent / name, wanted, facts=facts_of_machine(machine))


def applied(machine: PretendRoot, name: str, wanted: Mapping[str, str], *options: str) -> Path:
    """The same, put in force."""
    bundle = next_bundle(machine, name, wanted)
    ran = machine.run(bundle / "apply.sh", *options)
    assert (ran.status, ran.err) == (0, "")
    return bundle


def give_script(bundle: Path, line: str) -> None:
    """One more line in rollback.sh before it begins, in a bundle that is whole all the same."""
    script, sums = bundle / "rollback.sh", bundle / "SHA256SUMS"
    was = hashlib.sha256(script.read_bytes()).hexdigest()
    head, main, rest = script.read_text().rpartition("\nmain ")
    script.write_text(f"{head}\n{line}{main}{rest}")
    sums.write_text(sums.read_text().replace(was, hashlib.sha256(script.read_bytes()).hexdigest()))
