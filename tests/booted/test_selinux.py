"""A real bundle where SELinux enforces and confines the server that Debian's own service runs."""

import re

import pytest

from small_plans import small_answers
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan
from virtual_machine import VirtualMachine, virtual_machine

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("virtual"), pytest.mark.timeout(3000)]

FILES = (
    "find /etc -xdev -type f -not -name ld.so.cache -exec stat -c '%n %a %u %g %C' {} + -exec sha256sum {} +"
)
MISLABELED = "restorecon -n -v -R /etc /root /usr/local /usr/lib/systemd /var/lib"
DENIAL = re.compile(
    r"denied +\{([^}]*)\}.*? comm=(\S+).*? scontext=\S+?:(\w+):s0\S* tcontext=\S+?:(\w+):s0\S* tclass=(\w+)"
)


def denials(machine: VirtualMachine) -> set[tuple[str, ...]]:
    """What was denied, whom, since it was made; the policy's own troubles with a boot are among them."""
    told = machine.run("ausearch --input-logs -m AVC,USER_AVC,SELINUX_ERR --raw; dmesg").out
    return set(DENIAL.findall(told))


def files(machine: VirtualMachine) -> set[str]:
    """Content, mode, owner and label of every file of the configuration."""
    return set(machine.out_of(f"{FILES} | sort").splitlines())


def test_nothing_is_denied_or_mislabeled_from_apply_over_a_reboot_to_the_rollback() -> None:
    with virtual_machine() as machine:
        assert machine.out_of("getenforce") == "Enforcing\n"
        assert ":postgresql_t:" in machine.out_of("ps -eo label,args | grep '[c]heckpointer'")
        plan = make_plan(machine.facts(), small_answers(), load_knowledge())
        bundle = machine.put_bundle(plan)
        machine.reboot()
        before, mislabeled, denied = files(machine), machine.out_of(MISLABELED), denials(machine)
        assert denied, "no record of what is denied can be read: the policy denies something at each boot"

        applied = machine.run(f"sh {bundle}/apply.sh --confirm-within 30", seconds=900)
        assert applied.status in {0, 3}, applied.said
        assert machine.run(f"sh {bundle}/apply.sh --confirm").status in {0, 3}
        assert files(machine) != before
        assert machine.out_of(MISLABELED) == mislabeled
        machine.reboot()
        verified = machine.run(f"sh {bundle}/verify.sh")
        assert verified.status == 0, verified.said
        assert machine.out_of(MISLABELED) == mislabeled

        rolled_back = machine.run(f"sh {bundle}/rollback.sh", seconds=900)
        assert rolled_back.status in {0, 3}, rolled_back.said
        assert files(machine) == before
        assert machine.out_of(MISLABELED) == mislabeled
        assert denials(machine) - denied == set()
