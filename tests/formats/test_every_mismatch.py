"""A file of answers tells all that is wrong with it in one run."""

import itertools

import pytest

from tunewiz.core.values.errors import InputError
from tunewiz.formats.records import answers_from_toml

RIGHT = {
    "workload.kind": '"oltp"',
    "workload.connections": "200",
    "workload.database_size": '"40GB"',
    "server.replicas": "1",
    "risk.posture": '"bold"',
    "risk.restart": "true",
    'decisions."pg.work_mem"': "{ accept = true }",
}
WRONG = {
    "workload.kind": '"warehouse"',
    "workload.connections": '"many"',
    "workload.database_size": "12.5",
    "server.replicas": "-3",
    "risk.posture": '"wild"',
    "risk.restart": "3",
    'decisions."pg.work_mem"': "{ accept = 1 }",
}


def read(values: dict[str, str]) -> list[str]:
    """The lines of the message; none if the answers can be used."""
    text = "schema = 1\n" + "".join(f"{key} = {value}\n" for key, value in values.items())
    try:
        _ = answers_from_toml(text, "answers.toml")
    except InputError as error:
        return error.message.splitlines()
    return []


def test_right_answers_are_read() -> None:
    assert read(RIGHT) == []


@pytest.mark.parametrize("wrong", [*itertools.combinations(WRONG, 1), *itertools.combinations(WRONG, 2)])
def test_each_wrong_value_is_named_and_no_other(wrong: tuple[str, ...]) -> None:
    lines = read({**RIGHT, **{key: WRONG[key] for key in wrong}})
    assert len(lines) == len(wrong)
    for key in wrong:
        assert any(line.startswith(f"answers.toml: {key.replace(chr(34), '')}") for line in lines), key


def test_everything_at_once() -> None:
    assert len(read(WRONG)) == len(WRONG)


def test_unknown_keys_are_named_beside_wrong_values() -> None:
    lines = read({**RIGHT, "risk.postur": '"bold"', "workload.connection": "5", "risk.restart": "3"})
    assert len(lines) == 3
    assert sum("the unknown key" in line for line in lines) == 2


def test_missing_keys_are_named_together() -> None:
    lines = read({"risk.restart": "3"})
    assert [line.partition(": found")[0] for line in lines] == [
        "answers.toml: workload",
        "answers.toml: risk.restart",
    ]
