"""How decisions fall, whatever is decided: order, limits, what the administrator said."""

import dataclasses

import pytest

from situations import declines, finding, plan, proposes, recommendation, situation
from tunewiz.core.answers.answers import Accepted, Refused, Replaced
from tunewiz.core.kernel.dirty_pages import held
from tunewiz.core.planning.decide import in_order
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget, Effect, HostTarget, SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, needed
from tunewiz.core.values.units import Bytes

SWAPPINESS = SysctlTarget(name="vm.swappiness", maximum=100)
DIRTY = SysctlTarget(name="vm.dirty_bytes", twin="vm.dirty_ratio", unit="bytes")
THP = SysfsTarget(
    name="/sys/kernel/mm/transparent_hugepage/enabled",
    fact="thp.enabled",
    choices=("always", "madvise", "never"),
)


def advises(name: str) -> Recommendation:
    advice = Advice(because="none", steps=("mkswap",), undo=("swapoff",))
    return recommendation(name, lambda _: advice, target=AdviceTarget(name="swap"))


def test_a_recommendation_comes_after_those_that_it_looks_at() -> None:
    first = recommendation("pg.work_mem", lambda _: Declined(because=""), after=("pg.shared_buffers",))
    second = recommendation("pg.shared_buffers", lambda _: Declined(because=""))
    assert [entry.id for entry in in_order((first, second))] == ["pg.shared_buffers", "pg.work_mem"]


def test_the_order_does_not_hang_on_the_order_given() -> None:
    some = [declines(f"pg.{name}") for name in ("jit", "fsync", "work_mem", "autovacuum")]
    assert in_order(some) == in_order(reversed(some))


def test_a_later_decision_sees_what_an_earlier_one_chose() -> None:
    def decide(entry: Situation) -> Declined:
        return Declined(because=entry.will_be("shared_buffers"))

    looks = recommendation("pg.work_mem", decide, after=("pg.shared_buffers",))
    made = plan(proposes("pg.shared_buffers", "2GB"), looks)
    assert finding(made, "pg.work_mem").because == "2GB"


def test_a_proposal_of_what_is_so_already_is_kept_however_it_is_written() -> None:
    made = plan(proposes("pg.work_mem", "4096kB"))
    assert finding(made, "pg.work_mem").state == "keep"
    assert made.changes == ()


def test_a_setting_that_the_major_lacks_is_not_applicable() -> None:
    made = plan(proposes("pg.jit", "off"), now=situation(Given(major="9.6")))
    assert finding(made, "pg.jit").state == "not_applicable"
    assert finding(made, "pg.jit").because == "jit first appeared in PostgreSQL 11, this server is 9.6"


def test_a_decision_that_misses_a_fact_declines_with_its_reason() -> None:
    def decide(entry: Situation) -> Declined:
        return Declined(because=str(needed(entry.facts.cpu.cores, "cpu.cores")))

    made = plan(recommendation("pg.work_mem", decide), now=situation(Given(cores_unknown=True)))
    assert finding(made, "pg.work_mem").state == "not_applicable"
    assert finding(made, "pg.work_mem").because == "cpu.cores is not known: not part of the example"


def test_a_restart_that_is_ruled_out_declines_what_needs_one_and_nothing_else() -> None:
    result = situation(Given(restart=False))
    made = plan(proposes("pg.shared_buffers", "2GB"), proposes("pg.work_mem", "8MB"), now=result)
    assert finding(made, "pg.shared_buffers").state == "declined"
    assert finding(made, "pg.shared_buffers").because == "a restart is ruled out; it would be 2GB"
    assert finding(made, "pg.work_mem").state == "change"
    assert not made.restart


def test_kernel_changes_that_are_ruled_out_are_declined_with_what_they_would_be() -> None:
    made = plan(
        proposes("kernel.swappiness", "10", target=SWAPPINESS), now=situation(Given(may_change_kernel=False))
    )
    assert finding(made, "kernel.swappiness").because == "kernel changes are ruled out; it would be 10"


def test_a_kernel_setting_in_a_container_belongs_to_the_host() -> None:
    made = plan(proposes("kernel.thp", "never", target=THP), now=situation(Given(container="docker")))
    assert finding(made, "kernel.thp").state == "not_applicable"
    assert "belongs to the host" in finding(made, "kernel.thp").because


def test_a_kernel_setting_that_is_mounted_read_only_is_not_applicable() -> None:
    result = situation(Given(proc_sys_writable=False))
    made = plan(proposes("kernel.swappiness", "10", target=SWAPPINESS), now=result)
    assert finding(made, "kernel.swappiness").state == "not_applicable"


def test_what_was_measured_on_other_systems_only_is_not_ticked_by_a_balanced_posture() -> None:
    proposal = Proposal(value="8MB", because="b", computed="c")
    measured = recommendation(
        "pg.work_mem",
        lambda _: proposal,
        basis="measured",
        cites=(Cite(claim="z-deck.shared_buffers_quarter"),),
    )
    assert finding(plan(measured), "pg.work_mem").state == "advise"
    bold = situation(Given(posture="bold"))
    assert finding(plan(measured, now=bold), "pg.work_mem").state == "change"


def test_what_was_only_reasoned_is_not_ticked_by_a_balanced_posture() -> None:
    proposal = Proposal(value="8MB", because="b", computed="c")
    reasoned = recommendation("pg.work_mem", lambda _: proposal, basis="reasoned")
    assert finding(plan(reasoned), "pg.work_mem").state == "advise"


def test_what_was_measured_on_something_near_is_no_ground_to_tick() -> None:
    proposal = Proposal(value="8MB", because="b", computed="c")
    like = situation(Given(posture="cautious", architecture="s390x", hypervisor="lpar", disk="san"))
    for near, state in ((False, "change"), (True, "advise")):
        cites = (Cite(claim="z-deck.shared_buffers_quarter", near=near),)
        made = plan(
            recommendation("pg.work_mem", lambda _: proposal, basis="measured", cites=cites), now=like
        )
        assert finding(made, "pg.work_mem").evidence[0].fit == "like"
        assert finding(made, "pg.work_mem").state == state


def test_a_yes_takes_what_is_not_ticked() -> None:
    proposal = Proposal(value="8MB", because="b", computed="c", ticked=False)
    unticked = recommendation("pg.work_mem", lambda _: proposal)
    assert finding(plan(unticked), "pg.work_mem").state == "advise"
    said = situation(decisions={"pg.work_mem": Accepted()})
    assert finding(plan(unticked, now=said), "pg.work_mem").state == "change"


def test_a_no_declines_and_keeps_its_note() -> None:
    said = situation(decisions={"pg.work_mem": Refused(note="not now")})
    result = finding(plan(proposes("pg.work_mem", "8MB"), now=said), "pg.work_mem")
    assert (result.state, result.because) == ("declined", "declined by the administrator: not now")


def test_a_no_to_advice_declines_it() -> None:
    said = situation(decisions={"kernel.swap": Refused()})
    assert finding(plan(advises("kernel.swap")), "kernel.swap").state == "advise"
    assert finding(plan(advises("kernel.swap"), now=said), "kernel.swap").state == "declined"


def test_advice_is_carried_out_by_hand() -> None:
    assert finding(plan(advises("kernel.swap")), "kernel.swap").takes_effect is Effect.MANUAL


def test_a_value_of_ones_own_wins_and_is_written_as_the_server_writes_it() -> None:
    said = situation(decisions={"pg.work_mem": Replaced(value="8192", note="agreed")})
    result = finding(plan(proposes("pg.work_mem", "16MB"), now=said), "pg.work_mem")
    assert result.verdict == Proposal(value="8MB", because="set by hand", computed="agreed")
    assert result.state == "change"


def test_a_value_of_ones_own_wins_even_over_a_recommendation_that_keeps_quiet() -> None:
    said = situation(decisions={"pg.work_mem": Replaced(value="8MB")})
    assert finding(plan(declines("pg.work_mem"), now=said), "pg.work_mem").state == "change"


@pytest.mark.parametrize(
    ("recommended", "value", "message"),
    [
        (proposes("pg.work_mem", "8MB"), "1kB", "decisions.pg.work_mem: work_mem: expected at least 64kB"),
        (
            proposes("kernel.swappiness", "10", target=SWAPPINESS),
            "101",
            "decisions.kernel.swappiness: expected 0 to 100, found 101",
        ),
        (
            proposes("kernel.swappiness", "10", target=SWAPPINESS),
            "ten",
            "decisions.kernel.swappiness: expected a whole number, found 'ten'",
        ),
        (
            proposes("kernel.thp", "never", target=THP),
            "sometimes",
            "decisions.kernel.thp: expected one of always, madvise, never, found 'sometimes'",
        ),
        (
            advises("kernel.swap"),
            "4GB",
            "decisions.kernel.swap: it is advice for a person; there is no value",
        ),
    ],
)
def test_a_value_that_the_target_does_not_take_is_refused_by_its_key(
    recommended: Recommendation, value: str, message: str
) -> None:
    said = situation(decisions={recommended.id: Replaced(value=value)})
    with pytest.raises(InputError) as refused:
        plan(recommended, now=said)
    assert message in refused.value.message


def test_bytes_of_a_kernel_setting_may_be_written_as_a_size() -> None:
    said = situation(decisions={"kernel.dirty_bytes": Replaced(value="256MB")})
    result = finding(
        plan(proposes("kernel.dirty_bytes", "536870912", target=DIRTY), now=said), "kernel.dirty_bytes"
    )
    assert isinstance(result.verdict, Proposal)
    assert result.verdict.value == str(256 * 1024 * 1024)


def test_a_value_for_what_is_not_on_this_machine_is_refused_with_the_reason() -> None:
    said = situation(Given(major="9.6"), decisions={"pg.jit": Replaced(value="off")})
    with pytest.raises(
        InputError, match=r"^decisions\.pg\.jit: it cannot be set here: jit first appeared in"
    ):
        plan(proposes("pg.jit", "on"), now=said)


def test_a_decision_on_what_is_no_recommendation_is_refused() -> None:
    said = situation(decisions={"pg.banana": Accepted()})
    with pytest.raises(InputError, match=r"^decisions\.pg\.banana: found no recommendation with that name"):
        plan(proposes("pg.work_mem", "8MB"), now=said)


def test_what_goes_together_with_something_declined_is_declined_too() -> None:
    proposal = Proposal(value="on", because="b", computed="c")
    pages = recommendation("pg.huge_pages", lambda _: proposal, together=("pg.shared_buffers",))
    result = finding(plan(declines("pg.shared_buffers"), pages), "pg.huge_pages")
    assert result.state == "declined"
    assert result.because == "not without shared_buffers: a test says no"


def test_a_proposal_may_be_riskier_than_usual() -> None:
    proposal = Proposal(value="8MB", because="b", computed="c", risk=RiskLevel.HIGH)
    risky = recommendation("pg.work_mem", lambda _: proposal)
    assert finding(plan(risky), "pg.work_mem").risk is RiskLevel.HIGH
    assert finding(plan(proposes("pg.jit", "off")), "pg.jit").risk is RiskLevel.LOW


@pytest.mark.parametrize(("below_sys", "state"), [(True, "not_applicable"), (False, "change")])
def test_a_read_only_sysfs_closes_what_is_changed_below_it_only(below_sys: bool, state: str) -> None:  # noqa: FBT001 - a case
    result = situation()
    kernel = dataclasses.replace(result.facts.kernel, sysfs_writable=Known(value=False, how="test"))
    closed = dataclasses.replace(result, facts=dataclasses.replace(result.facts, kernel=kernel))
    queue = proposes("storage.scheduler", "none", target=HostTarget(name="queue", below_sys=below_sys))
    assert finding(plan(queue, now=closed), "storage.scheduler").state == state


@pytest.mark.parametrize(("version", "size"), [(1, "6GB"), (2, "200MB")])
def test_a_share_of_memory_is_the_groups_only_where_writeback_knows_groups(version: int, size: str) -> None:
    result = situation(Given(memory="30GB", memory_limit="1000MB"))
    limits = dataclasses.replace(result.facts.limits, cgroup_version=Known(version, "test"))
    grouped = dataclasses.replace(result, facts=dataclasses.replace(result.facts, limits=limits))
    assert held(grouped, "vm.dirty").size == Bytes.parse(size)
