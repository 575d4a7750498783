"""Reports of a fleet for forges and CI: valid, stable, and harmless whatever a host or a person wrote."""

import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reported_fleets import FORMS, fleet_from, saying
from small_fleets import decision, host
from tunewiz.core.fleet.concerns import worrying
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.history import FIRST, HostValueChange, SinceLast
from tunewiz.core.fleet.hosts import HostPlan
from tunewiz.core.fleet.remarks import KINDS, remarks_of
from tunewiz.core.fleet.sections import GROUPS_A_PAGE, ReportPage
from tunewiz.core.values.errors import UsageError
from tunewiz.fleet.pull_request import plan_markdown
from tunewiz.formats.junit import junit
from tunewiz.formats.sarif import sarif
from tunewiz.text.fleet import fleet_text

HOSTILE = (
    "a|b`c``d",
    "<script>alert(1)</script>",
    "one\ntwo\r\nthree\n\n# four",
    "![p](http://x.example/y) [l](javascript:z) @team #12",
    "]]>&<!--\x00\x1b[2J\ufffe\u202e",
    '"\\{0}$GITHUB_ENV ::error::x',
    "\udcff",
)


def hostile_fleet(text: str) -> Fleet:
    return fleet_from(saying(text), saying(text, "db2"), text=text, unused=(f"answers/x.toml: {text}",))


def since(text: str) -> SinceLast:
    change = HostValueChange(host="db1", name=text, before=text, after=text, against_plan="off plan")
    return SinceLast(changed=(change,), new=(text,), gone=(text,), lost=(text,))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", FORMS)
def test_no_control_character_of_a_host_reaches_a_report(form: str, text: str) -> None:
    made = FORMS[form](hostile_fleet(text), since(text))
    assert all(letter.isprintable() or letter == "\n" for letter in made)
    _ = made.encode("utf-8")


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", ["markdown", "drift in markdown"])
def test_markdown_shows_what_hosts_say_and_obeys_none_of_it(form: str, text: str) -> None:
    tokens = (
        MarkdownIt("commonmark", {"html": True})
        .enable("table")
        .parse(FORMS[form](hostile_fleet(text), since(text)))
    )
    inner = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inner)}
    assert not kinds & {"html_block", "html_inline", "image", "link_open", "em_open", "strong_open", "fence"}
    titles = [inline.content for opening, inline in pairwise(tokens) if opening.type == "heading_open"]
    assert all(text[:5] not in title for title in titles)
    rows = [token for token in tokens if token.type == "tr_open"]
    assert len(rows) > 5


@pytest.mark.parametrize("text", HOSTILE)
def test_a_table_of_markdown_has_as_many_cells_in_each_row_as_in_its_head(text: str) -> None:
    made = MarkdownIt("commonmark").enable("table").render(FORMS["markdown"](hostile_fleet(text), FIRST))
    for table in re.findall(r"<table>.*?</table>", made, re.DOTALL):
        cells = {len(re.findall(r"<t[hd]>", row)) for row in table.split("<tr>")[1:]}
        assert len(cells) == 1


@pytest.mark.parametrize("text", ["plain", *HOSTILE])
def test_junit_counts_what_it_holds(text: str) -> None:
    root = ET.fromstring(junit(hostile_fleet(text), since(text)))  # noqa: S314 - our own
    assert root.tag == "testsuites"
    for suite in root:
        assert suite.tag == "testsuite"
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert int(suite.attrib["errors"]) == len(suite.findall("testcase/error"))
        assert all({"classname", "name"} <= case.attrib.keys() for case in suite)
    assert [suite.attrib["name"] for suite in root] == ["pg15-1", "policy", "answers", "not planned"]
    assert len(root.findall("testsuite/testcase/error")) == 1


def test_a_host_without_concern_passes_and_its_changes_are_its_output() -> None:
    root = ET.fromstring(junit(fleet_from(host("db1", (decision("jit", "off"),)))))  # noqa: S314 - our own
    (case,) = root.findall("testsuite/testcase")
    assert case.find("failure") is None
    assert case.findtext("system-out") == "jit: 1MB -> off (reload)"


def test_text_in_junit_is_read_back_as_it_was() -> None:
    text = 'a<b>&"c"\' -> d'
    root = ET.fromstring(junit(hostile_fleet(text)))  # noqa: S314 - our own
    (failed,) = root.findall("testsuite[@name='not planned']/testcase")
    assert failed.attrib["name"] == text


def checked_sarif(text: str) -> list[dict[str, object]]:
    """The results of a log, once it has what SARIF 2.1.0 requires."""
    log = json.loads(text)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "tunewiz"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len({*ids}) == len(ids)
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
        for location in result["locations"]:
            physical = location["physicalLocation"]
            assert physical["region"]["startLine"] >= 1
            address: str = physical["artifactLocation"]["uri"]
            assert re.fullmatch(r"[A-Za-z0-9._~/%:-]+", address)
            assert ":" not in address or address.startswith("file:///")
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
    return list(run["results"])


@pytest.mark.parametrize("text", ["plain", *HOSTILE])
def test_sarif_has_what_its_standard_requires(text: str) -> None:
    results = checked_sarif(sarif(remarks_of(hostile_fleet(text), since(text))))
    assert {result["ruleId"] for result in results} >= {*KINDS} - {"value-unlike-group"}


def test_sarif_knows_a_finding_again_when_only_figures_changed() -> None:
    def marks(value: str) -> list[object]:
        fleet = fleet_from(host("db1", (decision("work_mem"),), values=(value,)))
        return [result["partialFingerprints"] for result in checked_sarif(sarif(remarks_of(fleet)))]

    assert marks("4MB") == marks("8MB")


def test_two_findings_of_a_log_have_two_fingerprints() -> None:
    results = checked_sarif(sarif(remarks_of(hostile_fleet("plain"), since("plain"))))
    marks = [str(result["partialFingerprints"]) for result in results]
    assert len({*marks}) == len(marks)


@given(st.text(min_size=1))
def test_an_address_in_sarif_names_the_file(name: str) -> None:
    fleet = fleet_from(saying("x"), text=name.replace("/", "_"))
    results = checked_sarif(sarif(remarks_of(fleet)))
    (result,) = [result for result in results if result["ruleId"] == "host-not-planned"]
    uri = json.loads(json.dumps(result))["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert Path(unquote(uri, errors="surrogateescape")) == Path(f"facts/{name.replace('/', '_')}")


LINE = re.compile(
    r"# HELP [a-z_]+ [^\n]+|# TYPE [a-z_]+ gauge"
    r'|[a-z_]+(?:\{[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*\})? -?[0-9]+'
)


@pytest.mark.parametrize("text", ["plain", *HOSTILE])
def test_metrics_are_lines_that_prometheus_reads(text: str) -> None:
    made = FORMS["prometheus"](hostile_fleet(text), since(text))
    assert made.endswith("\n")
    lines = made.splitlines()
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    series = [line.rsplit(" ", 1)[0] for line in lines if not line.startswith("#")]
    assert len({*series}) == len(series)
    typed = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len({*typed}) == len(typed)
    assert {re.split(r"[{ ]", name)[0] for name in series} == {*typed}


def many(count: int) -> Iterator[HostPlan]:
    for number in range(count):
        yield host(
            f"db{number:05}", (decision(f"s{number % 40}", "on"),), now={"a": "1" if number % 97 else "2"}
        )


@pytest.mark.parametrize("form", FORMS)
def test_the_order_of_the_hosts_changes_no_report(form: str) -> None:
    plans = list(many(300))
    once = FORMS[form](fleet_from(*plans), FIRST)
    for seed in range(3):
        random.Random(seed).shuffle(plans)  # noqa: S311 - an order
        assert FORMS[form](fleet_from(*plans), FIRST) == once


def test_a_value_that_changes_moves_no_other_line() -> None:
    def lines(value: str) -> list[str]:
        decisions = (decision("jit", "off"), decision("work_mem", value))
        return fleet_text(fleet_from(host("db1", decisions))).splitlines()

    before, after = lines("4MB"), lines("a value wider than its column")
    assert [line for line in before if "work_mem" not in line] == [
        line for line in after if "work_mem" not in line
    ]


def test_many_hosts_are_read_page_by_page_the_worst_first() -> None:
    fleet = fleet_from(*many(10_000), saying("bad", "worst"))
    first, second = (fleet_text(fleet, ReportPage(number=number)).splitlines() for number in (1, 2))
    assert len(first) < 150
    assert "Page 1 of " in first[-1]
    rows = [line.split()[0] for line in first if line.startswith("  ") and "pg15-" in line]
    assert rows[0] == "worst"
    assert "Groups, the worst first (41)" in first
    groups = [[line for line in page if re.match(r"pg15-\d+: ", line)] for page in (first, second)]
    assert groups[0][0].startswith("pg15-41: 1 host")
    assert not {*groups[0]} & {*groups[1]}
    assert len(groups[0]) == GROUPS_A_PAGE


def test_all_pages_together_are_the_whole() -> None:
    fleet = fleet_from(*many(500))
    whole = {line for line in fleet_text(fleet).splitlines() if "pg15-" in line}
    pages = {
        line
        for number in range(1, 9)
        for line in fleet_text(fleet, ReportPage(number=number)).splitlines()
        if "pg15-" in line
    }
    assert pages == whole


def test_a_small_fleet_has_no_pages() -> None:
    assert "Page" not in fleet_text(fleet_from(*many(3)), ReportPage(number=1))


@pytest.mark.parametrize("written", [fleet_text, plan_markdown])
def test_a_page_that_there_is_not_is_refused(written: object) -> None:
    assert callable(written)
    with pytest.raises(UsageError, match="--page: found 2, expected at most 1"):
        written(fleet_from(*many(3)), ReportPage(number=2))


def test_hosts_without_concern_are_not_listed() -> None:
    assert worrying(fleet_from(host("db1", (decision("jit", "off"),)))) == ()
