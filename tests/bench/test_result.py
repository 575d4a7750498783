"""What is told of a run that has ended."""

from pathlib import Path

import pytest

from tunewiz.bench.bundle import BundleRead
from tunewiz.bench.run import RunDirectory
from tunewiz.bundle.check import ServerPart
from tunewiz.commands.bench_result import result
from tunewiz.commands.options import Options


def test_a_result_that_another_command_has_shown_is_not_called_a_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = ServerPart(major="15", data_directory="/nowhere", config_file="/nowhere/postgresql.conf")
    bundle = BundleRead(directory=tmp_path, digest="", server=server, changes=(), values={})
    assert result(RunDirectory(tmp_path / "prove"), bundle.directory, Options()) == 5
    said = capsys.readouterr().err
    assert "another command that followed the run has shown its result" in said
    assert "NOT put back" not in said
