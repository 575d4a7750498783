"""What is said to a server holds names that its users may have chosen."""

import pytest

from tunewiz.bench.measuring import create_database, how_to_copy


@pytest.mark.parametrize(
    ("template", "statement"),
    [
        ("", 'CREATE DATABASE "ours" TEMPLATE "template0"'),
        ("shop", 'CREATE DATABASE "ours" TEMPLATE "shop"'),
        ('a"; SELECT 1; --', 'CREATE DATABASE "ours" TEMPLATE "a""; SELECT 1; --"'),
        ("a\nb", 'CREATE DATABASE "ours" TEMPLATE U&"a\\000Ab"'),
    ],
)
def test_a_database_of_any_name_can_be_copied(template: str, statement: str) -> None:
    assert create_database("ours", template) == statement


@pytest.mark.parametrize(
    ("major", "clause"),
    [("9.6", ""), ("14", ""), ("15", " STRATEGY file_copy"), ("19", " STRATEGY file_copy")],
)
def test_data_are_copied_by_files_whatever_shared_buffers_are(major: str, clause: str) -> None:
    assert how_to_copy(major) == clause
