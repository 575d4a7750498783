"""What somebody writes into a file while a script edits one line of it, or replaces it, is not lost."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from faulty_programs import shim
from interleaved import EDITS, THEIRS, Interleaving
from kept_roots import Kept
from pretend_root import DATA, FILES, SYSCTL_FILE, PretendRoot, make_bundle, make_root
from small_bundles import small_bundle
from small_host import host_bundle, put_program
from small_plans import small_facts
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Absent
from tunewiz.kinds.swap import SwapFile

CONF = f"{DATA}/postgresql.conf"
INCLUDED = "include = 'zz-tunewiz.conf'"
LISTED = "/swapfile none swap sw 0 0"
NOBODY = 65534
OWN = "# the machine's own\nport = 5433\n"
FSTAB = "# the machine's own\n/dev/sda1 / ext4 defaults 0 1\n"
SWAP_ON = 'printf \'%s file 1024 0 -2\\n\' "${1#"$TUNEWIZ_ROOT"}" >>"$TUNEWIZ_ROOT/proc/swaps"\n'
SWAP_OFF = ': >"$TUNEWIZ_ROOT/proc/swaps"\n'


def include_line(directory: Path) -> tuple[PretendRoot, Path]:
    """postgresql.conf, which gets one line."""
    facts = small_facts(
        Given(major="17", settings={"allow_alter_system": "off"}), include_directory=Absent("no include_dir")
    )
    machine = make_root(directory, {**FILES, f"{DATA}/PG_VERSION": "17\n", CONF: OWN})
    return machine, small_bundle(directory / "bundle", {"pg.work_mem": "24MB"}, facts=facts)


def fstab_line(directory: Path) -> tuple[PretendRoot, Path]:
    """/etc/fstab, which gets one line."""
    machine = make_root(directory, {**FILES, "/etc/fstab": FSTAB, "/proc/swaps": ""})
    put_program(machine, "mkswap", "#!/bin/sh\n")
    put_program(machine, "swapon", f"#!/bin/sh\n{SWAP_ON}")
    put_program(machine, "swapoff", f"#!/bin/sh\n{SWAP_OFF}")
    return machine, host_bundle(directory / "bundle", SwapFile(path="/swapfile", mebibytes=1))


MACHINES = {CONF: (include_line, INCLUDED, OWN), "/etc/fstab": (fstab_line, LISTED, FSTAB)}
CASES = [
    Interleaving(file=file, edit=edit, exchanges=exchanges)
    for file in MACHINES
    for edit in EDITS
    for exchanges in (True, False)
]


def first(calls: Iterator[int], drawn: int | None) -> Iterator[int]:
    """All calls, or each so-and-so-many."""
    return (at for at in calls if drawn is None or at % drawn == 1)


def is_last_gap(call: str, case: Interleaving) -> bool:
    """Whether an older mv replaces, unseen, what came under the name after it was started."""
    return call.startswith("mv -T /") and not case.exchanges and case.edit == "replaced"


def apply_at_each_call(case: Interleaving, directory: Path, every: int | None) -> set[str]:
    """Applies while the edit is made at each call; which calls those were."""
    make, line, before = MACHINES[case.file]
    machine, bundle = make(directory / "machine")
    unapplied = Kept(machine.root.parent)
    calls: set[str] = set()
    for at in first(count(1), every):
        unapplied.put_back()
        ran, call = case.run(machine, bundle / "apply.sh", at)
        if not call:
            assert ran.status == 0, ran.said
            return calls
        calls.add(call.split()[0])
        if not is_last_gap(call, case):
            assert THEIRS in machine.read(case.file), (call, ran.said)
        assert ran.status == 0, (call, ran.said)
        assert sorted(machine.read(case.file).splitlines()) == sorted(
            {*before.splitlines(), line, *machine.read(case.file).count(THEIRS) * (THEIRS,)}
        )
        assert not list(machine.path(case.file).parent.glob(".*tunewiz*"))
    return calls


def roll_back_at_each_call(case: Interleaving, directory: Path, every: int | None) -> set[str]:
    """Rolls back while the edit is made at each call; which calls those were."""
    make, line, before = MACHINES[case.file]
    machine, bundle = make(directory / "machine")
    assert machine.run(bundle / "apply.sh").status == 0
    applied = Kept(machine.root.parent)
    calls: set[str] = set()
    for at in first(count(1), every):
        applied.put_back()
        ran, call = case.run(machine, bundle / "rollback.sh", at)
        if not call:
            assert (ran.status, machine.read(case.file)) == (0, before)
            return calls
        calls.add(call.split()[0])
        if not is_last_gap(call, case):
            assert machine.read(case.file) == f"{before}{THEIRS}\n", (call, ran.said)
        assert ran.status == 0, (call, ran.said)
        assert line not in machine.read(case.file)
        assert not list(machine.path(case.file).parent.glob(".*tunewiz*"))
    return calls


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case_138_a_line_that_is_added_while_ours_is_survives(case: Interleaving, tmp_path: Path) -> None:
    assert "dd" in apply_at_each_call(case, tmp_path, 11)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case_138_a_line_that_is_added_while_ours_is_taken_out_survives(
    case: Interleaving, tmp_path: Path
) -> None:
    assert "dd" in roll_back_at_each_call(case, tmp_path, 11)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.timeout(600)
def test_case_138_at_each_call_of_a_program(case: Interleaving, tmp_path: Path) -> None:
    for act in (apply_at_each_call, roll_back_at_each_call):
        directory = tmp_path / act.__name__
        directory.mkdir()
        assert {"dd", "mv", "sync", "sha256sum"} <= act(case, directory, None)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has another user write the file")
@pytest.mark.parametrize("edit", EDITS)
def test_case_138_a_line_that_the_servers_owner_adds_while_his_file_is_edited_survives(edit: str) -> None:
    with TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o755)
        machine, bundle = include_line(directory)
        for path in (machine.path(DATA), *machine.path(DATA).rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        once, change = (
            machine.path(f"{DATA}/was-edited"),
            EDITS[edit].replace("FILE", str(machine.path(CONF))),
        )
        new = "*/.postgresql.conf.tunewiz-new"
        shim(
            machine,
            "sync",
            f'case $1 in {new}) [ -e {once} ] || {{ : >{once}; {change}; }} ;; esac\nexec /bin/sync "$@"',
        )
        ran = machine.run(bundle / "apply.sh")
        assert (ran.status, once.exists()) == (0, True), ran.said
        assert machine.read(CONF) == f"{OWN}{THEIRS}\n{INCLUDED}\n"
        assert machine.path(CONF).stat().st_uid == NOBODY
        once.unlink()
        assert machine.run(bundle / "rollback.sh").status == 0
        assert machine.read(CONF) == f"{OWN}{THEIRS}\n{THEIRS}\n"


@pytest.mark.parametrize("edit", EDITS)
def test_case_138_a_drop_in_that_somebody_edits_while_it_is_taken_away_is_kept(
    edit: str, tmp_path: Path
) -> None:
    machine, bundle = make_root(tmp_path), make_bundle(tmp_path / "bundle")
    assert machine.run(bundle / "apply.sh").status == 0
    file = machine.path(SYSCTL_FILE)
    change = EDITS[edit].replace("FILE", str(file))
    shim(machine, "mv", f'case "$*" in *{SYSCTL_FILE}*tunewiz-new) {change} ;; esac\nexec /bin/mv "$@"')
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, SYSCTL_FILE in ran.err) == (5, True), ran.said
    assert THEIRS in file.read_text()
    machine.path("/usr/bin/mv").unlink()
    assert machine.run(bundle / "rollback.sh").status == 4
    assert THEIRS in file.read_text()


@pytest.mark.parametrize("at", ["start", "middle", "end"])
def test_case_138_no_byte_of_an_edited_file_is_dropped(at: str, tmp_path: Path) -> None:
    machine, bundle = include_line(tmp_path)
    odd = {"start": b"\0# a\nport = 1\n", "middle": b"# a\0b\n\n\0\nport = 1\n", "end": b"port = 1\n# \0"}[at]
    machine.path(CONF).write_bytes(odd)
    assert machine.run(bundle / "apply.sh").status == 0
    ended = odd if odd.endswith(b"\n") else odd + b"\n"
    assert machine.path(CONF).read_bytes() == ended + f"{INCLUDED}\n".encode()
    machine.path(CONF).write_bytes(machine.path(CONF).read_bytes() + b"\0 more\n")
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.path(CONF).read_bytes() == ended + b"\0 more\n"
