"""Exports for managed services: what the provider's programs are given, whatever is in it, and the undo."""

import dataclasses
import itertools
import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixtures_golden import Golden
from tunewiz.core.keepers.exported import Export, NotExported, ProviderSetting, answers_there, exported
from tunewiz.core.keepers.services import ExportFormat, Parameter, ServiceName
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.managed.document import export_text
from tunewiz.managed.loading import load_service
from tunewiz.managed.quoting import comment, hcl_string
from tunewiz.planning import default_answers, make_plan

NAMES: tuple[ServiceName, ...] = get_args(ServiceName)
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
HOSTILE = "a'b\"c $(touch here) `touch here` ${x} %{y} \\ | ; : # @ ~, =\\n"
PROGRAMS = ("aws", "gcloud", "az", "avn")
ENVIRONMENT = {"GROUP": "g 1", "INSTANCE": "i 1", "SERVER": "s 1", "SERVICE": "v 1", "FLAGS": ""}
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


def demo_export(demo: str, name: ServiceName) -> Export:
    facts, knowledge, service = demo_facts(demo), load_knowledge(), load_service(name)
    answers = answers_there(default_answers(facts, knowledge), service, knowledge.catalogue, "answers")
    return exported(make_plan(facts, answers, knowledge), service, demo)


def setting(name: str, value: str, before: str = "", *, static: bool = False) -> ProviderSetting:
    return ProviderSetting(
        name=name,
        parameter=Parameter(apply="static" if static else "dynamic"),
        value=value,
        text=value,
        planned=value,
        before=before,
        number=False,
        because="a reason\nin two lines",
    )


def export_of(name: ServiceName, *settings: ProviderSetting) -> Export:
    left_out = (NotExported(name="x", text="y\nz", why="it is\nnot there"),)
    return Export(service=load_service(name), major="17", host="db\n1", settings=settings, left_out=left_out)


def read_hcl(literal: str) -> str:
    """What a quoted literal stands for, read as Terraform does; it may hold no template."""
    assert literal[0] == literal[-1] == '"'
    inner = literal[1:-1]
    assert not re.search(r"[$%]\{", inner), "a template"
    match = re.fullmatch(r'(?:[^"\\\n]|\\[nrt"\\]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8})*', inner)
    assert match, literal
    return re.sub(r"\\(u[0-9a-f]{4}|U[0-9a-f]{8}|.)", escaped, inner)


def escaped(match: re.Match[str]) -> str:
    body = match[1]
    return chr(int(body[1:], 16)) if body[0] in "uU" else ESCAPES[body]


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.text('${%\\"n{}u0024'))
def test_a_literal_of_terraform_stands_for_exactly_the_text(text: str) -> None:
    literal = hcl_string(text)
    assert literal.isascii()
    assert read_hcl(literal) == text


@given(st.text())
def test_a_comment_is_one_line_whatever_is_in_it(text: str) -> None:
    line = comment(text)
    assert line.startswith("#")
    assert line.isascii()
    assert len(line.splitlines()) == 1


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """The providers' programs, which write down what they are given."""
    folder = tmp_path / "bin"
    folder.mkdir()
    log = shlex.quote(str(tmp_path / "given"))
    for name in PROGRAMS:
        file = folder / name
        line = f"{{ printf '%s\\037' {name} \"$@\"; printf '\\036'; }} >>{log}"
        file.write_text(f"#!/bin/sh\n{line}\n")
        file.chmod(0o755)
    return folder


def run(script: str, programs: Path, **environment: str) -> list[list[str]]:
    """The commands that a script runs."""
    log = programs.parent / "given"
    log.unlink(missing_ok=True)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["sh", "-c", script],
        check=True,
        env={**ENVIRONMENT, **environment, "PATH": path},
        cwd=programs.parent,
        timeout=60,
    )
    assert not (programs.parent / "here").exists()
    commands = log.read_text().split("\x1e")[:-1] if log.exists() else []
    return [command.split("\x1f")[:-1] for command in commands]


def after(commands: list[list[str]], state: Mapping[str, str]) -> Mapping[str, str]:
    """What is set there after the commands, as the providers document them."""
    result = dict(state)
    for program, *arguments in commands:
        match program:
            case "aws":
                change_group(arguments, result)
            case "gcloud":
                result = flags_of(arguments[-1])
            case "az":
                pairs = dict(itertools.pairwise(arguments))
                result[pairs["--name"]] = pairs["--value"]
            case _:
                change_options(arguments, result)
    return result


def change_group(arguments: list[str], state: dict[str, str]) -> None:
    parameters = json.loads(arguments[arguments.index("--parameters") + 1])
    assert len(parameters) <= 20
    for parameter in parameters:
        assert parameter["ApplyMethod"] in ("immediate", "pending-reboot")
        if arguments[1].startswith("modify"):
            state[parameter["ParameterName"]] = parameter["ParameterValue"]
        else:
            state.pop(parameter["ParameterName"], None)


def flags_of(argument: str) -> dict[str, str]:
    """A dictionary with an alternative delimiter (gcloud topic escaping)."""
    match = re.fullmatch(r"--database-flags=\^(.+?)\^(.*)", argument, re.DOTALL)
    assert match
    pairs = (part.partition("=") for part in match[2].split(match[1]) if part)
    return {name: value for name, _, value in pairs}


def change_options(arguments: list[str], state: dict[str, str]) -> None:
    for option, value in itertools.pairwise(arguments):
        if option == "-c":
            name, _, text = value.partition("=")
            state[name] = text
        elif option == "--remove-option":
            state.pop(value, None)


def before_of(export: Export) -> Mapping[str, str]:
    return {entry.path: entry.before for entry in export.settings if entry.before}


@pytest.mark.parametrize("name", NAMES)
def test_the_script_sets_every_value_and_its_undo_takes_it_back(name: ServiceName, programs: Path) -> None:
    export = demo_export("nvme-server", name)
    before = before_of(export)
    applied = after(run(export_text(export, name, "cli", undo=False), programs), before)
    assert applied == {entry.path: entry.value for entry in export.settings}
    undone = after(run(export_text(export, name, "cli", undo=True), programs), applied)
    if name == "azure":  # its program has no way back to a default: the script names the settings
        reset = {entry.path for entry in export.settings if not entry.before}
        assert {path: value for path, value in undone.items() if path not in reset} == before
        assert all(
            f"# {path}: in the portal" in export_text(export, name, "cli", undo=True) for path in reset
        )
    else:
        assert undone == before


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_value_arrives_as_it_is_and_runs_nothing(name: ServiceName, programs: Path) -> None:
    export = export_of(name, setting("log_line_prefix", HOSTILE, HOSTILE[::-1]), setting("jit", "off"))
    applied = after(run(export_text(export, name, "cli", undo=False), programs), {})
    assert applied == {"log_line_prefix": HOSTILE, "jit": "off"}
    undone = after(run(export_text(export, name, "cli", undo=True), programs), applied)
    assert undone["log_line_prefix"] == HOSTILE[::-1]


@given(
    st.lists(
        st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=12), min_size=1, max_size=4
    )
)
def test_flags_of_cloud_sql_are_told_apart_whatever_is_in_them(values: list[str]) -> None:
    settings = [setting(f"s{number}", value) for number, value in enumerate(values)]
    text = export_text(export_of("cloudsql", *settings), "cloudsql", "cli", undo=False)
    line = next(line for line in text.splitlines() if "--database-flags=" in line)
    (quoted, *_) = shlex.split(line)
    argument = quoted.partition("${FLAGS:+")[0]
    assert flags_of(argument) == {entry.name: entry.value for entry in settings}


def test_other_flags_of_cloud_sql_are_kept(programs: Path) -> None:
    export = export_of("cloudsql", setting("work_mem", "65536"), setting("jit", "off"))
    commands = run(export_text(export, "cloudsql", "cli", undo=False), programs, FLAGS="log_statement=ddl")
    assert after(commands, {}) == {"work_mem": "65536", "jit": "off", "log_statement": "ddl"}


@pytest.mark.parametrize(("flags", "expected"), [("a=1|b=2", {"a": "1", "b": "2"}), ("", None)])
def test_an_undo_of_flags_that_nobody_had_set_leaves_the_others(
    flags: str, expected: Mapping[str, str] | None, programs: Path
) -> None:
    export = export_of("cloudsql", setting("work_mem", "65536"))
    commands = run(export_text(export, "cloudsql", "cli", undo=True), programs, FLAGS=flags)
    assert (after(commands, {}) if commands else None) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_script_without_the_names_that_it_needs_runs_nothing(name: ServiceName, programs: Path) -> None:
    script = export_text(demo_export("small-vm", name), name, "cli", undo=False)
    ended = subprocess.run(
        ["/bin/sh", "-c", script],
        check=False,
        capture_output=True,
        text=True,
        env={"PATH": str(programs)},
        timeout=60,
    )
    assert ended.returncode != 0
    assert "set it to the" in ended.stderr
    assert not (programs.parent / "given").exists()


def literals(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.lstrip().startswith("#"):
            yield from re.findall(r'"(?:[^"\\]|\\.)*"', line)


@pytest.mark.parametrize("name", NAMES)
def test_terraform_has_every_value_and_its_undo_those_of_before(name: ServiceName) -> None:
    export = export_of(name, setting("log_line_prefix", HOSTILE, HOSTILE[::-1]), setting("jit", "off"))
    for undo, expected, missing in ((False, {HOSTILE, "off"}, set[str]()), (True, {HOSTILE[::-1]}, {"off"})):
        text = export_text(export, name, "terraform", undo=undo)
        values = {read_hcl(literal) for literal in literals(text)}
        assert expected <= values
        assert not missing & values


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", FORMATS)
def test_an_export_of_nothing_says_so(name: ServiceName, form: ExportFormat) -> None:
    text = export_text(export_of(name), name, form, undo=False)
    assert "# Nothing to set" in text
    assert all(line.startswith("#") or not line for line in text.splitlines())


@pytest.mark.parametrize("name", NAMES)
def test_braces_and_brackets_of_terraform_are_closed(name: ServiceName) -> None:
    for undo in (False, True):
        text = export_text(demo_export("small-vm", name), name, "terraform", undo=undo)
        code = re.sub(r'"(?:[^"\\]|\\.)*"|#.*', "", text)
        assert code.count("{") == code.count("}") > 0


def test_what_waits_for_a_restart_is_named() -> None:
    export = export_of("rds", setting("shared_buffers", "1", static=True), setting("jit", "0"))
    text = export_text(export, "rds", "terraform", undo=False)
    assert "# In force at once: jit\n# Waits for a restart: shared_buffers\n" in text
    assert text.count('"pending-reboot"') == text.count('"immediate"') == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", FORMATS)
def test_no_line_of_a_comment_is_taken_for_code(name: ServiceName, form: ExportFormat) -> None:
    export = export_of(name, setting("jit", "0"))
    text = export_text(
        dataclasses.replace(export, host='"\n}\nrm -rf /tmp/nothing\n'), name, form, undo=False
    )
    assert not [line for line in text.splitlines() if line.startswith(("rm", "}rm", "in two", "not there"))]


@pytest.mark.parametrize("demo", ["nvme-server", "small-vm"])
@pytest.mark.parametrize("name", NAMES)
def test_exports_are_as_they_were_reviewed(demo: str, name: ServiceName, golden: Golden) -> None:
    export = demo_export(demo, name)
    for undo, what in ((False, "set"), (True, "undo")):
        for form in FORMATS:
            end = "sh" if form == "cli" else "tf"
            golden(f"services/{demo}/{name}-{what}.{end}", export_text(export, name, form, undo=undo))
