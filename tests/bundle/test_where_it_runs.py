"""Where a run reads and writes, who may begin it, and that a plan's words come to it as they were written."""

import dataclasses
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures_bundles import MakeBundle
from pretend_root import DROP_IN, PretendRoot, make_root
from small_bundles import AS_PLANNED, in_force, small_bundle
from small_plans import identity, small_facts
from tools_here import need
from tunewiz.core.values.known import Known

NOBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root looks at everything, and gives files away")


@as_root
def test_without_a_pretend_root_it_is_this_machine_whatever_the_environment_says(
    bundled: MakeBundle, tmp_path: Path
) -> None:
    path = Path("/etc/machine-id")
    this = identity(path.read_text().strip() if path.exists() else "")
    facts = small_facts()
    facts = dataclasses.replace(facts, host=dataclasses.replace(facts.host, identity=Known(this, "test")))
    done = subprocess.run(
        ("sh", bundled({"kernel.swappiness": "7"}, facts=facts) / "verify.sh"),
        env={
            "PATH": os.environ["PATH"],
            "TUNEWIZ_STATE_DIR": str(tmp_path / "state"),
            "ROOT": "/nowhere",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert f"running {Path('/proc/sys/vm/swappiness').read_text().strip()}, " in done.stdout


@pytest.fixture
def of_nobody() -> Iterator[PretendRoot]:
    """A machine that belongs to an ordinary user, who runs the scripts."""
    need("setpriv")
    with tempfile.TemporaryDirectory() as place:
        machine = make_root(Path(place))
        small_bundle(Path(place) / "bundle")
        shell = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "sh")
        if os.geteuid() == 0:
            for path in (Path(place), *Path(place).rglob("*")):
                os.chown(path, NOBODY, NOBODY)
            machine = dataclasses.replace(machine, shell=shell)
        yield machine


def test_on_a_pretend_root_anyone_may_try_a_bundle(of_nobody: PretendRoot) -> None:
    bundle, before = of_nobody.root.parent / "bundle", of_nobody.tree()
    applied = of_nobody.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert in_force(of_nobody) == AS_PLANNED
    assert of_nobody.run(bundle / "rollback.sh").status == 0
    assert of_nobody.tree() == before


@pytest.mark.parametrize("words", ["*", "/e*", "%m|%p", "\\", "a\\0101", "two  words "], ids=repr)
def test_a_value_comes_to_the_scripts_as_it_was_written(
    words: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled({"pg.log_line_prefix": words}), machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.read(DROP_IN) == (made / f"files{DROP_IN}").read_text()
    verified = machine.run(made / "verify.sh")
    assert (verified.status, verified.err) == (0, "")
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before
