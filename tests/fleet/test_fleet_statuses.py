"""`tunewiz fleet plan` and `fleet drift` in CI: forms, files and exit statuses."""

import json
from pathlib import Path

import pytest

from command_line import Ended
from small_fleets import ANSWERS, fleet_of, write_host
from tunewiz.cli import main
from tunewiz.core.values.known import Known
from tunewiz.fleet.answers import read_fleet_answers
from tunewiz.formats.records import facts_from_json

RULE = '[[rules]]\nsetting = "{}"\n{}\nreason = "reports"\nowner = "dba"\n'


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A directory with facts of three hosts and answers."""
    (tmp_path / "facts").mkdir()
    for name in ("db1", "db2", "db3"):
        write_host(tmp_path / "facts", name)
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "default.toml").write_text(ANSWERS)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Ended:
    """A command line in this process, which is faster than one of its own."""
    _ = capsys.readouterr()
    try:
        status = main(["fleet", *map(str, arguments)])
    except SystemExit as end:  # of argparse, for wrong usage
        status = int(end.code or 0)
    written = capsys.readouterr()
    return Ended(status=status, out=written.out, err=written.err)


def plan(capsys: pytest.CaptureFixture[str], shop: Path, *more: str) -> Ended:
    return run(capsys, "plan", shop / "facts", "--answers", shop / "answers", *more)


def drift(capsys: pytest.CaptureFixture[str], shop: Path, *more: str) -> Ended:
    history = ("--history", str(shop / "history"))
    return run(capsys, "drift", shop / "facts", "--answers", shop / "answers", *history, *more)


def rules(shop: Path, *texts: str) -> None:
    (shop / "answers" / "policy.toml").write_text("schema = 1\n" + "\n".join(texts))


def set_value(shop: Path, name: str, setting: str, value: str) -> None:
    """Change a value in a host's facts, as if it had been read again."""
    file = shop / "facts" / f"{name}.json"
    document = json.loads(file.read_text())
    document["postgres"][0]["settings"][setting]["value"] = value
    file.write_text(json.dumps(document))
    assert isinstance(facts_from_json(file.read_text(), "x").host.name, Known)


def decline_everything(shop: Path) -> None:
    """Until nothing is proposed any more: what is declined lets other proposals come."""
    declined = set[str]()
    while (
        new := {
            decision.id
            for group in fleet_of(shop / "facts", read_fleet_answers(shop / "answers")).groups
            for decision in group.decisions
        }
        - declined
    ):
        declined |= new
        lines = "".join(f'"{name}" = {{ decline = true, note = "x" }}\n' for name in sorted(declined))
        (shop / "answers" / "default.toml").write_text(f"{ANSWERS}[decisions]\n{lines}")


def test_the_exit_status_tells_what_was_found_only_where_that_is_wanted(
    capsys: pytest.CaptureFixture[str], shop: Path
) -> None:
    assert plan(capsys, shop).status == 0
    assert plan(capsys, shop, "--exit-code").status == 3
    set_value(shop, "db2", "random_page_cost", "3")
    for name in ("db4", "db5"):
        write_host(shop / "facts", name)
    assert plan(capsys, shop, "--exit-code").status == 5
    rules(shop, RULE.format("host.auto_explain", "require = true"))
    assert plan(capsys, shop, "--exit-code").status == 4
    (shop / "facts" / "cut.json").write_text("{")
    assert plan(capsys, shop, "--exit-code").status == 1


def test_nothing_to_do_is_0(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    decline_everything(shop)
    assert plan(capsys, shop, "--exit-code").status == 0


def test_a_rule_that_has_expired_is_4(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    rules(shop, RULE.format("jit", "leave = true\nuntil = 2020-01-31"))
    assert plan(capsys, shop, "--exit-code").status == 4
    assert plan(capsys, shop).status == 1


def test_a_rule_for_no_host_is_1(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    rules(shop, RULE.format("jit", 'leave = true\nhosts = ["nobody"]'))
    assert plan(capsys, shop, "--exit-code").status == 1


def test_a_place_in_sarif_is_the_line_of_the_rule(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    rules(
        shop,
        RULE.format("jit", "leave = true"),
        RULE.format("host.auto_explain", "require = true"),
    )
    log = json.loads(plan(capsys, shop, "--format", "sarif").out)
    (result,) = [one for one in log["runs"][0]["results"] if one["ruleId"] == "policy-broken"]
    line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    lines = (shop / "answers" / "policy.toml").read_text().splitlines()
    assert lines[line - 1 : line + 1] == ["[[rules]]", 'setting = "host.auto_explain"']


def test_several_forms_are_written_at_once(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    names = ("markdown", "junit", "sarif", "json", "prometheus")
    files = [f"--format={name}={shop / name}" for name in names]
    done = plan(capsys, shop, *files, "--format", "text")
    assert "3 hosts in 1 group" in done.out
    assert done.out == plan(capsys, shop).out
    for name in names:
        assert (shop / name).read_text() == plan(capsys, shop, "--format", name).out
    assert plan(capsys, shop, "--json").out == (shop / "json").read_text()
    assert {path.name for path in shop.iterdir()} == {"facts", "answers", *names}


def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    done = plan(capsys, shop, f"--format=sarif={shop}/nowhere/x.sarif")
    assert done.status == 2
    assert "nowhere/x.sarif: cannot be written: No such file or directory" in done.err


def test_a_device_is_written_to_and_not_replaced(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    assert plan(capsys, shop, "--format=json=/dev/null").status == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plan", "F", "--format", "html"), "expected one of text, markdown, junit, sarif, json, prometheus"),
        (("plan", "F", "--format", "sarif="), "expected one of text, markdown"),
        (("plan", "F", "--format", "sarif", "--json"), "found sarif and json on standard output"),
        (("plan", "F", "--page", "0"), "expected a whole number from 1"),
        (("plan", "F", "--page", "1", "--all"), "found --page and --all"),
        (("plan", "F", "--page", "1", "--json"), "only text and markdown have pages"),
        (("plan", "F", "--page", "2"), "--page: found 2, expected at most 1"),
        (("plan", "F", "--history", "h"), "--history belongs to `tunewiz fleet drift`"),
        (("plan", "F", "--keep", "3"), "--keep belongs to `tunewiz fleet drift`"),
        (("write", "F", "--exit-code"), "--exit-code belongs to `tunewiz fleet plan`"),
        (("collect", "-o", "x", "--format", "json"), "--format belongs to `tunewiz fleet plan`"),
        (("drift", "F"), "expected --history DIR"),
        (("drift", "F", "--history", "h", "-o", "x"), "-o belongs to `tunewiz fleet write`"),
        (("dashboard", "F"), "fleet dashboard: expected nothing"),
        (("plan", "/nowhere"), "found no host that can be planned"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], shop: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run(capsys, *(str(shop / "facts") if text == "F" else text for text in arguments))
    assert done.status == 2
    assert message in done.err


def test_drift_is_told_against_last_time_plan_and_rules(
    capsys: pytest.CaptureFixture[str], shop: Path
) -> None:
    first = drift(capsys, shop, "--exit-code")
    assert first.status == 0
    assert "The first collection: nothing to compare with yet" in first.out
    set_value(shop, "db2", "random_page_cost", "1.1")
    planned = drift(capsys, shop, "--exit-code")
    assert planned.status == 0
    assert "0 values changed that no plan asked for, 1 more as planned" in planned.out
    set_value(shop, "db2", "random_page_cost", "7")
    drifted = drift(capsys, shop, "--exit-code", f"--format=prometheus={shop / 'x.prom'}", "--format=text")
    assert drifted.status == 5
    rows = [line.split() for line in drifted.out.splitlines()]
    assert ["db2", "random_page_cost", "1.1", "7", "left", "the", "plan"] in rows
    assert 'tunewiz_fleet_host_changed_values{host="db2",major="15"} 1\n' in (shop / "x.prom").read_text()
    assert 'tunewiz_fleet_host_changed_values{host="db1",major="15"} 0\n' in (shop / "x.prom").read_text()
    assert drift(capsys, shop).status == 0
    rules(shop, RULE.format("random_page_cost", 'at_most = "4"'))
    against = drift(capsys, shop, "--exit-code", "--format", "json")
    assert against.status == 4
    document = json.loads(against.out)
    assert document["policy_today"] == [{"host": "db2", "rule": "random_page_cost at most 4", "value": "7"}]
    assert [change["host"] for change in document["changed"]] == ["db2"]


@pytest.mark.parametrize(
    ("demand", "value", "kept"),
    [
        ('at_most = "3"', "4", False),
        ('at_most = "4"', "4", True),
        ('at_least = "2"', "1.5", False),
        ('at_least = "2"', "2", True),
        ('value = "2"', "2.0", True),
        ('value = "2"', "4", False),
        ("leave = true", "4", True),
        ("require = true", "4", True),
    ],
)
def test_values_of_today_are_compared_with_the_rules(
    capsys: pytest.CaptureFixture[str], shop: Path, demand: str, value: str, *, kept: bool
) -> None:
    for name in ("db1", "db2", "db3"):
        set_value(shop, name, "random_page_cost", value)
    rules(shop, RULE.format("random_page_cost", demand))
    document = json.loads(drift(capsys, shop, "--format", "json").out)
    assert [one["host"] for one in document["policy_today"]] == ([] if kept else ["db1", "db2", "db3"])


def test_the_dashboard_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(capsys, "dashboard").out)["uid"] == "tunewiz-fleet"
