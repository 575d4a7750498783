"""`tunewiz bundle --target`: whom it writes for, and what it refuses."""

from pathlib import Path

import pytest

from command_line import ANSWERS, tunewiz


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
