"""Slow tests are left out only where all of them passed on what is there, and the run says so."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from sweeps import (
    CHECKOUT,
    DRAW,
    ONE_OF,
    Sweep,
    WholePass,
    WholeRun,
    content_of,
    contents,
    files_with_tests,
    is_drawn,
    passes_of,
    sweep_of,
    sweeps_of,
    write_passes,
)

SCRIPTS = Sweep(
    name="scripts",
    tests=("tests/bundle/", "tests/postgres/test_kind_"),
    about=("tunewiz/bundle",),
    but=("tunewiz/bundle/review/",),
)
FILES = {
    "tunewiz/bundle/scripts/apply.sh": "true\n",
    "tunewiz/bundle/review/page_one.py": "",
    "tunewiz/cli.py": "",
    "tests/conftest.py": 'pytest_plugins = ["sweeps"]\n',
    "tests/bundle/test_apply.py": "from pretend_root import PretendRoot\n",
    "tests/postgres/test_kind_wal.py": "",
    "tests/postgres/test_facts.py": "",
    "tests/support/pretend_root.py": "import shells\n",
    "tests/support/shells.py": "",
    "tests/support/screens.py": "",
    "tests/support/sweeps.py": "",
}
TESTS_OF_APPLY = "tests/bundle/test_apply.py"
TESTS = [f"tests/bundle/test_apply.py::test_it[{number}]" for number in range(2000)]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return tmp_path


@pytest.mark.parametrize(
    "file",
    [
        "tunewiz/bundle/scripts/apply.sh",
        "tests/bundle/test_apply.py",
        "tests/conftest.py",
        "tests/support/pretend_root.py",
        "tests/support/shells.py",
    ],
)
def test_a_change_of_what_a_sweep_is_about_is_seen(checkout: Path, file: str) -> None:
    before = content_of(SCRIPTS, TESTS_OF_APPLY, checkout)
    with (checkout / file).open("a") as changed:
        changed.write("# changed\n")
    assert content_of(SCRIPTS, TESTS_OF_APPLY, checkout) != before


def test_so_are_a_new_file_and_a_new_name(checkout: Path) -> None:
    before = content_of(SCRIPTS, TESTS_OF_APPLY, checkout)
    script = checkout / "tunewiz/bundle/scripts/apply.sh"
    renamed = script.rename(script.with_name("put_on.sh"))
    assert content_of(SCRIPTS, TESTS_OF_APPLY, checkout) != before
    renamed.rename(script)
    assert content_of(SCRIPTS, TESTS_OF_APPLY, checkout) == before
    script.with_name("new.sh").touch()
    assert content_of(SCRIPTS, TESTS_OF_APPLY, checkout) != before


@pytest.mark.parametrize(
    "file",
    [
        "tunewiz/cli.py",
        "tunewiz/bundle/review/page_one.py",
        "tests/postgres/test_facts.py",
        "tests/postgres/test_kind_wal.py",
        "tests/support/screens.py",
        "tests/support/sweeps.py",
        "tests/bundle/__pycache__/test_apply.cpython-311.pyc",
    ],
)
def test_a_change_of_anything_else_is_none_of_its_business(checkout: Path, file: str) -> None:
    before = content_of(SCRIPTS, TESTS_OF_APPLY, checkout)
    (checkout / file).parent.mkdir(exist_ok=True)
    (checkout / file).write_text("# changed\n")
    assert content_of(SCRIPTS, TESTS_OF_APPLY, checkout) == before


@pytest.mark.parametrize(
    ("file", "decides"), [("tunewiz/bundle/scripts/apply.sh", False), ("tunewiz/bundle/check.py", True)]
)
def test_of_a_subject_files_with_an_ending_may_decide_nothing(
    checkout: Path, file: str, *, decides: bool
) -> None:
    pages = Sweep(name="pages", tests=("tests/bundle/",), about=("tunewiz",), but=("*.sh",))
    before = content_of(pages, TESTS_OF_APPLY, checkout)
    (checkout / file).write_text("# changed\n")
    assert (content_of(pages, TESTS_OF_APPLY, checkout) != before) is decides


def test_about_a_tenth_is_drawn_the_same_by_the_same_date() -> None:
    drawn = [test for test in TESTS if is_drawn(test, "2026-11-28")]
    assert 0.75 < len(drawn) * ONE_OF / len(TESTS) < 1.25
    assert drawn == [test for test in TESTS if is_drawn(test, "2026-11-28")]
    assert drawn != [test for test in TESTS if is_drawn(test, "2026-11-29")]


def test_in_a_few_months_each_test_is_drawn() -> None:
    dates = [f"2026-{month:02}-{day:02}" for month in range(1, 6) for day in range(1, 29)]
    assert all(any(is_drawn(test, date) for date in dates) for test in TESTS[:200])


def test_what_passed_reads_back_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "passed.toml"
    assert passes_of(file) == {}
    passes = {"scripts": WholePass(content="abc", date="2026-11-28", outcomes={"passed": 8, "skipped": 1})}
    write_passes(passes, file)
    assert passes_of(file) == passes


def test_a_file_with_a_failure_or_without_a_test_did_not_pass() -> None:
    run = WholeRun("2026-11-28", is_whole=True)
    assert run.passed() == {}
    for outcomes in run.outcomes.values():
        outcomes.update(Counter(passed=3, failed=1))
    assert run.passed() == {}


def test_every_path_of_the_table_is_there_and_no_test_has_two_subjects() -> None:
    for sweep in sweeps_of():
        for path in sweep.about:
            assert (CHECKOUT / path).exists(), path
        for beginning in sweep.tests:
            folder, _, name = beginning.rpartition("/")
            assert [*(CHECKOUT / folder).glob(f"{name}*")], beginning
    for file in (CHECKOUT / "tests").rglob("test_*.py"):
        nodeid = str(file.relative_to(CHECKOUT))
        naming = sorted((sweep.naming(nodeid) for sweep in sweeps_of()), reverse=True)
        assert naming[0] == 0 or naming[0] > naming[1], nodeid


def test_a_file_that_is_named_beside_its_folder_belongs_where_it_is_named() -> None:
    of_folder, of_file = (sweep_of(f"tests/booted/test_{name}.py::test_it") for name in ("here", "guard_of"))
    assert (of_folder and of_folder.name, of_file and of_file.name) == ("scripts", "guard")
    assert contents()["tests/booted/test_guard_of_memory.py"] != contents()["tests/booted/test_selinux.py"]


def test_a_test_without_a_subject_is_never_left_out() -> None:
    assert sweep_of("tests/commands/test_completion.py::test_it") is None
    assert sweep_of("tests/attacks/test_random_histories.py::test_it[1]") is not None


SUITE = {
    "pytest.ini": "[pytest]\ntestpaths = tests\npythonpath = tests/support\nmarkers = slow\n",
    "program/it.sh": "true\n",
    "tests/conftest.py": 'pytest_plugins = ["sweeps"]\n',
    "tests/sweeps.toml": '[scripts]\ntests = ["tests/bundle/"]\nabout = ["program"]\n',
    "tests/bundle/test_other.py": """
import pytest

@pytest.mark.slow
@pytest.mark.parametrize("number", range(50))
def test_slow(number): pass
""",
    "tests/bundle/test_it.py": """
from pathlib import Path
import pytest

@pytest.mark.slow
@pytest.mark.parametrize("number", range(100))
def test_slow(number):
    assert number or "broken" not in Path("program/it.sh").read_text()

def test_quick(): pass
""",
}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name, content in SUITE.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    (tmp_path / "tests/support").mkdir()
    shutil.copy(CHECKOUT / "tests/support/sweeps.py", tmp_path / "tests/support")
    return tmp_path


IN_PARALLEL = ("-p", "xdist", "-n", "2")


def run(suite: Path, *arguments: str, date: str = "2026-11-28") -> tuple[int, str]:
    """How many tests passed, and the line about the sweep."""
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {"PATH": os.environ["PATH"], DRAW: date, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(program, cwd=suite, env=environment, capture_output=True, text=True, check=False)
    passed = re.findall(r"(\d+) passed", ran.stdout)
    line = re.search(r"^scripts: .*$", ran.stdout, re.MULTILINE)
    assert passed, ran.stdout + ran.stderr
    return int(passed[-1]), line[0] if line else ""


def test_a_suite_runs_whole_once_then_a_tenth_and_whole_again_when_something_changed(suite: Path) -> None:
    assert run(suite, *IN_PARALLEL) == (151, "scripts: whole: 2 files (150 passed)")
    passed, line = run(suite, *IN_PARALLEL, date="2026-11-29")
    assert 1 <= passed - 1 <= 35
    assert line == (
        "scripts: unchanged since all of it passed, 2026-11-28 or later: 2 files; "
        f"drawn by 2026-11-29 ({passed - 1} passed); left out: {151 - passed}"
    )
    (suite / "program/it.sh").write_text("false\n")
    assert run(suite) == (151, "scripts: whole: 2 files (150 passed)")
    assert run(suite)[0] < 151


def test_a_file_that_changed_runs_whole_and_the_others_do_not(suite: Path) -> None:
    run(suite)
    with (suite / "tests/bundle/test_it.py").open("a") as file:
        file.write("# changed\n")
    passed, line = run(suite)
    assert 101 < passed < 125
    drawn = passed - 101
    assert line == (
        "scripts: whole: 1 file (100 passed); "
        "unchanged since all of it passed, 2026-11-28 or later: 1 file; "
        f"drawn by 2026-11-28 ({drawn} passed); left out: {50 - drawn}"
    )
    (suite / "tests/bundle/test_it.py").unlink()
    (suite / "tests/bundle/test_new.py").write_text(SUITE["tests/bundle/test_other.py"])
    assert run(suite)[0] == 50 + drawn
    assert {*passes_of(suite / "tests/passed.toml")} == {
        "tests/bundle/test_new.py",
        "tests/bundle/test_other.py",
    }


def test_a_run_with_a_failure_or_of_a_part_of_a_file_counts_for_nothing(suite: Path) -> None:
    run(suite, "tests/bundle/test_it.py::test_slow")
    run(suite, "-k", "test_slow")
    run(suite, "--maxfail", "2")
    run(suite, "--deselect", "tests/bundle/test_it.py::test_slow[3]")
    run(suite, "-m", "slow")
    assert not (suite / "tests/passed.toml").exists()
    (suite / "program/it.sh").write_text("broken\n")
    assert run(suite)[1] == "scripts: whole: 2 files (1 failed, 149 passed)"
    assert {*passes_of(suite / "tests/passed.toml")} == {"tests/bundle/test_other.py"}


def test_a_run_of_a_whole_file_counts_for_that_file(suite: Path) -> None:
    run(suite, *IN_PARALLEL, "tests/bundle/test_other.py")
    assert {*passes_of(suite / "tests/passed.toml")} == {"tests/bundle/test_other.py"}


def test_every_beginning_of_a_path_is_that_of_a_file() -> None:
    sweeps = sweeps_of()
    for sweep in sweeps:
        files = [*files_with_tests(sweep)]
        assert [beginning for beginning in sweep.tests if not any(map(beginning_of(beginning), files))] == []


def beginning_of(path: str) -> Callable[[str], bool]:
    return lambda file: file.startswith(path)


def test_without_a_date_nothing_is_left_out(suite: Path) -> None:
    run(suite)
    assert run(suite, date="") == (151, "")
