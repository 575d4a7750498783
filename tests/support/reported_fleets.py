"""Fleets whose every text is hostile, and all the forms in which a fleet is reported."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date

from small_fleets import decision, host
from tunewiz.core.fleet.clusters import order_of
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import grouped
from tunewiz.core.fleet.history import SinceLast
from tunewiz.core.fleet.hosts import FailedHost, HostPlan
from tunewiz.core.fleet.metrics import metrics_of
from tunewiz.core.fleet.policy import PolicyRule
from tunewiz.core.fleet.remarks import remarks_of
from tunewiz.core.fleet.sections import WHOLE
from tunewiz.core.fleet.violations import Violation
from tunewiz.fleet.pull_request import drift_markdown, plan_markdown
from tunewiz.formats.fleet import fleet_json
from tunewiz.formats.fleet_drift import drift_json
from tunewiz.formats.junit import junit
from tunewiz.formats.prometheus import prometheus
from tunewiz.formats.sarif import sarif
from tunewiz.text.fleet import drift_text, fleet_text

FORMS: Mapping[str, Callable[[Fleet, SinceLast], str]] = {
    "text": lambda fleet, _: fleet_text(fleet, WHOLE),
    "drift": lambda fleet, since: drift_text(fleet, since, WHOLE),
    "markdown": lambda fleet, _: plan_markdown(fleet, WHOLE),
    "drift in markdown": lambda fleet, since: drift_markdown(fleet, since, WHOLE),
    "json": lambda fleet, _: fleet_json(fleet),
    "drift as json": drift_json,
    "junit": junit,
    "sarif": lambda fleet, since: sarif(remarks_of(fleet, since)),
    "prometheus": lambda fleet, since: prometheus(
        metrics_of(fleet, since, [violation.rule for violation in fleet.violations])
    ),
}


def fleet_from(*plans: HostPlan, text: str = "", unused: tuple[str, ...] = ()) -> Fleet:
    """A fleet of these hosts; with a text, one host without a plan and two rules that are not kept say it."""
    failed = (FailedHost(host=text, source=f"facts/{text}", why=text),) if text else ()
    violations = tuple(_violations(text, plans)) if text else ()
    return Fleet(
        groups=grouped(plans),
        failed=failed,
        waves=(),
        order=order_of(plans),
        unused=(*unused, *(violation.text for violation in violations)),
        violations=violations,
    )


def _violations(text: str, plans: tuple[HostPlan, ...]) -> list[Violation]:
    names = tuple(plan.host for plan in plans)
    rule = PolicyRule(setting="work_mem", value=text, reason=text, owner=text, until=date(2027, 1, 31))
    broken = Violation(
        kind="broken", rule=rule, file=f"a/{text}", line=3, hosts=names, text=f"a/{text}: {text}"
    )
    return [broken, Violation(kind="expired", rule=rule, file="a", line=0, hosts=(), text=text)]


def saying(text: str, name: str = "db1") -> HostPlan:
    """A host all of whose values and rules are this text."""
    changed = decision("work_mem", text, decided=text)
    made = host(name, (changed, decision("jit", text, state="advise")), now={"work_mem": text})
    return _with_rules(made, text)


def _with_rules(made: HostPlan, text: str) -> HostPlan:
    return replace(made, broken=((text, text),), against=((text, text),), troubles=(text,))
