"""What comes with the program can be read, and no file of it can be wrong in silence."""

import json
from pathlib import Path

import pytest

from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.versions import SUPPORTED, V15, Major
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names, demos
from tunewiz.knowledge.settings_by_version import read_spans

PROFILES = Path(__file__).resolve().parents[2] / "profiles"
ENTRY = {
    "from": "9.5",
    "to": "12",
    "type": "integer",
    "context": "user",
    "default": "1",
    "min": "0",
    "max": "9",
}


def spans(**changed: object) -> str:
    return json.dumps({"schema": 1, "settings": {"a": [{**ENTRY, **changed}]}})


def test_every_workload_and_posture_has_its_preset() -> None:
    knowledge = load_knowledge()
    assert set(knowledge.workloads) == {"oltp", "read_mostly", "mixed", "analytics"}
    assert set(knowledge.postures) == {"cautious", "balanced", "bold"}
    for kind, preset in knowledge.workloads.items():
        assert preset.kind == kind
    for posture, daring in knowledge.postures.items():
        assert daring.posture == posture


def test_every_supported_major_has_its_settings() -> None:
    settings = load_knowledge().settings
    assert tuple(settings) == SUPPORTED
    assert len(settings) == len(SUPPORTED)
    for major in SUPPORTED:
        assert settings[major].major == major
        assert settings[major].has("shared_buffers")


def test_another_major_has_no_settings() -> None:
    with pytest.raises(KeyError):
        load_knowledge().settings[Major(900)]


@pytest.mark.parametrize("name", demo_names())
def test_an_example_machine_comes_back_from_its_own_facts(name: str) -> None:
    facts = demo_facts(name)
    assert facts_from_json(facts_to_json(facts), name) == facts


def test_an_example_machine_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"--demo: found 'cray', expected one of .*z13-lpar"):
        demo_facts("cray")


@pytest.mark.parametrize("name", ["../settings", "", ".", "z13-lpar.json"])
def test_a_name_is_never_taken_for_a_path(name: str) -> None:
    with pytest.raises(UsageError, match="--demo: found"):
        demo_facts(name)


def test_a_setting_is_told_only_for_the_majors_of_its_span() -> None:
    settings = read_spans(spans(), "s.json")
    assert settings[SUPPORTED[0]]["a"].maximum == "9"
    assert not settings[V15].has("a")
    assert settings[V15].elsewhere["a"] == SUPPORTED[:5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "s.json: not valid JSON"),
        (spans().replace('"schema": 1', '"schema": 2'), "s.json: schema: found 2, expected 1"),
        (spans(type="int"), 's.json: settings.a.0.type: found "int", expected one of bool, enum'),
        (spans(colour="red"), 'settings.a.0: found the unknown key "colour", expected one of'),
        (spans(min=0), "s.json: settings.a.0.min: found 0, expected text"),
    ],
)
def test_a_file_of_settings_that_is_wrong_is_told(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_spans(text, "s.json")
    assert message in refused.value.message


MOST_ABOUT = 52
"""Letters that fit beside a name on the first page at 80 columns."""


def test_every_example_machine_says_what_is_interesting_about_it() -> None:
    about = (PROFILES / "hosts" / "about.txt").read_text().splitlines()
    assert [line.partition(": ")[0] for line in about] == list(demo_names())
    assert tuple(demos()) == demo_names()
    assert all(0 < len(words) <= MOST_ABOUT for words in demos().values())


def test_the_package_holds_what_the_checkout_holds() -> None:
    hosts = PROFILES / "hosts"
    assert {f"{name}.json" for name in demo_names()} == {path.name for path in hosts.glob("*.json")}
