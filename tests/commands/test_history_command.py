"""`tunewiz history` from the command line: its list, one bundle, two compared; text, JSON and status."""

import io
import json
import re
import shlex
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from command_line import tunewiz
from fixtures_golden import Golden
from generations import applied, id_of
from pretend_root import PretendRoot
from tunewiz.cli import main

IDS = ("a" * 16, "b" * 16, "c" * 16)
Three = tuple[PretendRoot, tuple[Path, ...]]
TIME = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d UTC|T\d\d:\d\d:\d\dZ)")


@pytest.fixture
def three(with_systemd: PretendRoot) -> Three:
    """The middle one rolled back first, the last one not confirmed yet."""
    machine = with_systemd
    first = applied(machine, "first", {"kernel.swappiness": "10", "kernel.transparent_hugepage": "never"})
    middle = applied(machine, "middle", {"pg.work_mem": "24MB", "pg.shared_buffers": "256MB"})
    wanted = {"kernel.swappiness": "20", "kernel.dirty_bytes": "536870912"}
    last = applied(machine, "last", wanted, "--confirm-within", "10")
    assert machine.run(middle / "rollback.sh").status == 0
    return machine, (first, middle, last)


def history(machine: PretendRoot, *arguments: str) -> tuple[int, str]:
    """The command without a process of its own: its status, and what it printed."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8")
    with redirect_stdout(out), redirect_stderr(io.StringIO()) as complained:
        status = main(("history", "--state", str(machine.state), *arguments))
    assert complained.getvalue() == ""
    return status, raw.getvalue().decode()


def history_of(three: Three, *arguments: str) -> tuple[int, str]:
    machine, bundles = three
    named: dict[str, str] = dict(zip(IDS, map(id_of, bundles), strict=True))
    status, out = history(machine, *(named.get(argument, argument) for argument in arguments))
    general_text = out.replace(str(machine.root.parent), "/DIR")
    for name, actual in named.items():
        general_text = general_text.replace(actual, name)
    return status, TIME.sub("SOME TIME", general_text)


def test_the_list_one_bundle_and_two_compared_read_as_reviewed(three: Three, golden: Golden) -> None:
    first, middle, last = IDS
    shown = {
        arguments: history_of(three, *arguments)
        for arguments in ((), ("--last", "1"), (first,), (middle,), (last,), (first, last), (last, last))
    }
    pages = (
        f"$ tunewiz history {' '.join(arguments)}".rstrip() + f"\n{out}[{status}]\n"
        for arguments, (status, out) in shown.items()
    )
    golden("history/text.txt", "\n".join(pages))


def test_json_is_as_documented(three: Three, golden: Golden) -> None:
    first, _, last = IDS
    for name, arguments in (("list", ()), ("one", (first,)), ("two", (first, last))):
        _, out = history_of(three, *arguments, "--format", "json")
        assert json.loads(out)["schema"] == 1
        golden(f"history/{name}.json", out)


def test_the_command_that_is_told_leads_back(three: Three) -> None:
    machine, (first, _, last) = three
    _, out = history(machine, id_of(first), "--format", "json")
    (command,) = json.loads(out)["return"]["commands"]
    sudo, state, shell, script, *options = shlex.split(command)
    assert (sudo, state, shell) == ("sudo", f"TUNEWIZ_STATE_DIR={machine.state}", "sh")
    assert machine.run(Path(script), *options).status == 0
    assert machine.read("/proc/sys/vm/swappiness") == "10\n"
    _, out = history(machine, "--format", "json")
    stands = {one["id"]: one["stand"] for one in json.loads(out)["generations"]}
    assert (stands[id_of(first)], stands[id_of(last)]) == ("in force", "rolled back")


def test_the_start_of_an_id_is_enough_where_no_other_begins_so(three: Three) -> None:
    machine, (first, *_) = three
    whole, short = id_of(first), id_of(first)[:6]
    assert history(machine, short) == history(machine, whole)
    for typed in (whole[:3], f"{whole}.7"):
        ended = tunewiz("history", "--state", machine.state, typed)
        assert (ended.status, ended.out) == (2, "")
        assert f"found no bundle {typed!r} that was applied here" in ended.one_message


def test_a_bundle_that_was_applied_twice_has_both_in_the_list(machine: PretendRoot) -> None:
    bundle = applied(machine, "first", {"kernel.swappiness": "10"})
    machine.run(bundle / "rollback.sh")
    assert machine.run(bundle / "apply.sh").status == 0
    status, out = history(machine)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines() if "UTC" in line] == [
        id_of(bundle),
        f"{id_of(bundle)}.1",
    ]
    assert "rolled back" in history(machine, f"{id_of(bundle)}.1")[1]
    assert "in force" in history(machine, id_of(bundle)[:8])[1]


def test_where_nothing_was_applied_it_says_so(tmp_path: Path) -> None:
    ended = tunewiz("history", "--state", tmp_path / "none")
    assert (ended.status, ended.err) == (0, "")
    assert (
        " ".join(ended.out.split()) == f"No bundle was applied on this host: {tmp_path}/none has no records."
    )
    ended = tunewiz("history", "--state", tmp_path / "none", "--format", "json")
    assert json.loads(ended.out)["generations"] == []


def test_damaged_records_are_named_with_status_1_and_never_obeyed(machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    second = applied(machine, "second", {"pg.work_mem": "24MB"})
    (machine.state / id_of(first) / "journal").write_text("\x1b[2Jgibberish\n")
    (machine.state / id_of(second) / "kept" / "bundle").write_text("/nowhere/\x1b[31m\n")
    status, out = history(machine)
    assert (status, "\x1b" in out) == (1, False)
    assert "not known: its records are lost or damaged" in out
    assert "damaged: " in out
    assert "work_mem" in out
    status, out = history(machine, id_of(second))
    assert (status, "kept/bundle: is missing or was changed" in out) == (1, True)


def test_without_the_scripts_of_a_later_one_the_way_back_is_not_promised(machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    second = applied(machine, "second", {"pg.work_mem": "24MB"})
    name = id_of(second)
    shutil.rmtree(second)
    status, out = history(machine, id_of(first))
    assert (status, "rollback.sh" in out) == (0, False)
    assert f"scripts of {name} are no longer where they were" in " ".join(out.split())


@pytest.mark.parametrize(
    "arguments", [("a", "b", "c"), ("--last", "0"), ("--last", "x"), ("--format", "xml"), ("--state",)]
)
def test_wrong_usage_is_one_message(arguments: tuple[str, ...], tmp_path: Path) -> None:
    ended = tunewiz("history", *arguments, *(() if "--state" in arguments else ("--state", tmp_path)))
    assert (ended.status, ended.out) == (2, "")
    assert "Traceback" not in ended.err
