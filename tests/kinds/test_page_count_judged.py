"""What PostgreSQL's own count of huge pages may be: its owner gives the answer, and may lie."""

import subprocess
from collections.abc import Sequence

import pytest

from shells import EVERY_SHELL
from tunewiz.bundle.parts import parts

PLANNED, OWN = 120, 100
STUBS = f"""
say() {{ printf 'said %s\\n' "$*"; }}
problem() {{ printf 'problem %s\\n' "$*"; }}
ask_count() {{ printf '%s' "$ANSWER"; }}
DATA=/data BIN=/bin MAJOR=15 F1=vm.nr_hugepages F3={PLANNED} F7={OWN}
check_count
echo "ended with $?"
"""


def judged(shell: Sequence[str], answer: str) -> str:
    """What is said of an answer."""
    source = f". {parts()['counted.sh']}\n{STUBS}"
    done = subprocess.run(
        [*shell, "-c", source],
        env={"ANSWER": answer, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"ended with 0\n")
    return done.stdout.decode()


@pytest.mark.parametrize("shell", EVERY_SHELL)
@pytest.mark.parametrize("answer", ["", "x", "-1", "1 2", "1\n2", "08", "0144", "9" * 10, "9" * 400, "0x10"])
def test_what_is_no_count_is_told_and_judges_nothing(shell: Sequence[str], answer: str) -> None:
    text = judged(shell, answer)
    assert "not compared with PostgreSQL's own count" in text
    assert "problem" not in text


@pytest.mark.parametrize("shell", EVERY_SHELL)
@pytest.mark.parametrize(
    ("answer", "is_enough"), [("0", True), ("100", True), ("101", False), ("9" * 9, False)]
)
def test_a_count_is_held_against_the_pages_that_are_planned_for_the_server(
    shell: Sequence[str], answer: str, *, is_enough: bool
) -> None:
    text = judged(shell, answer)
    assert ("problem" in text) is not is_enough
    if not is_enough:
        assert f"plan again with {PLANNED - OWN + int(answer)}" in text
