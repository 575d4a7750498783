"""Functions that a caller exports stand in for commands in bash, which is `sh` on many machines."""

import os
import subprocess
from pathlib import Path

import pytest

from pretend_root import PretendRoot
from small_bundles import small_bundle
from tools_here import need

COMMANDS = (
    *(
        "id",
        "env",
        "sed",
        "stat",
        "find",
        "head",
        "cat",
        "sha256sum",
        "grep",
        "mktemp",
        "flock",
        "ls",
        "rm",
        "mv",
    ),
    *(
        "cd",
        "read",
        "echo",
        "printf",
        "command",
        "umask",
        "test",
        "[",
        "kill",
        "wait",
        "type",
        "local",
        "true",
    ),
    *("exec", "eval", "set", "export", "unset", "trap", "exit", "return", "shift", "."),
    *("do_swap", "rival_sysctl", "main", "arguments"),
)
"""Programs, built-in commands, special ones, and names that parts of the scripts may define or ask for."""
CALLED = (["sh"], ["bash"])
SCRIPTS = ("apply.sh", "verify.sh", "rollback.sh")


def exported(mark: Path) -> dict[str, str]:
    """Functions as bash exports them, each of which leaves its name behind."""
    return {f"BASH_FUNC_{name}%%": f"() {{ /bin/echo {name} >>{mark}; }}" for name in COMMANDS}


def run(script: Path, called: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Runs it by bash under that name."""
    need("bash")
    return subprocess.run(
        [*called, script],
        executable="/bin/bash",
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_bash_takes_such_functions(tmp_path: Path) -> None:
    mark, script = tmp_path / "mark", tmp_path / "script.sh"
    script.write_text("id\n")
    run(script, ["sh"], exported(mark))
    assert mark.read_text() == "id\n"


@pytest.mark.parametrize("called", CALLED, ids=" ".join)
def test_case_128_no_function_of_the_caller_is_run(
    called: list[str], machine: PretendRoot, tmp_path: Path
) -> None:
    bundle, mark = small_bundle(tmp_path / "bundle"), tmp_path / "mark"
    environment = {"TUNEWIZ_ROOT": str(machine.root), "TUNEWIZ_STATE_DIR": str(machine.state)}
    for name in SCRIPTS:
        done = run(bundle / name, called, {**environment, **exported(mark)})
        assert not mark.exists(), mark.read_text()
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("option", ["privileged", "posix", "xtrace"])
def test_options_of_the_caller_do_not_hide_them(option: str, machine: PretendRoot, tmp_path: Path) -> None:
    bundle, mark = small_bundle(tmp_path / "bundle"), tmp_path / "mark"
    environment = {"TUNEWIZ_ROOT": str(machine.root), "TUNEWIZ_STATE_DIR": str(machine.state)}
    done = run(bundle / "apply.sh", ["sh"], {"SHELLOPTS": option, **environment, **exported(mark)})
    assert not mark.exists(), mark.read_text()
    assert done.returncode == 0, done.stderr
