"""Sessions that are expected: one threshold for slots and for a pool; no limit below the peak is silent."""

from hypothesis import example, given
from hypothesis import strategies as st

from situations import situation
from tunewiz.catalogue.host_connection_pool import RECOMMENDATION as POOL
from tunewiz.catalogue.pg_max_connections import MOST, PART_OF_MEMORY
from tunewiz.catalogue.pg_max_connections import RECOMMENDATION as SLOTS
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.server.shared_memory import SHARED_PER_CONNECTION
from tunewiz.knowledge.loading import load_knowledge

TENS = 10
WARNED = "connections_refused"

machines = st.builds(
    Given,
    connections=st.integers(1, MOST),
    cores=st.integers(1, 1024),
    threads_per_core=st.sampled_from([1, 2, 4, 8]),
    cores_unknown=st.booleans(),
    memory=st.sampled_from(["512MB", "4GB", "64GB", "4TB"]),
    settings=st.integers(10, 2000).map(lambda slots: {"max_connections": str(slots)}),
)


def planned(one: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, situation(one))


def limit(made: Plan) -> int:
    """How many sessions the plan's server lets in."""
    return int(made.end.will_be("max_connections"))


@given(machines)
@example(Given(connections=500))
@example(Given(connections=501))
def test_a_server_that_lets_in_fewer_than_expected_is_warned_of_and_no_other(one: Given) -> None:
    made = planned(one)
    warned = WARNED in [warning.code for warning in made.warnings]
    assert warned is (limit(made) < one.connections)


@given(machines)
@example(Given(connections=500))
@example(Given(connections=501))
def test_more_slots_are_ticked_unless_a_pool_is_advised(one: Given) -> None:
    result = situation(one)
    slots, pool = SLOTS.decide(result), POOL.decide(result) if not one.cores_unknown else None
    if isinstance(slots, Proposal) and pool is not None:
        assert slots.ticked is not isinstance(pool, Advice)


@given(machines)
def test_the_slots_that_are_proposed_hold_all_that_are_expected_or_all_that_memory_holds(one: Given) -> None:
    result = situation(one)
    slots = SLOTS.decide(result)
    if isinstance(slots, Proposal):
        shared = SHARED_PER_CONNECTION * int(slots.value)
        assert int(one.settings["max_connections"]) < int(slots.value) <= MOST
        assert shared * PART_OF_MEMORY <= result.memory
        enough = int(slots.value) >= one.connections
        assert enough or (shared + SHARED_PER_CONNECTION * TENS) * PART_OF_MEMORY > result.memory


@given(st.integers(101, 20_000), st.integers(1, 256))
def test_one_client_more_moves_the_slots_by_ten_at_most(connections: int, cores: int) -> None:
    fewer, more = (
        SLOTS.decide(situation(Given(connections=count, cores=cores)))
        for count in (connections, connections + 1)
    )
    assert isinstance(fewer, Proposal)
    assert isinstance(more, Proposal)
    assert int(more.value) - int(fewer.value) in {0, TENS}
