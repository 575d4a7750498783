"""A bundle that is not whole, and words that the scripts do not know: nothing is begun."""

import dataclasses
import hashlib
import re

import pytest

from fixtures_bundles import MakeBundle
from pretend_root import PretendRoot


@pytest.mark.parametrize(
    "hurt", ["steps.txt", "lib/sysctl.sh", "apply.sh", "files/etc/sysctl.d/90-tunewiz.conf"]
)
def test_case_48_a_single_changed_byte_breaks_the_bundle(
    hurt: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    content = bytearray((made / hurt).read_bytes())
    content[-2] ^= 1
    (made / hurt).write_bytes(content)
    for script in {"apply.sh", "rollback.sh", "verify.sh"} - {hurt}:
        ran = machine.run(made / script)
        assert ran.status == 2
        assert "SHA256SUMS" in ran.err
    assert machine.tree() == before


def test_case_48_a_bundle_that_lost_a_line_of_its_checksums_is_not_whole(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    sums = (made / "SHA256SUMS").read_text().splitlines(keepends=True)
    (made / "SHA256SUMS").write_text("".join(sums[1:]))
    assert machine.run(made / "apply.sh").status == 2


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh", "verify.sh"])
def test_an_unknown_argument_is_refused_with_the_usage(
    script: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    ran = machine.run(bundled() / script, "--force")
    assert ran.status == 2
    assert "usage:" in ran.err


def test_a_state_directory_of_no_absolute_path_is_refused(machine: PretendRoot, bundled: MakeBundle) -> None:
    here = dataclasses.replace(machine, environment={"TUNEWIZ_STATE_DIR": "state"})
    assert here.run(bundled() / "apply.sh").status == 2


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh", "verify.sh"])
def test_help_is_given_and_nothing_else(script: str, machine: PretendRoot, bundled: MakeBundle) -> None:
    made, before = bundled(), machine.tree()
    ran = machine.run(made / script, "--help")
    assert (ran.status, ran.out.startswith("usage:"), ran.err) == (0, True, "")
    assert machine.tree() == before
    assert not machine.state.exists()


def test_the_usage_names_everything_that_apply_can_be_asked_for(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    options = re.findall(r"^ +(--[a-z-]+)\)", (made / "lib" / "arguments.sh").read_text(), re.MULTILINE)
    out = machine.run(made / "apply.sh", "--help").out
    assert [option for option in options if f"[{option}" not in out and f"| {option}" not in out] == [
        "--help"
    ]


@pytest.mark.parametrize("root", ["root", "/nowhere"])
def test_a_pretend_root_that_is_no_directory_is_refused(
    root: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    elsewhere = dataclasses.replace(machine, environment={"TUNEWIZ_ROOT": root})
    made, before = bundled(), machine.tree()
    for script in ("apply.sh", "rollback.sh", "verify.sh"):
        ran = elsewhere.run(made / script)
        assert (ran.status, "TUNEWIZ_ROOT" in ran.err) == (2, True)
    assert machine.tree() == before


STEPS = {
    "another format": ("tunewiz|1|", "tunewiz|2|"),
    "a kind that is not known": ("sysctl|vm.nr_hugepages", "magic|vm.nr_hugepages"),
}


@pytest.mark.parametrize("case", STEPS)
def test_a_plan_that_the_scripts_do_not_understand_is_refused_though_it_is_whole(
    case: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    steps, sums = made / "steps.txt", made / "SHA256SUMS"
    old = hashlib.sha256(steps.read_bytes()).hexdigest()
    steps.write_text(steps.read_text().replace(*STEPS[case]))
    sums.write_text(sums.read_text().replace(old, hashlib.sha256(steps.read_bytes()).hexdigest()))
    for script in ("apply.sh", "rollback.sh", "verify.sh"):
        ran = machine.run(made / script)
        assert (ran.status, "steps.txt" in ran.err) == (2, True)
    assert machine.tree() == before
