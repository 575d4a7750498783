"""verify.sh names what is not as planned, for people and for programs."""

import json

import pytest

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
    assert machine.tree() == before


def test_verify_tells_programs_in_json(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    machine.write("/proc/sys/vm/nr_hugepages", '1"\\\n')
    ran = machine.run(made / "verify.sh", "--json")
    assert ran.status == 1
    told = json.loads(ran.out)
    assert (told["schema"], told["journal"], told["as_planned"]) == (1, "applied", False)
    items = {each["name"]: each for each in told["items"]}
    assert items["vm.nr_hugepages"]["running"] == '1"\\'
    assert [name for name, each in items.items() if not each["as_planned"]] == ["vm.nr_hugepages"]
    assert all(each["survives_reboot"] for each in items.values())


def test_verify_on_another_machine_says_so(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    machine.write("/etc/machine-id", "f" * 32 + "\n")
    ran = machine.run(made / "verify.sh")
    assert ran.status == 1
    assert "another one" in ran.err
