"""Settings that someone else keeps are asked of them, never fought over in silence."""

import dataclasses
import json
import shlex

import pytest

from situations import declines, finding, plan, proposes, recommendation, situation
from tunewiz.core.answers.answers import Accepted, Refused, Replaced
from tunewiz.core.facts.owners import Managed, Owners, Rival, RivalKeeper
from tunewiz.core.facts.server import PostgresServer, ServerOwner
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.actions import ByHand
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.formats.plan import plan_json

SWAPPINESS = SysctlTarget(name="vm.swappiness", maximum=100)
DIRTY = SysctlTarget(name="vm.dirty_bytes", twin="vm.dirty_ratio", unit="bytes")
PAGES = SysctlTarget(name="vm.nr_hugepages", unit="huge pages")
THP = SysfsTarget(
    name="/sys/kernel/mm/transparent_hugepage/enabled",
    fact="thp.enabled",
    choices=("always", "madvise", "never"),
)
NOBODY = Owners(tuned=Absent("x"), operator=Absent("x"), rivals=Known((), "x"), managed=Known((), "x"))


def kept(base: Situation | None = None, owners: Owners = NOBODY, server: ServerOwner = "source") -> Situation:
    """The situation with these owners of the machine and of its server."""
    start = base or situation()
    assert isinstance(start.server, PostgresServer)
    postgres_server = dataclasses.replace(start.server, owner=server)
    facts = dataclasses.replace(start.facts, owners=owners, postgres=(postgres_server,))
    return dataclasses.replace(start, facts=facts, server=postgres_server)


def under(operator: str) -> Situation:
    return kept(owners=dataclasses.replace(NOBODY, operator=Known(operator, "x")))


def rivalled(name: str, value: str, keeper: RivalKeeper, *, tuned: str = "") -> Situation:
    rival = Rival(name=name, value=value, place="/etc/x.conf:3", keeper=keeper)
    profile = Known(tuned, "x") if tuned else Absent("x")
    return kept(owners=dataclasses.replace(NOBODY, rivals=Known((rival,), "x"), tuned=profile))


def advice(made: Plan, name: str) -> Advice:
    verdict = finding(made, name).verdict
    assert isinstance(verdict, Advice)
    return verdict


def codes(made: Plan) -> list[str]:
    return [warning.code for warning in made.warnings]


def test_a_server_that_nobody_keeps_is_changed() -> None:
    made = plan(proposes("pg.work_mem", "8MB"), now=kept())
    assert finding(made, "pg.work_mem").state == "change"
    assert codes(made) == []


def test_patroni_is_asked_and_the_bundle_leaves_the_server_alone() -> None:
    made = plan(proposes("pg.work_mem", "8MB"), now=kept(server="patroni"))
    assert finding(made, "pg.work_mem").state == "advise"
    assert made.changes == ()
    assert advice(made, "pg.work_mem").steps == (
        "patronictl edit-config --pg work_mem=8MB",
        'or in its YAML: postgresql: {parameters: {work_mem: "8MB"}}',
    )
    assert [action for action in made.actions if not isinstance(action, ByHand)] == []
    assert "settings_keeper" in codes(made)


def test_what_was_set_before_is_what_an_undo_asks_for() -> None:
    one = Given(settings={"work_mem": "5MB"})
    set_before = plan(proposes("pg.work_mem", "8MB"), now=kept(situation(one), server="patroni"))
    assert advice(set_before, "pg.work_mem").undo[0] == "patronictl edit-config --pg work_mem=5MB"
    default = plan(proposes("pg.work_mem", "8MB"), now=kept(server="patroni"))
    assert advice(default, "pg.work_mem").undo[0] == "patronictl edit-config --pg work_mem=null"


def test_a_setting_that_takes_a_restart_is_followed_by_one() -> None:
    made = plan(proposes("pg.shared_buffers", "2GB"), now=kept(server="patroni"))
    assert advice(made, "pg.shared_buffers").steps[-1] == "patronictl restart CLUSTER --pending"
    assert not made.restart


@pytest.mark.parametrize(
    ("operator", "resource", "path"),
    [
        ("CloudNativePG", "cluster", ["spec", "postgresql", "parameters"]),
        ("Zalando Postgres Operator", "postgresql", ["spec", "postgresql", "parameters"]),
        (
            "Crunchy Postgres for Kubernetes",
            "postgrescluster",
            ["spec", "config", "parameters"],
        ),
        (
            "Percona Operator for PostgreSQL",
            "perconapgcluster",
            ["spec", "patroni", "dynamicConfiguration", "postgresql", "parameters"],
        ),
        ("StackGres", "sgpgconfig", ["spec", "postgresql.conf"]),
    ],
)
def test_an_operator_is_asked_by_its_manifest(operator: str, resource: str, path: list[str]) -> None:
    made = plan(proposes("pg.work_mem", "8MB"), now=under(operator))
    first, at_once = advice(made, "pg.work_mem").steps
    assert first == f'in the manifest of the {resource}, {".".join(path)}: work_mem: "8MB"'
    words = shlex.split(at_once.removeprefix("or at once: "))
    assert words[:4] == ["kubectl", "patch", resource, "NAME"]
    patch = json.loads(words[-1])
    for key in path:
        patch = patch[key]
    assert patch == {"work_mem": "8MB"}


def test_kubeblocks_is_given_an_order_and_for_the_undo_another_one() -> None:
    asked = advice(plan(proposes("pg.work_mem", "8MB"), now=under("KubeBlocks")), "pg.work_mem")
    order = "in an OpsRequest of type Reconfiguring, for the component postgresql: key: work_mem, value: "
    assert asked.steps == (f'{order}"8MB"',)
    assert asked.undo == (f'{order}"4MB"',)


def test_stackgres_is_asked_to_restart_and_the_others_do_it_by_themselves() -> None:
    def last(operator: str) -> str:
        return advice(
            plan(proposes("pg.shared_buffers", "2GB"), now=under(operator)), "pg.shared_buffers"
        ).steps[-1]

    assert last("StackGres") == "restart the cluster: create an SGDbOps with op: restart"
    assert last("CloudNativePG") == "wait until CloudNativePG has restarted the servers"


def test_an_operator_comes_before_the_patroni_that_it_runs() -> None:
    result = kept(owners=dataclasses.replace(NOBODY, operator=Known("CloudNativePG", "x")), server="patroni")
    assert "kubectl" in advice(plan(proposes("pg.jit", "off"), now=result), "pg.jit").steps[1]


def test_later_decisions_and_the_budget_reckon_with_what_the_keeper_is_asked_for() -> None:
    def decide(entry: Situation) -> Proposal:
        return Proposal(value="off", because=entry.will_be("shared_buffers"), computed="x")

    looks = recommendation("pg.huge_pages", decide, after=("pg.shared_buffers",))
    made = plan(proposes("pg.shared_buffers", "2GB"), looks, now=kept(server="patroni"))
    assert "2GB" in finding(made, "pg.huge_pages").because
    assert made.end.chosen["shared_buffers"] == "2GB"
    assert isinstance(made.after, MemoryBudget)
    assert made.after.parts["buffers"].pg() == "2GB"


def test_what_exceeds_the_budget_is_not_asked_of_the_keeper_either() -> None:
    small = situation(Given(memory="4GB", available="3GB", connections=100))
    made = plan(proposes("pg.work_mem", "1GB"), now=kept(small, server="patroni"))
    assert finding(made, "pg.work_mem").because == "the memory budget has no room for it"


def test_a_kernel_setting_for_a_server_that_is_not_changed_yet_waits() -> None:
    proposal = Proposal(value="1100", because="b", computed="c")
    pages = recommendation("kernel.pages", lambda _: proposal, target=PAGES, after=("pg.shared_buffers",))
    made = plan(proposes("pg.shared_buffers", "2GB"), pages, now=kept(server="patroni"))
    result = finding(made, "kernel.pages")
    assert result.state == "declined"
    assert "shared_buffers, which Patroni manages" in result.because
    assert "1,100 pages" in result.because


def test_a_kernel_setting_that_rests_on_nothing_asked_is_changed() -> None:
    proposal = Proposal(value="1100", because="b", computed="c")
    pages = recommendation("kernel.pages", lambda _: proposal, target=PAGES, after=("pg.shared_buffers",))
    made = plan(declines("pg.shared_buffers"), pages, now=kept(server="patroni"))
    assert finding(made, "kernel.pages").state == "change"


def test_a_value_of_one_s_own_is_asked_for_too_and_a_no_is_a_no() -> None:
    for said, state, step in (
        (Replaced(value="9MB"), "advise", "patronictl edit-config --pg work_mem=9MB"),
        (Accepted(), "advise", "patronictl edit-config --pg work_mem=8MB"),
        (Refused(), "declined", "patronictl edit-config --pg work_mem=8MB"),
    ):
        result = kept(situation(decisions={"pg.work_mem": said}), server="patroni")
        made = plan(proposes("pg.work_mem", "8MB"), now=result)
        assert finding(made, "pg.work_mem").state == state
        assert advice(made, "pg.work_mem").steps[0] == step
        assert ("work_mem" in made.end.chosen) is (state == "advise")


def test_the_outside_form_tells_the_value_that_is_asked_for() -> None:
    made = plan_json(plan(proposes("pg.work_mem", "8MB"), now=kept(server="patroni")))
    (text,) = json.loads(made)["recommendations"]
    assert (text["state"], text["proposed"], text["takes_effect"]) == ("advise", "8MB", "manual")


@pytest.mark.parametrize("name", ["vm.dirty_bytes", "vm.dirty_ratio"])
def test_a_line_for_the_setting_or_its_twin_that_wins_is_named(name: str) -> None:
    made = plan(
        proposes("kernel.dirty_bytes", "536870912", target=DIRTY), now=rivalled(name, "5", "sysctl.d")
    )
    result = finding(made, "kernel.dirty_bytes")
    assert result.state == "declined"
    assert result.because.startswith(f"/etc/x.conf:3 sets {name} = 5 and is read after 90-tunewiz.conf")
    assert "512MB" in result.because
    assert codes(made) == ["rival_files", "nothing_to_change"]


def test_a_line_for_another_setting_is_no_rival() -> None:
    made = plan(
        proposes("kernel.swappiness", "10", target=SWAPPINESS),
        now=rivalled("vm.dirty_bytes", "5", "sysctl.d"),
    )
    assert finding(made, "kernel.swappiness").state == "change"


def test_a_tmpfiles_line_that_wins_is_named() -> None:
    made = plan(proposes("kernel.thp", "never", target=THP), now=rivalled(THP.name, "always", "tmpfiles.d"))
    assert "is read before tunewiz.conf and wins" in finding(made, "kernel.thp").because


def test_what_tuned_writes_over_ours_is_left_to_a_profile_of_one_s_own() -> None:
    result = rivalled("vm.dirty_ratio", "40", "tuned", tuned="throughput-performance")
    made = plan(proposes("kernel.dirty_bytes", "536870912", target=DIRTY), now=result)
    assert advice(made, "kernel.dirty_bytes").steps == (
        "make /etc/tuned/tunewiz/tuned.conf begin with the lines [main] and include=throughput-performance",
        "in /etc/tuned/tunewiz/tuned.conf, under [vm]: dirty_bytes=536870912, drop=dirty_ratio",
        "tuned-adm profile tunewiz",
    )
    assert advice(made, "kernel.dirty_bytes").undo == ("tuned-adm profile throughput-performance",)


def test_a_profile_of_ours_is_added_to_not_included_in_itself() -> None:
    result = rivalled(THP.name, "always", "tuned", tuned="tunewiz")
    made = plan(proposes("kernel.thp", "never", target=THP), now=result)
    assert advice(made, "kernel.thp").steps == (
        "in /etc/tuned/tunewiz/tuned.conf, under [vm]: transparent_hugepages=never",
        "tuned-adm profile tunewiz",
    )


def test_tuned_is_warned_of_by_name_with_the_profile_that_would_keep_the_plan() -> None:
    result = kept(owners=dataclasses.replace(NOBODY, tuned=Known("postgresql", "x")))
    made = plan(proposes("kernel.swappiness", "10", target=SWAPPINESS), now=result)
    (warned,) = made.warnings
    assert warned.code == "tuned"
    assert "profile postgresql" in warned.text
    assert "include=postgresql" in warned.text
    assert "[sysctl]: vm.swappiness=10" in warned.text


def test_tuned_is_no_affair_of_a_plan_that_leaves_the_kernel_alone() -> None:
    result = kept(owners=dataclasses.replace(NOBODY, tuned=Known("postgresql", "x")))
    assert codes(plan(proposes("pg.jit", "off"), now=result)) == []


def test_files_of_other_tools_are_warned_of() -> None:
    files = tuple(Managed(path=path, by="Ansible") for path in ("/etc/a", "/etc/b"))
    made = plan(
        proposes("pg.jit", "off"), now=kept(owners=dataclasses.replace(NOBODY, managed=Known(files, "x")))
    )
    assert [(warning.code, warning.text) for warning in made.warnings] == [
        (
            "managed_files",
            "Ansible manages /etc/a, /etc/b: make the changes there too, or its next run may undo them.",
        )
    ]


def test_rivals_that_could_not_be_looked_for_are_told() -> None:
    unread = dataclasses.replace(NOBODY, rivals=Unknown("permission denied: /etc/sysctl.d/99.conf"))
    made = plan(proposes("kernel.swappiness", "10", target=SWAPPINESS), now=kept(owners=unread))
    assert codes(made) == ["rival_files_unread"]


def test_facts_that_were_written_before_anyone_looked_make_no_noise() -> None:
    made = plan(proposes("kernel.swappiness", "10", target=SWAPPINESS), now=kept(owners=Owners()))
    assert codes(made) == []


def test_a_plan_that_leaves_everything_to_a_person_does_not_say_that_nothing_needs_to_change() -> None:
    made = plan(proposes("pg.work_mem", "8MB"), now=kept(server="patroni"))
    (text,) = [warning.text for warning in made.warnings if warning.code == "nothing_to_change"]
    assert "for you to decide" in text
    assert "Nothing needs to change" not in text
