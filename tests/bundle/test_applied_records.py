"""What applied bundles have left is read as the scripts read it; what cannot be read is named."""

import os
import re
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faulty_programs import at_journal
from generations import applied, id_of, next_bundle
from pretend_root import PretendRoot, entries
from tunewiz.bundle.parts import parts
from tunewiz.bundle.recorded_journal import WORDS, read_journal
from tunewiz.bundle.recorded_steps import CARRIERS, ITEMS, keys_of_step, read_steps
from tunewiz.bundle.records import read_history
from tunewiz.bundle.steps import escaped
from tunewiz.core.generations.generation import Generation
from tunewiz.core.generations.in_force import standing_of
from tunewiz.core.values.errors import InputError
from tunewiz.formats.generations import AppliedBundles
from tunewiz.text.generations import history_text

SCRIPTS = "".join(path.read_text() for path in parts().values())
KINDS = sorted({
    *re.findall(r"^(?:do|keys|verify|plan)_([a-z]+)\(\)", SCRIPTS, re.MULTILINE),
    *("host", "cluster", "cron", "unheard"),
} - {"step", "of"})  # fmt: skip
"""Kinds of steps that the scripts know, and one that they do not."""
NOBODY = 65534

KEYS = """for part in base "$@"; do . "$part"; done 2>/dev/null
while IFS= read -r line; do
    printf '%s\\n' "$line" >"$ONE"
    keys_of "$ONE"
    printf '%s\\n' "$KEYS"
done
"""


def keys_by_the_scripts(lines: list[str], directory: Path) -> list[str]:
    paths = (str(path) for name, path in parts().items() if name != "base.sh")
    body = KEYS.replace("base", str(parts()["base.sh"]), 1)
    done = subprocess.run(
        ("sh", "-c", body, "sh", *paths),
        input="".join(f"{line}\n" for line in lines),
        env={**os.environ, "ONE": str(directory / "one")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_keys_are_those_that_the_scripts_compare_bundles_by(tmp_path: Path) -> None:
    lines = [
        "|".join((kind, *rest))
        for kind in KINDS
        for rest in (("a", "b", "c", "d", "e", "f", "g"), ("a", "b", "c", "", "", "", ""))
    ]
    ours = [" ".join(("", *keys_of_step(tuple(line.split("|"))), "")) for line in lines]
    assert [line.split() for line in keys_by_the_scripts(lines, tmp_path)] == [line.split() for line in ours]


def test_kinds_of_steps_are_those_of_the_scripts() -> None:
    assert set(re.findall(r"^do_([a-z]+)\(\)", SCRIPTS, re.MULTILINE)) - {"step"} == ITEMS
    carriers = re.findall(r'CARRIERS="\$CARRIERS ([a-z]+)"', SCRIPTS)
    assert set(carriers) == CARRIERS


def test_words_of_the_journal_are_those_of_the_scripts() -> None:
    body = parts()["state.sh"].read_text().partition("case $word in\n")[2].partition("*) LOST=")[0]
    labels = re.findall(r"^ +([a-z\" |]+)\) ", body, re.MULTILINE)
    assert {word.strip(' "') for label in labels for word in label.split("|")} == WORDS


def test_a_line_that_was_not_finished_counts_for_nothing() -> None:
    assert read_journal("begin\nintent 3\nappl").outcome == "begun"
    assert read_journal("begin\nappl ~\nrestored\n").outcome == "restored"
    assert not read_journal("begin\ngibb ~\n").is_damaged
    assert read_journal("begin\ngibberish\n").is_damaged
    assert read_journal("").outcome == "none"


def test_what_waits_for_a_restart_is_known_until_it_was_done() -> None:
    assert read_journal("begin\nlater 3\nlater 4\ndone 4\napplied\n").put_off == {3}
    assert read_journal("begin\nlater 3\napplied\nrestored\n").put_off == frozenset()


def test_a_rollback_that_did_not_end_is_known() -> None:
    assert read_journal("begin\napplied\nundo 3\nundone 3\n").undone
    assert not read_journal("begin\napplied\nundo 3\nundone 3\nrestored\nbegin\napplied\n").undone


@given(st.binary(max_size=200))
def test_no_journal_is_too_strange_to_read(raw: bytes) -> None:
    read_journal(raw.decode("utf-8", "surrogateescape"))


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=12))
def test_values_come_back_as_they_were_written(value: str) -> None:
    head = f"tunewiz|1|3\nhost|x|{escaped('db|1')}\n"
    steps = read_steps(f"{head}sysfs|/sys/a|{escaped(value)}|never\n", "steps.txt", frozenset({3}))
    (change,) = steps.changes
    assert (change.before, change.put_off, steps.host) == (value, True, "db|1")


@pytest.mark.parametrize("text", ["", "tunewiz|2|1\n", "tunewiz|1|2\nsetting|work_mem\n"])
def test_data_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_steps(text, "steps.txt", frozenset())


def only(machine: PretendRoot) -> Generation:
    (generation,) = read_history(machine.state).generations
    return generation


def test_where_nothing_was_applied_there_is_no_history(machine: PretendRoot, tmp_path: Path) -> None:
    assert read_history(machine.state).generations == ()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="found a file, expected a directory"):
        read_history(tmp_path / "file")


def test_reading_changes_nothing(machine: PretendRoot) -> None:
    bundle = applied(machine, "first", {"kernel.swappiness": "10"})
    written = entries(machine.state) | entries(bundle)
    assert only(machine).workload == "oltp"
    assert entries(machine.state) | entries(bundle) == written


def test_without_its_scripts_the_values_are_known_all_the_same(machine: PretendRoot) -> None:
    bundle = applied(machine, "first", {"pg.work_mem": "24MB", "kernel.dirty_bytes": "536870912"})
    whole = only(machine)
    (bundle / "REVIEW.md").write_text("another\n")
    bare = only(machine)
    assert (whole.scripts, whole.returns, bare.scripts, bare.returns) == (str(bundle), True, "", False)
    assert (bare.workload, bare.damage, bare.changes) == ("", (), whole.changes)
    assert [(one.name, one.before_in_words, one.value_in_words) for one in bare.changes] == [
        ("vm.dirty_bytes", "0", "512MB"),
        ("work_mem", "4MB", "24MB"),
    ]


def test_one_that_was_cut_off_or_half_rolled_back_is_told_so(machine: PretendRoot) -> None:
    bundle = next_bundle(machine, "first", {"kernel.swappiness": "10", "pg.work_mem": "24MB"})
    at_journal(machine, "done*", "kill -KILL $PPID")
    machine.run(bundle / "apply.sh")
    assert standing_of(read_history(machine.state), only(machine)).stand == "cut off"
    machine.path("/usr/bin/sync").unlink()
    assert machine.run(bundle / "apply.sh").status == 0
    machine.write("/proc/sys/vm/swappiness", "33\n")
    assert machine.run(bundle / "rollback.sh").status == 4
    assert standing_of(read_history(machine.state), only(machine)).stand == "rolled back in part"
    bundles = AppliedBundles(state=str(machine.state), history=read_history(machine.state))
    assert "rolled back except for what others changed, or not to its end" in " ".join(
        history_text(bundles).split()
    )


DAMAGE = {
    "journal": "gibberish\n",
    "kept/order": "1; reboot\n",
    "kept/steps.txt": "tunewiz|9|1\n",
    "kept/SHA256SUMS": "",
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_records_are_named_and_the_rest_is_listed(name: str, machine: PretendRoot) -> None:
    first = applied(machine, "first", {"kernel.swappiness": "10"})
    second = applied(machine, "second", {"pg.work_mem": "24MB"})
    (machine.state / id_of(first) / name).write_text(DAMAGE[name])
    history = read_history(machine.state)
    by_id = {generation.id: generation for generation in history.generations}
    assert any(name in sentence for sentence in by_id[id_of(first)].damage)
    assert by_id[id_of(second)].damage == ()
    assert by_id[id_of(second)].is_in_place


def test_lost_records_are_told_as_the_scripts_tell_them(machine: PretendRoot) -> None:
    bundle = applied(machine, "first", {"kernel.swappiness": "10"})
    own = machine.state / id_of(bundle)
    whole = (own / "journal").read_text()
    for text in ("", whole.replace("applied\n", ""), "gibberish\n", None):
        (own / "journal").unlink()
        if text is not None:
            (own / "journal").write_text(text)
        assert only(machine).outcome == "lost"
        assert machine.run(bundle / "rollback.sh", "--dry-run").status == 5
        (own / "journal").write_text(whole)
    assert only(machine).outcome == "applied"


@contextmanager
def as_nobody() -> Generator[None, None, None]:
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_without_rights_the_command_that_has_them_is_named(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir(mode=0)
    with as_nobody(), pytest.raises(InputError) as refused:
        read_history(state)
    assert str(refused.value) == (
        f"history: {state}: cannot be read: it belongs to root\nRun: sudo tunewiz history --state {state}"
    )
