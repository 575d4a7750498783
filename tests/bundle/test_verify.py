"""verify.sh names what is not as planned, for people and for programs."""

import hashlib
import json

import pytest

from faulty_programs import kill_at
from fixtures_bundles import MakeBundle
from pretend_root import DROP_IN, SYSCTL_FILE, PretendRoot
from small_plans import THP

VERIFIED = {
    "a value that was changed": ("/proc/sys/vm/dirty_bytes", "4096\n", "vm.dirty_bytes"),
    "a word that was changed": (THP, "[always] madvise never\n", THP),
    "a drop-in that was changed": (
        SYSCTL_FILE,
        "vm.dirty_bytes = 1\nvm.nr_hugepages = 64\n",
        "vm.dirty_bytes",
    ),
    "a later file that wins": ("/etc/sysctl.d/99-a.conf", "vm.dirty_ratio = 5\n", "99-a.conf"),
    "a later file that wins over the last": ("/etc/sysctl.d/99-a.conf", "vm.nr_hugepages=5", "99-a.conf"),
    "an earlier file that wins": ("/etc/tmpfiles.d/a.conf", f"w {THP} - - - - always\n", "a.conf"),
    "a setting that was taken out": (DROP_IN, "shared_buffers = '256MB'\n", "work_mem"),
}


@pytest.mark.parametrize("case", VERIFIED)
def test_verify_names_what_differs(case: str, machine: PretendRoot, bundled: MakeBundle) -> None:
    path, content, named = VERIFIED[case]
    made = bundled()
    machine.run(made / "apply.sh")
    machine.write(path, content)
    before = machine.tree()
    ran = machine.run(made / "verify.sh")
    assert ran.status == 1
    differing = [line for line in ran.out.splitlines() if line.startswith("DIFFERS")]
    assert len(differing) == 1
    assert named in differing[0]
    assert ran.out.count("overrides it at the next boot") == named.endswith("a.conf")
    assert machine.tree() == before


def test_verify_tells_programs_in_json(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    machine.write("/proc/sys/vm/nr_hugepages", '1"\\\n')
    ran = machine.run(made / "verify.sh", "--json")
    assert ran.status == 1
    loads = json.loads(ran.out)
    assert (loads["schema"], loads["journal"], loads["as_planned"]) == (1, "applied", False)
    items = {value["name"]: value for value in loads["items"]}
    assert items["vm.nr_hugepages"]["running"] == '1"\\'
    assert [name for name, value in items.items() if not value["as_planned"]] == ["vm.nr_hugepages"]
    assert all(value["survives_reboot"] for value in items.values())


def test_verify_tells_programs_everything_it_knows_of_an_item(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled({"kernel.swappiness": "10", "kernel.nr_hugepages": "64", "pg.work_mem": "24MB"})
    machine.run(made / "apply.sh")
    machine.write(SYSCTL_FILE, "vm.swappiness = 10\nvm.nr_hugepages = 65\n")
    loads = json.loads(machine.run(made / "verify.sh", "--json").out)
    assert loads == {
        "schema": 1,
        "bundle": hashlib.sha256((made / "SHA256SUMS").read_bytes()).hexdigest()[:16],
        "journal": "applied",
        "confirmation": "none",
        "items": [
            item("sysctl", "vm.nr_hugepages", "64", configured="65", **{"from": SYSCTL_FILE}),
            item("sysctl", "vm.swappiness", "10", **{"from": SYSCTL_FILE}),
            item("setting", "work_mem", "24576", running=None, remark="the server is down"),
        ],
        "as_planned": False,
    }


def item(kind: str, name: str, planned: str, **known: str | None) -> dict[str, object]:
    """As verify.sh tells of one that is as planned, but for what is given."""
    result = {
        "planned": planned,
        "running": planned,
        "configured": planned,
        "from": None,
        "remark": None,
    } | known
    return {
        "kind": kind,
        "name": name,
        **result,
        "pending_restart": False,
        "as_planned": result["running"] in {planned, None},
        "survives_reboot": result["configured"] == planned,
    }


def test_verify_tells_people_each_item_on_a_line_and_where_the_bundle_stands(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled({"kernel.swappiness": "10", "pg.work_mem": "24MB"})
    swap = f"DIFFERS     vm.swappiness: planned 10, running 60, configured not in {SYSCTL_FILE}"
    memory = "DIFFERS     work_mem: planned 24MB, running not known, configured not (the server is down)"
    ran = machine.run(made / "verify.sh")
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines() == [swap, memory, "0 of 2 as planned", "This bundle was not applied here."]
    kill_at(machine, made / "apply.sh", "done", "file|postgres")
    ran = machine.run(made / "verify.sh")
    assert ran.status == 0, ran.said
    assert ran.out.splitlines() == [
        "as planned  vm.swappiness: 10, also after a reboot",
        "as planned  work_mem: 24MB (the server is down)",
        "2 of 2 as planned; what runs could not be compared for 1",
        f"apply.sh is running, or was cut off. If cut off, roll it back: sh {made}/rollback.sh",
    ]
    assert machine.run(made / "apply.sh").status == 0
    assert machine.run(made / "verify.sh").out.splitlines() == ran.out.splitlines()[:3]
    assert machine.run(made / "rollback.sh").status == 0
    ran = machine.run(made / "verify.sh")
    assert ran.out.splitlines()[-1] == "This bundle was applied here, and rolled back."


def test_verify_on_another_machine_says_so(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    machine.write("/etc/machine-id", "f" * 32 + "\n")
    ran = machine.run(made / "verify.sh")
    assert ran.status == 1
    assert "another one" in ran.err
