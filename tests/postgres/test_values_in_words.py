"""The scripts tell values of settings as the program does."""

import re
from pathlib import Path

from real_subject import MakeSubject
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import load_settings

SHELL = Path(__file__).parents[2] / "tunewiz/kinds/setting/words.sh"
ASKED = re.compile(r'ask "(SELECT .*?)" 2>', re.DOTALL)


def statement(name: str, value: str) -> str:
    """What words_of asks."""
    match = ASKED.search(SHELL.read_text())
    assert match
    return match[1].replace("$1", name).replace("$2", value)


def test_every_number_with_a_unit_is_told_as_the_program_tells_it(make_subject: MakeSubject) -> None:
    subject = make_subject()
    known = load_settings()[Major.parse(subject.cluster.query("SHOW server_version_num")[:-4])]
    rows = subject.cluster.query(
        "SELECT string_agg(name || '=' || setting || '=' || boot_val, ' ') FROM pg_settings "
        "WHERE unit IS NOT NULL AND vartype = 'integer'"
    )
    compared = 0
    for row in rows.split():
        name, *values = row.split("=")
        for value in values:
            if known.has(name) and value.isdecimal() and value != "0":
                compared += 1
                assert subject.cluster.query(statement(name, value)) == known.show(name, value), name
    assert compared > 60
