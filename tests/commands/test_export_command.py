"""`tunewiz export` and `tunewiz facts --pg-settings`: what they print, and what they refuse."""

from pathlib import Path

import pytest

from command_line import ANSWERS, tunewiz

SETTINGS = """name,setting,unit,source
server_version_num,170002,,default
server_version,17.2,,default
shared_buffers,2097152,8kB,configuration file
jit,on,,default
"""


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.toml"
    file.write_text(ANSWERS)
    return file


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "settings.csv"
    file.write_text(SETTINGS)
    return file


def test_it_is_printed_or_written(answers: Path, tmp_path: Path) -> None:
    typed = ("export", "--service", "rds", "--demo", "small-vm", "--answers", answers)
    printed, written = tunewiz(*typed), tunewiz(*typed, "-o", tmp_path / "group.tf")
    assert (printed.status, printed.err) == (written.status, written.err) == (0, "")
    assert (tmp_path / "group.tf").read_text() == printed.out
    assert 'resource "aws_db_parameter_group" "tunewiz" {' in printed.out
    assert written.out == ""


def test_an_operator_gets_a_component(answers: Path) -> None:
    ended = tunewiz("export", "--operator", "cloudnativepg", "--demo", "container", "--answers", answers)
    assert (ended.status, ended.err) == (0, "")
    assert 'kind: "Component"' in ended.out or "kind: Component" in ended.out


@pytest.mark.parametrize("operator", ["percona", "stackgres"])
@pytest.mark.parametrize("form", ["kustomize", "helm"])
def test_an_operator_with_a_chart_gets_either_form(operator: str, form: str, answers: Path) -> None:
    typed = ("export", "--operator", operator, "--format", form, "--demo", "container", "--answers", answers)
    ended = tunewiz(*typed)
    assert (ended.status, ended.err) == (0, "")
    assert 'shared_buffers: "' in ended.out


def test_kubeblocks_gets_an_order_and_its_undo(answers: Path) -> None:
    typed = ("export", "--operator", "kubeblocks", "--demo", "container", "--answers", answers)
    ended, undone = tunewiz(*typed), tunewiz(*typed, "--undo")
    assert (ended.status, ended.err, undone.status, undone.err) == (0, "", 0, "")
    assert 'kind: "OpsRequest"' in ended.out
    assert '- key: "shared_buffers"' in undone.out
    assert ended.out != undone.out


def test_a_managed_server_is_planned_from_its_settings(settings: Path, tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    stated = ("--memory", "64GB", "--cores", "16")
    assert tunewiz("facts", "--pg-settings", settings, *stated, "-o", file).status == 0
    ended = tunewiz("export", "--service", "azure", "--format", "cli", "--facts", file)
    assert (ended.status, ended.err) == (0, "")
    assert "--name jit --value off" in ended.out
    undo = tunewiz("export", "--service", "azure", "--format", "cli", "--undo", "--facts", file)
    assert "# jit: in the portal" in undo.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("export", "--demo", "small-vm"), "one of the arguments --service --operator is required"),
        (("export", "--service", "rdss", "--demo", "small-vm"), "found 'rdss', expected rds?"),
        (("export", "--service", "rds", "--format", "tf"), "argument --format: found 'tf', expected"),
        (
            ("export", "--operator", "pgo", "--format", "cli", "--demo", "container"),
            "--format: found cli, expected kustomize or helm beside --operator",
        ),
        (
            ("export", "--service", "rds", "--format", "helm", "--demo", "container"),
            "--format: found helm, expected terraform or cli beside --service",
        ),
        (("export", "--operator", "pgo", "--undo", "--demo", "container"), "--undo: not with --operator"),
        (
            ("export", "--operator", "kubeblocks", "--format", "helm", "--demo", "container"),
            "--format: found helm, expected manifest beside --operator kubeblocks",
        ),
        (
            ("export", "--operator", "pgo", "--format", "manifest", "--demo", "container"),
            "--format: found manifest, expected kustomize or helm beside --operator",
        ),
        (("facts", "--pg-settings", "x", "--port", "5432"), "--port: not allowed with --pg-settings"),
        (("facts", "--memory", "64GB"), "--memory, --cores: expected --pg-settings FILE beside them"),
        (("facts", "--pg-settings", "x"), "--pg-settings: expected --memory SIZE and --cores N beside it"),
        (("facts", "--pg-settings", "x", "--memory", "much"), "argument --memory: expected a size such as"),
        (("facts", "--pg-settings", "x", "--memory", "0GB"), "found '0GB', expected more than nothing"),
        (("facts", "--pg-settings", "x", "--cores", "0"), "found '0', expected a number from 1 to 4096"),
        (("facts", "--pg-settings", "x", "--cores", "²"), "expected a number from 1 to 4096"),
        (
            ("facts", "--pg-settings", "/nowhere", "--memory", "8GB", "--cores", "2"),
            "/nowhere: cannot be read: No such file or directory",
        ),
    ],
)
def test_what_it_does_not_take_is_one_message(options: tuple[str, ...], message: str) -> None:
    ended = tunewiz(*options)
    assert ended.status == 2
    assert message in ended.err
    assert len(ended.err.splitlines()) <= 2


def test_a_decision_that_cannot_be_carried_out_there_names_its_file(answers: Path) -> None:
    answers.write_text(f'{ANSWERS}[decisions]\n"pg.jit" = {{ set = "off" }}\n')
    ended = tunewiz("export", "--service", "cloudsql", "--demo", "nvme-server", "--answers", answers)
    assert ended.status == 2
    assert f'{answers}: decisions."pg.jit": jit cannot be set in Google Cloud SQL' in ended.one_message
