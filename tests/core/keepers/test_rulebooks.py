"""Each rule of each keeper refuses what it should, and leaves alone what it should not."""

from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.keepers.rulebook import NotSettable, NotTaken, Rulebook, Taken, judged
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.values.pg_settings import SettingError, SettingInfo, SettingsOfMajor
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.keepers import load_rulebook
from tunewiz.knowledge.loading import load_settings

TARGETS: tuple[KeptTarget, ...] = get_args(KeptTarget)
BOOKS = {target: load_rulebook(target) for target in TARGETS}
MAJORS = load_settings()


def majors_with(name: str) -> Iterator[SettingsOfMajor]:
    return (settings for settings in MAJORS.values() if settings.has(name))


def spoken_of(rules: Rulebook) -> set[str]:
    return {
        *(entry.name for entry in rules.always),
        *(choice.name for choice in rules.choices),
        *(least.name for least in rules.least),
        *(most.name for most in rules.most),
        *rules.whole,
    }


@pytest.mark.parametrize("target", TARGETS)
def test_a_blocked_setting_can_have_no_value(target: KeptTarget) -> None:
    rules = BOOKS[target]
    for blocked in rules.blocked:
        for name in (*blocked.names, *(f"{start}anything" for start in blocked.starts)):
            for settings in MAJORS.values():
                value = settings[name].default if settings.has(name) else "x"
                assert judged(rules, settings, name, value) == NotSettable(blocked.why)


@pytest.mark.parametrize("target", TARGETS)
def test_what_begins_like_a_blocked_one_and_is_named_can_be_set(target: KeptTarget) -> None:
    rules = BOOKS[target]
    for name in (name for blocked in rules.blocked for name in blocked.but):
        for settings in majors_with(name):
            assert judged(rules, settings, name, settings[name].default) == Taken()


@pytest.mark.parametrize("target", TARGETS)
def test_a_least_value_is_taken_and_the_one_below_is_not(target: KeptTarget) -> None:
    rules = BOOKS[target]
    for least in rules.least:
        for settings in majors_with(least.name):
            value = int(settings[least.name].canonical(least.value))
            assert judged(rules, settings, least.name, str(value)) == Taken()
            assert judged(rules, settings, least.name, str(value + 1)) == Taken()
            assert isinstance(judged(rules, settings, least.name, str(value - 1)), NotTaken)


@pytest.mark.parametrize("target", TARGETS)
def test_a_largest_value_is_taken_and_the_one_above_is_not(target: KeptTarget) -> None:
    rules = BOOKS[target]
    for most in rules.most:
        for settings in majors_with(most.name):
            value = int(float(settings[most.name].canonical(most.value)))
            assert judged(rules, settings, most.name, str(value)) == Taken()
            assert isinstance(judged(rules, settings, most.name, str(value + 1)), NotTaken)


@pytest.mark.parametrize("target", TARGETS)
def test_where_whole_numbers_are_wanted_no_other_is_taken(target: KeptTarget) -> None:
    rules = BOOKS[target]
    for name in rules.whole:
        for settings in majors_with(name):
            if settings[name].vartype == "real":
                assert judged(rules, settings, name, "2") == Taken()
                assert isinstance(judged(rules, settings, name, "2.5"), NotTaken)


@pytest.mark.parametrize("target", TARGETS)
def test_a_setting_that_stays_takes_no_other_value(target: KeptTarget) -> None:
    rules = BOOKS[target]
    for always in rules.always:
        for settings in majors_with(always.name):
            others = {"on": "off", "off": "on"}[always.value]
            assert judged(rules, settings, always.name, always.value) == Taken()
            assert isinstance(judged(rules, settings, always.name, others), NotTaken)


@pytest.mark.parametrize("target", TARGETS)
def test_of_a_choice_those_are_taken_that_are_listed(target: KeptTarget) -> None:
    rules = BOOKS[target]
    for choices in rules.choices:
        for settings in majors_with(choices.name):
            for value in settings[choices.name].choices:
                expected = Taken if value in choices.values else NotTaken
                assert isinstance(judged(rules, settings, choices.name, value), expected)


@pytest.mark.parametrize("target", TARGETS)
def test_every_other_setting_is_left_alone(target: KeptTarget) -> None:
    rules = BOOKS[target]
    for settings in MAJORS.values():
        for name, info in settings.known.items():
            if name in spoken_of(rules) or any(entry.has(name) for entry in rules.blocked):
                continue
            if is_judged(info):
                assert judged(rules, settings, name, info.default) == Taken(), name


def is_judged(info: SettingInfo) -> bool:
    """Some defaults are the build's, which a table of settings does not accept."""
    try:
        info.canonical(info.default)
    except SettingError:
        return False
    return True


@given(
    st.sampled_from(TARGETS),
    st.sampled_from(
        ["checkpoint_timeout", "work_mem", "max_connections", "max_wal_size", "jit", "wal_level"]
    ),
    st.from_regex(r"\A[0-9]{1,3}h[0-9]{1,3}x\Z|\A[a-z]{3}[0-9]\Z|\A-[1-9][0-9]\Z|\A\Z"),
)
def test_a_value_that_no_server_takes_is_refused(target: KeptTarget, name: str, value: str) -> None:
    for settings in MAJORS.values():
        if settings.has(name):
            assert isinstance(judged(BOOKS[target], settings, name, value), NotTaken)


@pytest.mark.parametrize("target", TARGETS)
def test_a_name_that_no_server_knows_is_refused_but_for_those_of_extensions(target: KeptTarget) -> None:
    for settings in MAJORS.values():
        assert isinstance(judged(BOOKS[target], settings, "shared_bufers", "1GB"), NotTaken)
        assert judged(BOOKS[target], settings, "auto_explain.log_analyze", "on") == Taken()


@pytest.mark.parametrize("target", TARGETS)
def test_each_says_where_its_rules_were_read(target: KeptTarget) -> None:
    assert all(
        source.repository and source.path and source.commit and source.date
        for source in BOOKS[target].sources
    )
    assert BOOKS[target].sources


@pytest.mark.parametrize(
    ("name", "value", "is_left"),
    [
        ("pg_stat_monitor.pgsm_query_max_len", "2048", True),
        ("pg_stat_monitor.pgsm_max", "256", False),
        ("pg_stat_statements.track", "all", True),
        ("pg_stat_statements.max", "10000", False),
        ("auto_explain.log_analyze", "on", False),
        ("archive_mode", "on", True),
        ("wal_compression", "on", False),
    ],
)
def test_percona_sets_some_itself_and_leaves_the_others(name: str, value: str, *, is_left: bool) -> None:
    settings = MAJORS[Major.parse("17")]
    assert isinstance(judged(BOOKS["percona"], settings, name, value), NotSettable) is is_left
    assert judged(BOOKS["zalando"], settings, name, value) == Taken()


STACKGRES_LIST = (
    *("archive_command", "archive_mode", "dynamic_library_path", "lc_messages", "listen_addresses"),
    *("logging_collector", "log_destination", "log_directory", "log_filename", "log_rotation_age"),
    *("log_rotation_size", "log_truncate_on_rotation", "port", "wal_log_hints"),
)
"""Its postgresql-blocklist.properties of 1.18.6."""


def test_all_of_the_block_list_of_stackgres_is_left_to_it_and_what_it_took_off_is_not() -> None:
    settings = MAJORS[Major.parse("17")]
    rules = BOOKS["stackgres"]
    for name in STACKGRES_LIST:
        assert isinstance(judged(rules, settings, name, settings[name].default), NotSettable)
    for name, value in {"wal_compression": "on", "wal_level": "logical", "fsync": "on"}.items():
        assert judged(rules, settings, name, value) == Taken()


@pytest.mark.parametrize("value", ["it's", "a\\b", "a\nb"])
def test_what_does_not_arrive_at_kubeblocks_is_refused_and_elsewhere_taken(value: str) -> None:
    settings = MAJORS[Major.parse("17")]
    for name in ("search_path", "auto_explain.log_format"):
        assert isinstance(judged(BOOKS["kubeblocks"], settings, name, value), NotTaken)
        assert judged(BOOKS["stackgres"], settings, name, value) == Taken()


@pytest.mark.parametrize(
    ("name", "value", "is_taken"),
    [
        ("checkpoint_timeout", "1h", True),
        ("checkpoint_timeout", "2h", False),
        ("vacuum_cost_delay", "2ms", True),
        ("vacuum_cost_delay", "0.5ms", False),
        ("max_wal_senders", "4", False),
        ("log_connections", "on", True),
        ("log_connections", "receipt", False),
        ("ssl_max_protocol_version", "TLSv1.2", True),
        ("ssl_max_protocol_version", "TLSv1.3", False),
        ("work_mem", "24MB", True),
    ],
)
def test_kubeblocks_takes_what_is_within_the_schema_of_its_add_on(
    name: str, value: str, *, is_taken: bool
) -> None:
    settings = MAJORS[Major.parse("18")]
    assert isinstance(judged(BOOKS["kubeblocks"], settings, name, value), Taken if is_taken else NotTaken)


def test_what_the_add_on_calls_immutable_is_left_to_it() -> None:
    settings = MAJORS[Major.parse("17")]
    for name in ("fsync", "full_page_writes", "log_line_prefix", "wal_sync_method", "update_process_title"):
        assert isinstance(judged(BOOKS["kubeblocks"], settings, name, settings[name].default), NotSettable)
    for name in ("log_min_duration_statement", "synchronous_commit", "wal_compression", "shared_buffers"):
        assert judged(BOOKS["kubeblocks"], settings, name, settings[name].default) == Taken()
