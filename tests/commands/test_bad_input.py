"""Unusable input ends with status 2 and one message: where, found, expected. Never a traceback."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from command_line import ANSWERS, TUNEWIZ, Ended, tunewiz


def plan_of(tmp_path: Path, facts: str | bytes) -> Ended:
    file = tmp_path / "facts.json"
    file.write_bytes(facts.encode() if isinstance(facts, str) else facts)
    return tunewiz("plan", "--facts", file)


def refused(ended: Ended) -> str:
    assert ended.status == 2, ended
    assert ended.out == ""
    return ended.one_message


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ("", "facts.json: not valid JSON: Expecting value (line 1, column 1)"),
        ("{", "facts.json: not valid JSON"),
        ('{"schema": 1}', "facts.json: expected facts (host, cpu, memory, …), found none"),
        ('{"schema": 1}garbage', "facts.json: not valid JSON: Extra data (line 1, column 14)"),
        (b"\xff\xfe{}", "facts.json: found byte 0 that is not valid UTF-8, expected text"),
        ('{"schema": 2}', "facts.json: schema: found 2, expected 1"),
        ('{"schema": 1, "memroy": {}}', 'facts.json: found the unknown key "memroy", expected memory?'),
        (
            '{"schema": 1, "memory": {"total": 0}}',
            "facts.json: memory.total: found 0 bytes, expected 1 MiB to",
        ),
        ('{"schema": 1, "cpu": {"cores": -4}}', "facts.json: cpu.cores: found -4, expected 1 to"),
        (
            '{"schema": 1, "cpu": {"cores": "four"}}',
            'facts.json: cpu.cores: found "four", expected a whole number',
        ),
    ],
)
def test_broken_facts(tmp_path: Path, facts: str | bytes, message: str) -> None:
    assert message in refused(plan_of(tmp_path, facts))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("schema = 1", "schema = 3"), "answers.toml: schema: found 3, expected 1"),
        (("[workload]", "[workload"), "answers.toml: not valid TOML: Expected ']' "),
        (("kind", "knid"), 'answers.toml: workload: found the unknown key "knid", expected kind?'),
        (("oltp", "web"), 'answers.toml: workload.kind: found "web", expected one of oltp, read_mostly'),
        (("200", "0"), "answers.toml: workload.connections: found 0, expected 1 to 262143"),
        (("oltp", "OLTP"), 'answers.toml: workload.kind: found "OLTP", expected one of oltp, read_mostly'),
        (("oltp", "analytic"), "mixed, analytics. Did you mean analytics?"),
        (
            ("200", "1" + "0" * 18),
            "answers.toml: workload.connections: found 1000000000000000000, expected 1",
        ),
        (
            ("256GB", "256 gigs"),
            'answers.toml: workload.database_size: found "256 gigs", expected a size such as',
        ),
    ],
)
def test_broken_answers(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    file = tmp_path / "answers.toml"
    file.write_text(ANSWERS.replace(*change))
    assert message in refused(tunewiz("plan", "--demo", "nvme-server", "--answers", file))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ('"pg.banana" = { accept = true }', "answers.toml: decisions.pg.banana: found no recommendation"),
        ('"pg.share_buffers" = { accept = true }', "Did you mean pg.shared_buffers?"),
        ('"pg.workmem" = { accept = true }', "Did you mean pg.work_mem?"),
        ('"pg.huge_pages" = { set = "onn" }', "huge_pages: expected on?, found 'onn'"),
        (
            '"pg.work_mem" = { set = "banana" }',
            "answers.toml: decisions.pg.work_mem: work_mem: expected a size",
        ),
        (
            '"pg.work_mem" = { set = "900GB" }',
            "answers.toml: decisions: the values set by hand for work_mem",
        ),
        ('"host.smt" = { set = "4" }', "answers.toml: decisions.host.smt: it is advice for a person"),
        ('"kernel.swap" = { set = "1GB" }', "answers.toml: decisions.kernel.swap: there is no value to set"),
    ],
)
def test_decisions_that_cannot_be(tmp_path: Path, said: str, message: str) -> None:
    file = tmp_path / "answers.toml"
    file.write_text(f"{ANSWERS}[decisions]\n{said}\n")
    assert message in refused(tunewiz("plan", "--demo", "nvme-server", "--answers", file))


def test_a_server_setting_that_cannot_be_is_told_with_the_facts_file(tmp_path: Path) -> None:
    made = tmp_path / "made.json"
    tunewiz("bundle", "--demo", "nvme-server", "--answers", _answers(tmp_path), "-o", tmp_path / "b")
    facts = json.loads((tmp_path / "b" / "facts.json").read_text())
    facts["postgres"][0]["settings"]["work_mem"] = {"value": "plenty"}
    made.write_text(json.dumps(facts))
    message = refused(tunewiz("plan", "--facts", made))
    assert "made.json: postgres.0.settings.work_mem: expected a size such as" in message


def _answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.toml"
    file.write_text(ANSWERS)
    return file


def test_a_plan_without_a_server_and_without_a_major_says_what_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    file.write_text('{"schema": 1, "host": {"name": "mute"}}')
    message = refused(tunewiz("plan", "--facts", file, "--answers", _answers(tmp_path)))
    assert "server.postgres: found nothing, expected one of 9.5, 9.6, 10" in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("plan", "--facts", "/none/facts.json"),
            "/none/facts.json: cannot be read: No such file or directory",
        ),
        (("plan", "--facts", "/proc"), "/proc: cannot be read: Is a directory"),
        (("plan", "--facts", "/dev/zero"), "/dev/zero: found more than 64 MiB, expected less"),
        (("plan", "--demo", "cray"), "--demo: found 'cray', expected one of "),
        (("plan", "--demo", "nvme"), "--demo: found 'nvme', expected nvme-server?"),
        (("sessions", "--remove", "z13"), "sessions: found no session 'z13'\n`tunewiz sessions` lists them."),
        (("facts", "--root", "/none"), "--root: /none: found no such directory"),
        (("facts", "--root", "/etc"), "--root: /etc: found neither proc/ nor sys/ in it"),
        (
            ("facts", "-o", "/none/facts.json"),
            "/none/facts.json: cannot be written: No such file or directory",
        ),
        (("explain", "pg.shared_bufers"), "found 'pg.shared_bufers', expected pg.shared_buffers?"),
        (("check", "/none"), "/none"),
        (("check", "/etc"), "/etc: expected a bundle, found no SHA256SUMS in it"),
    ],
)
def test_what_is_named_and_is_not_there(arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(tunewiz(*arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plan", "--jason"), "tunewiz plan: unrecognized arguments: --jason. Did you mean --json?"),
        (("plan", "--collector"), "tunewiz plan: unrecognized arguments: --collector\n"),
        (("frobnicate",), "expected one of facts, plan, bundle"),
        (("paln",), "tunewiz: argument COMMAND: found 'paln', expected plan?"),
        (
            ("plan", "--facts", "a", "--demo", "b"),
            "tunewiz plan: argument --demo: not allowed with argument --facts",
        ),
        (
            ("bundle", "--demo", "b"),
            "tunewiz bundle: the following arguments are required: -o/--out",
        ),
        (("--demo", "b", "plan"), "--demo before `plan` is an option of the wizard"),
        (("--resume", "--demo", "b"), "tunewiz: argument --demo: not allowed with argument --resume"),
        (("check",), "tunewiz check: the following arguments are required: BUNDLE"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], message: str) -> None:
    ended = tunewiz(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err
    assert "--help" in ended.err
    assert len(ended.err.splitlines()) == 2


def test_a_bundle_never_goes_over_a_directory(tmp_path: Path) -> None:
    ended = tunewiz("bundle", "--demo", "nvme-server", "--answers", _answers(tmp_path), "-o", tmp_path)
    assert f"{tmp_path}: already exists; choose another name" in refused(ended)


def test_the_wizard_refuses_without_a_terminal_and_names_the_headless_command() -> None:
    message = refused(tunewiz())
    assert "the wizard needs a terminal" in message
    assert "`tunewiz bundle --answers FILE -o DIR`" in message


def test_a_reader_that_goes_away_is_no_event() -> None:
    with subprocess.Popen(
        [*TUNEWIZ, "facts"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()
        status = running.wait()
    assert (status, said) == (141, "")


def test_an_interrupt_ends_quietly(tmp_path: Path) -> None:
    pipe = tmp_path / "facts.json"
    os.mkfifo(pipe)
    line = [*TUNEWIZ, "plan", "--facts", str(pipe)]
    # The pipe opens when the program begins to read it.
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as running, pipe.open("w"):
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        said = running.stderr.read()
    assert (running.returncode, said) == (130, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this kernel has no /dev/full")  # noqa: PTH110 - at import
def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*TUNEWIZ, "demo"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 74
    assert done.stderr == "tunewiz: standard output: No space left on device\n"


def test_a_closed_standard_output_is_told() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *TUNEWIZ, "demo"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (74, "tunewiz: standard output: it is closed\n")


def test_control_characters_in_facts_never_reach_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    file.write_text(json.dumps({"schema": 1, "host": {"name": "a\u001b]0;b\u0007"}}))
    ended = tunewiz("plan", "--facts", file)
    assert ended.status == 0
    assert "\x1b" not in ended.out
    assert "\\x1b]0;b\\x07" in ended.out


def test_a_terminal_of_another_encoding_gets_question_marks_and_no_traceback() -> None:
    ended = tunewiz("plan", "--demo", "nvme-server", environment={"PYTHONIOENCODING": "ascii"})
    assert (ended.status, ended.err) == (0, "")


def test_samples_that_nobody_could_read_are_not_kept(tmp_path: Path) -> None:
    message = refused(tunewiz("watch", "--keep", "400d", "--every", "1s", "--ring", tmp_path / "ring"))
    assert "watch: found 36.8 GiB of samples, expected at most 512 MiB" in message
    assert not (tmp_path / "ring").exists()
