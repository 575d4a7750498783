"""A plan is taken apart on a real server: what hurts there is named, and declined in the answers."""

from pathlib import Path

import pytest

from bench_runs import as_before, prove
from planned_bundles import bundle_for
from real_subject import MakeSubject
from small_plans import small_answers, small_facts
from tunewiz.bench.variants import part_of, variant_name
from tunewiz.core.answers.answers import Accepted, Refused
from tunewiz.formats.proof import proof_from_json
from tunewiz.formats.records import answers_from_toml
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan

SMALL = ("--builtin", "select-only", "--scale", "1", "--clients", "2", "--run", "1s")
NO_INDEX = {"pg.random_page_cost": "10000", "pg.log_lock_waits": ""}
"""Reading the whole table looks cheaper than its index: a hundred times slower, under any load.
The other changes nothing that is measured."""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_part_that_hurts_is_named_and_declined(make_subject: MakeSubject, tmp_path: Path) -> None:
    subject = make_subject()
    bundle, before = bundle_for(subject, NO_INDEX), as_before(subject)
    out, declined = tmp_path / "proof.json", tmp_path / "answers.toml"
    done = prove(
        subject, bundle, *SMALL, "--ablate", "--pairs", "2", "--same-pairs", "2", "-o", str(out),
        "--answers-out", str(declined),
    )  # fmt: skip
    proof = proof_from_json(out.read_text(), str(out))
    assert {group.name: group.verdict for group in proof.groups}["I/O and planner"] == "hurt", done
    assert (done.returncode, proof.verdict) == (1, "hurt")
    decisions = answers_from_toml(declined.read_text(), str(declined)).decisions
    refused = decisions["pg.random_page_cost"]
    assert isinstance(refused, Refused)
    assert refused.note.startswith("measured on this server: 0.")
    assert isinstance(decisions["pg.log_lock_waits"], Accepted)
    assert as_before(subject) == before


def test_a_part_keeps_its_values_and_leaves_the_rest() -> None:
    plan = make_plan(small_facts(), small_answers(), load_knowledge())
    ids = [change.recommendation.id for change in plan.changes]
    part = part_of(plan, frozenset(ids[::2]))
    assert [change.recommendation.id for change in part.changes] == ids[::2]
    values = {finding.recommendation.id: finding.sets for finding in plan.findings}
    assert all(change.sets == values[change.recommendation.id] for change in part.changes)


@pytest.mark.parametrize(
    ("members", "expected"),
    [((), "none"), (("a", "b", "c"), "all"), (("c", "a"), "part-0-2"), (("b",), "part-1")],
)
def test_a_mixture_has_one_name_in_whatever_order(members: tuple[str, ...], expected: str) -> None:
    assert variant_name(members, ("a", "b", "c")) == expected
