"""The manual's pages: one for each setting, none for what is not recommended."""

from collections import Counter

import pytest

from tunewiz.catalogue import recommendations
from tunewiz.core.recommendation.targets import AdviceTarget, HostTarget, PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.manuals import load_manuals, manual_pages

WITHOUT = {
    "kernel.sched_autogroup_enabled": "only a manual page of sched(7) tells of it",
    "kernel.sched_migration_cost_ns": "the kernel's manual does not describe it",
    "log_autovacuum_min_duration": "its page changed between versions",
}
"""Settings without a page, and why."""
TARGETS = [recommendation.target for recommendation in recommendations()]
SETTINGS = [target for target in TARGETS if isinstance(target, PgTarget | SysctlTarget | SysfsTarget)]


def test_every_setting_has_one_page_except_those_named_here() -> None:
    counts = {setting.name: len(manual_pages(setting, Major.parse("16"))) for setting in SETTINGS}
    assert {name for name, count in counts.items() if count != 1} == {*WITHOUT}


def test_no_page_is_for_a_setting_that_is_not_recommended() -> None:
    manuals = load_manuals()
    named = [
        *(name for page in manuals.postgres for name in page.settings),
        *(kernel_page.of for kernel_page in manuals.kernel),
    ]
    assert Counter(named) == Counter({setting.name for setting in SETTINGS} - {*WITHOUT})


@pytest.mark.parametrize(
    ("name", "major", "page"),
    [
        ("shared_buffers", "9.6", "9.6/runtime-config-resource.html#GUC-SHARED-BUFFERS"),
        ("autovacuum", "17", "17/runtime-config-autovacuum.html#GUC-AUTOVACUUM"),
        ("autovacuum", "18", "18/runtime-config-vacuum.html#GUC-AUTOVACUUM"),
    ],
)
def test_a_page_is_that_of_the_version(name: str, major: str, page: str) -> None:
    expected = (f"https://www.postgresql.org/docs/{page}",)
    assert manual_pages(PgTarget(name=name), Major.parse(major)) == expected


def test_what_only_a_person_can_change_has_no_page() -> None:
    for target in TARGETS:
        if isinstance(target, HostTarget | AdviceTarget):
            assert manual_pages(target, Major.parse("16")) == ()
