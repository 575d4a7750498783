"""`--watched`, `--probe` and `--log` of `facts`, `plan` and `bundle`: what cannot be used is refused."""

import json
from pathlib import Path

import pytest

from command_line import ANSWERS, tunewiz
from small_rings import ring_of
from tunewiz.core.values.known import Known
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.loading import demo_facts

DEMO = "nvme-server"


def the_facts(tmp_path: Path) -> tuple[Path, str]:
    """Facts of another machine in a file, and the data directory of its first server."""
    facts = demo_facts(DEMO)
    (tmp_path / "facts.json").write_text(facts_to_json(facts))
    directory = facts.postgres[0].data_directory
    assert isinstance(directory, Known)
    return tmp_path / "facts.json", directory.value


def commands(tmp_path: Path) -> dict[str, tuple[str | Path, ...]]:
    (tmp_path / "answers.toml").write_text(ANSWERS)
    bundle = ("--answers", tmp_path / "answers.toml", "--out", tmp_path / "out")
    return {"plan": (), "bundle": bundle}


def test_the_plan_of_another_machine_rests_on_the_busiest_hour(tmp_path: Path) -> None:
    facts, directory = the_facts(tmp_path)
    ring = ring_of(tmp_path / "ring", directory)
    without = tunewiz("plan", "--facts", facts, "--json")
    with_it = tunewiz("plan", "--facts", facts, "--json", "--watched", ring)
    assert (with_it.status, with_it.err) == (0, "")
    rate = "4 MiB/s measured here"
    assert (rate in with_it.out, rate in without.out) == (True, False)
    assert json.loads(with_it.out)["host"] == json.loads(without.out)["host"]


def test_a_bundle_has_the_busiest_hour_in_its_facts(tmp_path: Path) -> None:
    facts, directory = the_facts(tmp_path)
    ring = ring_of(tmp_path / "ring", directory)
    ended = tunewiz("bundle", "--facts", facts, "--watched", ring, *commands(tmp_path)["bundle"])
    assert (ended.status, ended.err) == (0, "")
    kept = facts_from_json((tmp_path / "out/facts.json").read_text(), "the bundle")
    window = kept.postgres[0].window
    assert isinstance(window, Known)
    assert str(ring) in window.how


@pytest.mark.parametrize("command", ["plan", "bundle"])
def test_another_machine_is_not_probed(command: str, tmp_path: Path) -> None:
    facts, _ = the_facts(tmp_path)
    for other in (("--facts", facts), ("--demo", DEMO)):
        ended = tunewiz(command, *commands(tmp_path)[command], *other, "--probe")
        assert ended.status == 2
        assert f"--probe: not allowed with {other[0]}: it measures this host's storage" in ended.err


@pytest.mark.parametrize("command", ["plan", "bundle"])
@pytest.mark.parametrize("option", ["--watched", "--log"])
def test_an_example_machine_has_neither_samples_nor_a_log(option: str, command: str, tmp_path: Path) -> None:
    ended = tunewiz(command, *commands(tmp_path)[command], "--demo", DEMO, option, tmp_path / "any")
    assert ended.status == 2
    assert f"{option}: not allowed with --demo: an example has no real server" in ended.err


@pytest.mark.parametrize("command", ["facts", "plan", "bundle"])
def test_a_server_is_watched_either_now_or_earlier(command: str, tmp_path: Path) -> None:
    more = commands(tmp_path).get(command, ())
    ended = tunewiz(command, *more, "--watch", "60s", "--watched", tmp_path / "ring")
    assert ended.status == 2
    assert "--watched: not allowed with --watch" in ended.err


def test_samples_of_the_facts_other_server_are_refused(tmp_path: Path) -> None:
    file, directory = the_facts(tmp_path)
    loads = json.loads(file.read_text())
    (first,) = loads["postgres"]
    loads["postgres"] = [first, {**first, "data_directory": "/srv/second"}]
    file.write_text(json.dumps(loads))
    ended = tunewiz("plan", "--facts", file, "--watched", ring_of(tmp_path / "ring", "/srv/second"))
    assert ended.status == 2
    assert f"found samples of the server in /srv/second, expected {directory}" in ended.one_message


def test_a_file_without_samples_is_refused(tmp_path: Path) -> None:
    facts, _ = the_facts(tmp_path)
    (tmp_path / "ring").write_text("nothing")
    for missing in ("ring", "not-there"):
        ended = tunewiz("plan", "--facts", facts, "--watched", tmp_path / missing)
        assert ended.status == 2
        assert str(tmp_path / missing) in ended.one_message


def test_a_server_is_named_once(tmp_path: Path) -> None:
    ended = tunewiz("watch", "--pgdata", tmp_path, "--port", "5432")
    assert ended.status == 2
    assert "--port: not allowed with --pgdata: both select a server" in ended.err


@pytest.mark.parametrize("show", [(), ("--show",)])
def test_what_is_no_data_directory_is_refused(show: tuple[str, ...], tmp_path: Path) -> None:
    ended = tunewiz("watch", *show, "--pgdata", tmp_path)
    assert ended.status == 2
    assert f"--pgdata: {tmp_path}: found no data directory there" in ended.one_message
