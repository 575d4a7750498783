"""The fixture that hands out an installed program, or says aloud that there is none."""

import pytest

from installed_program import Program, named_program


def pytest_report_header() -> str:
    program = named_program()
    if isinstance(program, str):
        return program
    reach = "out of its reach" if program.is_alone else "WITHIN its reach (no root, or no mount namespaces)"
    return f"installed program: {' '.join(program.command)}; the checkout is {reach}"


@pytest.fixture(scope="session")
def program() -> Program:
    """The program that TUNEWIZ_PROGRAM names."""
    result = named_program()
    if isinstance(result, str):
        pytest.skip(result)
    return result
