"""Two pairs of eyes: a bundle is applied only when someone who may has signed it."""

import dataclasses
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from behind_mounts import behind
from pretend_root import DATA, PretendRoot, make_root
from small_plans import small_answers, small_facts, small_plan
from tools_here import needs
from tunewiz.bundle import write_bundle
from tunewiz.bundle.check import check_bundle
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

pytestmark = needs("ssh-keygen")

FACTS = small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    return make_root(tmp_path)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    write_bundle(
        small_plan(FACTS), tmp_path / "bundle", facts_to_json(FACTS), answers_to_toml(small_answers())
    )
    return tmp_path / "bundle"


def make_key(directory: Path, name: str) -> Path:
    key = directory / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", key], check=True)
    return key


def sign(bundle: Path, key: Path, *, purpose: str = "tunewiz") -> None:
    sums = bundle / "SHA256SUMS"
    subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-f", key, "-n", purpose, sums], check=True, capture_output=True
    )


def allow(directory: Path, key: Path) -> Path:
    allowed = directory / "allowed signers"
    allowed.write_text(f"{key.name}@example.org {key.with_suffix('.pub').read_text()}")
    return allowed


def test_what_an_allowed_signer_signed_is_applied(machine: PretendRoot, bundle: Path, tmp_path: Path) -> None:
    key = make_key(tmp_path, "reviewer")
    sign(bundle, key)
    ran = machine.run(bundle / "apply.sh", "--require-signature", str(allow(tmp_path, key)))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Signed by reviewer@example.org.\n")


@pytest.mark.parametrize("option", ["--require-signature {}", "--require-signature={}"])
def test_the_file_of_signers_is_looked_for_where_the_script_was_called(
    option: str, machine: PretendRoot, bundle: Path, tmp_path: Path
) -> None:
    key = make_key(tmp_path, "reviewer")
    sign(bundle, key)
    there = ("sh", "-c", 'cd "$0" && exec sh "$@"', str(tmp_path))
    named = [word.format(allow(tmp_path, key).name) for word in option.split()]
    ran = dataclasses.replace(machine, shell=there).run(bundle / "apply.sh", *named)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Signed by reviewer@example.org.\n")


def test_a_signature_belongs_to_a_bundle(bundle: Path, tmp_path: Path) -> None:
    sign(bundle, make_key(tmp_path, "reviewer"))
    assert not [text for text in check_bundle(bundle, FACTS) if "SHA256SUMS.sig" in text]


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        ("not signed", "it is not signed"),
        ("by another", "nobody in"),
        ("for another purpose", "its signature is not valid"),
        ("of other sums", "its signature is not valid"),
        ("nobody named", "cannot be read"),
    ],
)
def test_what_nobody_signed_who_may_is_refused_and_nothing_is_changed(
    spoilt: str, why: str, machine: PretendRoot, bundle: Path, tmp_path: Path
) -> None:
    key, other = make_key(tmp_path, "reviewer"), make_key(tmp_path, "other")
    allowed = allow(tmp_path, key)
    match spoilt:
        case "by another":
            sign(bundle, other)
        case "for another purpose":
            sign(bundle, key, purpose="file")
        case "of other sums":
            sums = bundle / "SHA256SUMS"
            whole = sums.read_bytes()
            sums.write_bytes(whole + b"\n")
            sign(bundle, key)
            sums.write_bytes(whole)
        case "nobody named":
            sign(bundle, key)
            allowed.unlink()
        case _:
            pass
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh", "--require-signature", str(allowed))
    assert ran.status == 4
    assert why in ran.err
    assert machine.tree() == before
    assert not machine.state.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hide a program behind a mount")
def test_without_ssh_keygen_that_is_told_and_not_that_nobody_has_signed(
    machine: PretendRoot, bundle: Path, tmp_path: Path
) -> None:
    key, before = make_key(tmp_path, "reviewer"), machine.tree()
    sign(bundle, key)
    hidden = behind(machine, f"mount --bind /dev/null {shutil.which('ssh-keygen')}")
    ran = hidden.run(bundle / "apply.sh", "--require-signature", str(allow(tmp_path, key)))
    assert (ran.status, ran.err) == (4, "Refused, nothing was changed: ssh-keygen was not found\n")
    assert machine.tree() == before


@pytest.mark.parametrize("how", [("--require-signature",), ("--require-signature=",)])
def test_a_file_of_signers_must_be_named(how: tuple[str, ...], machine: PretendRoot, bundle: Path) -> None:
    assert machine.run(bundle / "apply.sh", *how).status == 2
