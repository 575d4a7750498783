"""`tunewiz check`: whole or not, and this host or not."""

import dataclasses
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from pretend_root import DATA
from small_plans import identity, small_answers, small_facts, small_plan, with_settings
from tunewiz.bundle import check_bundle, write_bundle
from tunewiz.bundle.since_applied import applied_at, since_applied
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Setting
from tunewiz.core.values.errors import BundleError
from tunewiz.core.values.known import Known, Unknown
from tunewiz.formats.records import answers_to_toml, facts_to_json


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    facts = small_facts()
    write_bundle(small_plan(facts), tmp_path / "b", facts_to_json(facts), answers_to_toml(small_answers()))
    return tmp_path / "b"


def with_kernel(facts: Facts, changed: Mapping[str, int | str]) -> Facts:
    settings = {**facts.kernel.settings, **{name: Known(value, "test") for name, value in changed.items()}}
    return dataclasses.replace(
        facts, kernel=dataclasses.replace(facts.kernel, settings=MappingProxyType(settings))
    )


def test_a_fresh_bundle_on_its_host_is_in_order(bundle: Path) -> None:
    assert check_bundle(bundle, small_facts()) == ()


def test_a_changed_file_is_named(bundle: Path) -> None:
    with (bundle / "apply.sh").open("a") as script:
        script.write("#")
    assert check_bundle(bundle, small_facts()) == ("apply.sh: was changed since the bundle was written",)


def test_a_missing_and_a_strange_file_are_named(bundle: Path) -> None:
    (bundle / "facts.json").unlink()
    (bundle / "files" / "extra").write_text("")
    assert check_bundle(bundle, small_facts()) == (
        "facts.json: is missing",
        "files/extra: does not belong to the bundle",
    )


def test_a_bundle_from_before_the_html_review_is_in_order(bundle: Path) -> None:
    (bundle / "REVIEW.html").unlink()
    sums = (bundle / "SHA256SUMS").read_text().splitlines(keepends=True)
    (bundle / "SHA256SUMS").write_text("".join(line for line in sums if "REVIEW.html" not in line))
    assert check_bundle(bundle, small_facts()) == ()


def test_an_html_review_that_was_changed_is_named(bundle: Path) -> None:
    with (bundle / "REVIEW.html").open("a") as page:
        page.write("<script></script>")
    assert check_bundle(bundle, small_facts()) == ("REVIEW.html: was changed since the bundle was written",)


def test_another_machine_is_told(bundle: Path) -> None:
    facts = small_facts()
    host = dataclasses.replace(facts.host, identity=Known(identity("f" * 32), "test"))
    assert check_bundle(bundle, dataclasses.replace(facts, host=host)) == (
        "host: planned for db1, this is another machine",
    )


def test_a_value_that_was_changed_since_is_told(bundle: Path) -> None:
    facts = with_kernel(small_facts(), {"vm.dirty_bytes": 4096})
    assert check_bundle(bundle, facts) == ("vm.dirty_bytes: 0 when planned, found 4kB",)


def test_another_server_is_told(bundle: Path) -> None:
    facts = small_facts(data_directory=Known("/elsewhere", "test"))
    result = check_bundle(bundle, facts)
    assert result[0] == "/var/lib/postgresql/data: expected a PostgreSQL server there, found none"


def test_another_major_is_told(bundle: Path) -> None:
    result = check_bundle(bundle, small_facts(major=Known("16", "test")))
    assert result == (f"{DATA}: planned for 15, found 16",)


def test_an_applied_bundle_is_told_as_such(bundle: Path) -> None:
    facts = with_kernel(
        small_facts(), {"vm.dirty_bytes": 536870912, "vm.nr_hugepages": 64, "thp.enabled": "never"}
    )
    servers = tuple(
        with_settings(server, shared_buffers=Setting(value="32768"), work_mem=Setting(value="24576"))
        for server in facts.postgres
    )
    facts = dataclasses.replace(facts, postgres=servers)
    assert check_bundle(bundle, facts) == ("applied already: every value is as planned",)


def applied(**settings: Setting) -> Facts:
    """The small machine after its bundle, but for these settings."""
    facts = with_kernel(
        small_facts(), {"vm.dirty_bytes": 536870912, "vm.nr_hugepages": 64, "thp.enabled": "never"}
    )
    planned = {"shared_buffers": Setting(value="32768"), "work_mem": Setting(value="24576"), **settings}
    servers = tuple(with_settings(server, **planned) for server in facts.postgres)
    return dataclasses.replace(facts, postgres=servers)


def test_of_an_applied_bundle_only_what_changed_since_is_named_in_words(bundle: Path) -> None:
    assert check_bundle(bundle, applied(work_mem=Setting(value="65536"))) == (
        "4 of 5 values are as planned, the others differ:",
        "work_mem: planned 24MB instead of 4MB, found 64MB",
    )


def test_a_value_that_somebody_took_back_is_named_as_before(bundle: Path) -> None:
    result = check_bundle(bundle, applied(work_mem=Setting(value="4096")))
    assert result[1:] == ("work_mem: planned 24MB, found 4MB as before",)


def test_a_value_that_waits_for_a_restart_is_named_as_such(bundle: Path) -> None:
    result = check_bundle(bundle, applied(shared_buffers=Setting(value="16384", pending_restart=True)))
    assert result[1:] == ("shared_buffers: 128MB until the server is restarted, then 256MB",)


def test_a_setting_that_changed_since_the_plan_is_named_in_words(bundle: Path) -> None:
    facts = small_facts()
    servers = tuple(with_settings(server, work_mem=Setting(value="65536")) for server in facts.postgres)
    assert check_bundle(bundle, dataclasses.replace(facts, postgres=servers)) == (
        "work_mem: 4MB when planned, found 64MB",
    )


def by_alter_system(value: str) -> Setting:
    return Setting(value=value, source="configuration file", sourcefile=f"{DATA}/postgresql.auto.conf:3")


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        pytest.param(applied(), "nothing has changed since", id="nothing"),
        pytest.param(
            applied(work_mem=by_alter_system("101376")),
            "1 changed since by ALTER SYSTEM: work_mem 24MB -> 99MB",
            id="alter-system",
        ),
        pytest.param(
            with_kernel(applied(work_mem=by_alter_system("101376")), {"vm.dirty_bytes": 4096}),
            "1 changed since: vm.dirty_bytes 512MB -> 4kB; "
            "1 changed since by ALTER SYSTEM: work_mem 24MB -> 99MB",
            id="two-ways",
        ),
        pytest.param(
            applied(shared_buffers=Setting(value="16384", pending_restart=True)),
            "nothing has changed since",
            id="waits-for-a-restart",
        ),
    ],
)
def test_what_changed_since_a_bundle_was_applied_is_told_with_its_way(
    facts: Facts, expected: str, bundle: Path
) -> None:
    assert since_applied(bundle, facts, 7_300) == f"applied 2 h ago; {expected}"


def unread(facts: Facts) -> Facts:
    """The same, of a server that does not answer."""
    servers = tuple(dataclasses.replace(server, settings=Unknown("down")) for server in facts.postgres)
    return dataclasses.replace(facts, postgres=servers)


def test_what_cannot_be_read_is_not_said_to_be_unchanged(bundle: Path) -> None:
    told = since_applied(bundle, unread(applied()), 7_300)
    assert told is not None
    assert told.startswith("applied 2 h ago; nothing that can be read has changed since; not known: ")
    assert "work_mem" in told
    assert "vm.dirty_bytes" not in told
    drifted = since_applied(bundle, unread(with_kernel(applied(), {"vm.dirty_bytes": 4096})), 7_300)
    assert drifted is not None
    assert "1 changed since: vm.dirty_bytes 512MB -> 4kB; not known: " in drifted


def test_a_value_that_is_empty_by_now_has_changed(bundle: Path) -> None:
    assert since_applied(bundle, applied(work_mem=by_alter_system("")), 7_300) == (
        "applied 2 h ago; 1 changed since by ALTER SYSTEM: work_mem 24MB -> nothing"
    )


@pytest.mark.parametrize(
    ("seconds", "age"), [(59, "59 s"), (300, "5 min"), (86_400, "24 h"), (200_000, "2 days")]
)
def test_how_long_ago_it_was_applied_is_told_in_the_largest_unit_that_counts_to_two(
    seconds: int, age: str, bundle: Path
) -> None:
    assert since_applied(bundle, applied(), seconds) == f"applied {age} ago; nothing has changed since"


@pytest.mark.parametrize(
    ("journal", "expected"),
    [
        ("begin\napplied\n", 1_000),
        ("begin\napplied\nconfirmed\n", 1_000),
        ("begin\napplied\nrestored\n", None),
        ("begin\nintent 3\n", None),
    ],
)
def test_only_the_records_of_a_run_that_was_not_taken_back_tell_when_it_was_applied(
    journal: str, expected: int | None, bundle: Path, tmp_path: Path
) -> None:
    own = tmp_path / hashlib.sha256((bundle / "SHA256SUMS").read_bytes()).hexdigest()[:16]
    assert applied_at(bundle, tmp_path) is None
    own.mkdir()
    (own / "journal").write_text(journal)
    (own / "applied").touch()
    os.utime(own / "applied", (1_000, 1_000))
    assert applied_at(bundle, tmp_path) == expected


def test_a_manifest_of_another_schema_is_told(bundle: Path) -> None:
    manifest = bundle / "manifest.toml"
    manifest.write_text(manifest.read_text().replace("schema = 1", "schema = 2"))
    result = check_bundle(bundle, small_facts())
    assert result[0] == "manifest.toml: was changed since the bundle was written"
    assert "schema: found 2, expected 1" in result[1]


@pytest.mark.parametrize("what", ["missing", "empty"])
def test_a_directory_that_is_no_bundle_is_refused(what: str, tmp_path: Path) -> None:
    directory = tmp_path / what
    if what == "empty":
        directory.mkdir()
    with pytest.raises(BundleError, match=r"expected (a|the directory of a) bundle"):
        check_bundle(directory, small_facts())
