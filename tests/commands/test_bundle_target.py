"""`tunewiz bundle --target`: whom it writes for, and what it refuses."""

import json
from pathlib import Path

import pytest

from command_line import ANSWERS, tunewiz

PROFILES = Path(__file__).resolve().parents[2] / "profiles" / "hosts"


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.toml"
    file.write_text(ANSWERS)
    return file


@pytest.mark.parametrize(
    ("demo", "target", "file"),
    [
        ("container", "cloudnativepg", "patch.yaml"),
        ("nvme-server", "autobase", "vars.yml"),
        ("nvme-server", "patroni", "apply.sh"),
        ("nvme-server", "host", "apply.sh"),
    ],
)
def test_a_bundle_is_written_for_each(
    demo: str, target: str, file: str, answers: Path, tmp_path: Path
) -> None:
    into = tmp_path / "b"
    ended = tunewiz("bundle", "--demo", demo, "--answers", answers, "--target", target, "-o", into)
    assert (ended.status, ended.err) == (0, "")
    assert (into / file).exists()
    assert f"less {into}/REVIEW.md" in ended.out


def test_the_host_is_the_target_if_none_is_named(answers: Path, tmp_path: Path) -> None:
    for name, more in (("a", ()), ("b", ("--target", "host"))):
        tunewiz("bundle", "--demo", "nvme-server", "--answers", answers, *more, "-o", tmp_path / name)
    assert (tmp_path / "a/SHA256SUMS").read_bytes() == (tmp_path / "b/SHA256SUMS").read_bytes()


def test_a_target_that_there_is_not_is_answered_with_the_one_that_was_meant(
    answers: Path, tmp_path: Path
) -> None:
    ended = tunewiz(
        "bundle", "--demo", "container", "--answers", answers, "--target", "patrony", "-o", tmp_path / "b"
    )
    assert ended.status == 2
    assert "found 'patrony'" in ended.err
    assert "patroni" in ended.err
    assert not (tmp_path / "b").exists()


def test_a_value_that_would_be_dropped_ends_with_one_message(answers: Path, tmp_path: Path) -> None:
    answers.write_text(ANSWERS + '[decisions]\n"pg.max_connections" = { set = "20" }\n')
    ended = tunewiz(
        "bundle", "--demo", "nvme-server", "--answers", answers, "--target", "patroni", "-o", tmp_path / "b"
    )
    assert ended.status == 2
    assert "max_connections: expected at least 25, found 20" in ended.one_message
    assert not (tmp_path / "b").exists()


def test_a_directory_that_exists_is_left_alone(answers: Path, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    ended = tunewiz(
        "bundle", "--demo", "container", "--answers", answers, "--target", "pgo", "-o", tmp_path / "b"
    )
    assert ended.status == 2
    assert "already exists" in ended.one_message
    assert not list((tmp_path / "b").iterdir())


def facts_of(demo: str, host: str, directory: Path) -> Path:
    """An example machine under another name, as its own facts."""
    facts = json.loads((PROFILES / f"{demo}.json").read_text())
    facts["host"]["name"] = host
    file = directory / f"{host}.json"
    file.write_text(json.dumps(facts))
    return file


def smaller(file: Path) -> Path:
    """The same machine with half the memory."""
    facts = json.loads(file.read_text())
    facts["memory"]["total"] //= 2
    facts["memory"]["available"] //= 2
    file.write_text(json.dumps(facts))
    return file


def test_unlike_members_get_a_part_of_their_own(answers: Path, tmp_path: Path) -> None:
    one, other = facts_of("nvme-server", "db1", tmp_path), smaller(facts_of("nvme-server", "db2", tmp_path))
    into = tmp_path / "b"
    typed = ("bundle", "--facts", one, "--answers", answers, "--target", "patroni", "--member", other)
    ended = tunewiz(*typed, "-o", into)
    assert (ended.status, ended.err) == (0, "")
    assert 'shared_buffers: "32GB"' in (into / "local/db1.yml").read_text()
    assert 'shared_buffers: "16GB"' in (into / "local/db2.yml").read_text()
    assert "shared_buffers" not in (into / "patch.yaml").read_text()
    assert "shared_buffers" not in (into / "steps.txt").read_text()
    assert 'jit: "off"' in (into / "patch.yaml").read_text()
    assert "local/" in (into / "REVIEW.md").read_text()


def test_members_that_are_alike_get_none(answers: Path, tmp_path: Path) -> None:
    one, other = (facts_of("nvme-server", name, tmp_path) for name in ("db1", "db2"))
    into = tmp_path / "b"
    typed = ("bundle", "--facts", one, "--answers", answers, "--target", "patroni", "--member", other)
    assert tunewiz(*typed, "-o", into).status == 0
    assert not (into / "local").exists()
    assert "planned for 2 members" in (into / "REVIEW.md").read_text()


@pytest.mark.parametrize(
    ("target", "host", "wrong"),
    [
        ("patroni", "db1", "facts of db1 were given already"),
        ("patroni", "../db2", "host.name: found '../db2'"),
        ("zalando", "db2", "expected --target patroni or autobase, found zalando"),
        ("host", "db2", "expected --target patroni or autobase, found host"),
    ],
)
def test_members_that_cannot_be_meant_are_refused(
    target: str, host: str, wrong: str, answers: Path, tmp_path: Path
) -> None:
    one = facts_of("nvme-server", "db1", tmp_path)
    (tmp_path / "more").mkdir()
    other = facts_of("nvme-server", "db2", tmp_path / "more")
    other.write_text(other.read_text().replace('"db2"', json.dumps(host)))
    typed = ("bundle", "--facts", one, "--answers", answers, "--target", target, "--member", other)
    ended = tunewiz(*typed, "-o", tmp_path / "b")
    assert ended.status == 2
    assert wrong in ended.one_message
    assert not (tmp_path / "b").exists()
