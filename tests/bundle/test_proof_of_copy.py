"""A measurement on a copy says so in print and in the bundle's documents; any other does not."""

import dataclasses

import pytest

from synthetic_proofs import kept
from tunewiz.bundle.review.markdown import markdown
from tunewiz.bundle.review.proof import proof_page
from tunewiz.core.words.proof import proof_lines


@pytest.mark.parametrize("is_copy", [True, False])
def test_only_a_measurement_on_a_copy_is_called_one(*, is_copy: bool) -> None:
    proof = kept("synthetic-pairs")
    proof = dataclasses.replace(proof, server=dataclasses.replace(proof.server, is_copy=is_copy))
    page, printed = markdown(proof_page(proof)), "\n".join(proof_lines(proof))
    assert ("Measured on a copy of this server" in page, "a copy of the server" in printed) == (
        is_copy,
        is_copy,
    )
    assert ("Measured on this server" in page) is not is_copy
