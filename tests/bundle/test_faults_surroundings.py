"""What a script finds around it: an environment of someone's making, programs that are missing."""

import dataclasses
import os
import re
from pathlib import Path

import pytest

from faulty_programs import shim
from pretend_root import FILES, PretendRoot, make_bundle, make_root
from small_plans import THP

HOSTILE = {
    "IFS": "/.0",
    "CDPATH": "/var:/",
    "GREP_OPTIONS": "--invert-match",
    "POSIXLY_CORRECT": "1",
    "LC_ALL": "tr_TR.UTF-8",
    "TMPDIR": "/nowhere",
    "DRY": "1",
    "STATE": "/nowhere",
    "OWN": "/nowhere",
    "KEPT": "/nowhere",
    "MINUTES": "5",
    "NOT_RESTORED": "x",
}
ASSIGNED = re.compile(r"(?:^|[\s;({])([A-Za-z_]\w*)=", re.MULTILINE)
PROGRAMS = (
    "cat",
    "chmod",
    "cp",
    "cut",
    "mkdir",
    "mv",
    "readlink",
    "rm",
    "sha256sum",
    "stat",
    "sync",
    "tr",
    "wc",
)


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    return make_root(tmp_path)


def names_of(bundle: Path) -> set[str]:
    """What the scripts call their own variables, and some words more."""
    scripts = (*bundle.glob("*.sh"), *bundle.glob("lib/*.sh"))
    names = {name for script in scripts for name in ASSIGNED.findall(script.read_text())}
    return {name for name in names if name != "PATH" and not name.startswith("TUNEWIZ_")}


@pytest.mark.parametrize("mask", ["000", "077"])
def test_case_69_an_environment_of_someones_making_changes_nothing(
    mask: str, machine: PretendRoot, tmp_path: Path
) -> None:
    bundle, before = make_bundle(tmp_path / "bundle"), machine.tree()
    machine.run(bundle / "apply.sh")
    usual = machine.tree()
    assert machine.run(bundle / "rollback.sh").status == 0
    startup = tmp_path / "startup"
    startup.write_text(f"alias mv=false\nrm() {{ false; }}\ntrue >'{tmp_path}/was-read'\n")
    shell = ("sh", "-c", f'umask {mask}; exec sh "$@"', "sh")
    environment = {
        **dict.fromkeys(names_of(bundle), "99"),
        **HOSTILE,
        "ENV": str(startup),
        "BASH_ENV": str(startup),
    }
    odd = dataclasses.replace(machine, shell=shell, environment=environment)
    ran = odd.run(bundle / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert machine.tree() == usual
    ran = odd.run(bundle / "verify.sh")
    assert (ran.status, ran.err) == (0, "")
    ran = odd.run(bundle / "rollback.sh")
    assert (ran.status, ran.err) == (0, "")
    assert machine.tree() == before


def test_case_47_what_a_killed_run_had_not_reached_is_not_taken_for_ours(
    machine: PretendRoot, tmp_path: Path
) -> None:
    bundle, before = make_bundle(tmp_path / "bundle"), machine.tree()
    killing = 'case "$*" in *90-tunewiz*) kill -9 $PPID ;; esac'
    machine.write("/usr/bin/mv", f'#!/bin/sh\n{killing}\nexec /bin/mv "$@"\n')
    machine.path("/usr/bin/mv").chmod(0o755)
    assert machine.run(bundle / "apply.sh").status < 0
    for made in ("/usr/bin/mv", "/usr/bin", "/usr"):
        machine.path(made).unlink() if made.endswith("mv") else machine.path(made).rmdir()
    # By chance the value that was planned, and set by someone else.
    machine.write(THP, "always madvise [never]\n")
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, f"left alone, changed by someone else since: {THP}" in ran.err) == (4, True), ran.said
    assert machine.read(THP) == "always madvise [never]\n"
    machine.write(THP, FILES[THP])
    assert machine.tree() == before


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_case_69_a_program_that_is_missing_leaves_nothing_behind(program: str, tmp_path: Path) -> None:
    bundle, machine = make_bundle(tmp_path / "bundle"), make_root(tmp_path)
    before = machine.tree()
    machine.write(f"/usr/bin/{program}", "#!/bin/sh\nexit 127\n")
    machine.path(f"/usr/bin/{program}").chmod(0o755)
    ran = machine.run(bundle / "apply.sh")
    machine.path(f"/usr/bin/{program}").unlink()
    machine.path("/usr/bin").rmdir()
    machine.path("/usr").rmdir()
    if ran.status == 0:
        assert machine.run(bundle / "verify.sh").status == 0, ran.said
    assert machine.run(bundle / "rollback.sh").status in {0, 3}, ran.said
    assert machine.tree() == before, ran.said


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh", "verify.sh"])
def test_programs_of_the_login_are_not_run(script: str, machine: PretendRoot, tmp_path: Path) -> None:
    bundle, login = make_bundle(tmp_path / "bundle"), tmp_path / "login"
    login.mkdir()
    if script != "apply.sh":
        machine.run(bundle / "apply.sh")
    for program in PROGRAMS:
        (login / program).write_text(
            f"#!/bin/sh\necho {program} >>'{tmp_path}/was-run'\nexec /bin/{program} \"$@\"\n"
        )
        (login / program).chmod(0o755)
    ran = dataclasses.replace(machine, environment={"PATH": f"{login}:{os.environ['PATH']}"}).run(
        bundle / script
    )
    assert ran.status == 0
    assert not (tmp_path / "was-run").exists()


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh", "verify.sh"])
def test_programs_speak_one_language_whatever_the_login_speaks(
    script: str, machine: PretendRoot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = make_bundle(tmp_path / "bundle")
    if script != "apply.sh":
        machine.run(bundle / "apply.sh")
    shim(machine, "stat", f'echo "${{LC_ALL-none}}" >>"{tmp_path}/spoken"\nexec /bin/stat "$@"')
    monkeypatch.delenv("LC_ALL")
    monkeypatch.setenv("LANG", "tr_TR.UTF-8")
    assert machine.run(bundle / script).status == 0
    assert set((tmp_path / "spoken").read_text().splitlines()) == {"C"}


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh", "verify.sh"])
def test_a_bundle_that_is_named_from_where_one_stands_is_found_there_and_nowhere_else(
    script: str, machine: PretendRoot, tmp_path: Path
) -> None:
    bundle = make_bundle(tmp_path / "bundle")
    if script != "apply.sh":
        machine.run(bundle / "apply.sh")
    (tmp_path / "elsewhere" / "bundle").mkdir(parents=True)
    shell = ("sh", "-c", f"cd '{tmp_path}' && exec sh \"$@\"", "sh")
    environment = {"CDPATH": str(tmp_path / "elsewhere")}
    there = dataclasses.replace(machine, shell=shell, environment=environment)
    assert there.run(Path("bundle") / script).status == 0
