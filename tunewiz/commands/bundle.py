"""`tunewiz bundle`: the change bundle without the wizard."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tunewiz.bundle.write import write_bundle
from tunewiz.commands.inputs import Inputs, planned, read_facts_file, read_inputs, say_unkept
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.known import known_or
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.wizard.outcome import Written, outcome_in_words


def run_bundle(options: Options) -> int:
    """Write the bundle and say what to do with it; returns 1 where a rule of the shop is not kept."""
    if options.out is None:
        raise UsageError("bundle: expected -o DIR")
    if options.member and options.target == "host":
        raise UsageError("--member: expected --target patroni or autobase, found host")
    if options.member and options.policy is not None:
        raise UsageError(
            "--policy: expected one host, found --member", "`tunewiz fleet write` plans many by rules."
        )
    inputs = read_inputs(options)
    directory = Path(options.out)
    if options.target == "host":
        plan, steps = _for_host(inputs, directory)
    else:
        plan, steps = _for_keeper(inputs, directory, options.target, options.member)
    output.write(f"{steps}\n")
    return say_unkept(inputs, plan)


def _for_host(inputs: Inputs, directory: Path) -> tuple[Plan, str]:
    """The plan, and what to do next."""
    plan = planned(inputs)
    write_bundle(plan, directory, facts_to_json(inputs.facts), answers_to_toml(plan.start.answers))
    return plan, outcome_in_words(Written(directory=str(directory), plan=plan))


def _for_keeper(
    inputs: Inputs, directory: Path, target: KeptTarget, members: Sequence[Path]
) -> tuple[Plan, str]:
    """Another target than the host: from here on the facts name it as the keeper, in the bundle too."""
    from tunewiz.bundle.keepers.keeper_bundle import Texts, kept_plan, with_members, write_kept_bundle  # noqa: PLC0415 - rare
    from tunewiz.knowledge.keepers import load_rulebook  # noqa: PLC0415 - as above
    from tunewiz.wizard.for_keeper import kept_steps  # noqa: PLC0415 - as above

    kept_inputs = _kept(inputs, target)
    plan = planned(kept_inputs)
    kept = kept_plan(plan, target, load_rulebook(target))
    if members:
        host = _member_name(kept_inputs.facts, inputs.facts_from)
        kept = with_members(kept, host, _others(kept_inputs, target, members, {host}))
    texts = Texts(
        facts_json=facts_to_json(kept_inputs.facts), answers_toml=answers_to_toml(plan.start.answers)
    )
    write_kept_bundle(plan, kept, directory, texts)
    steps = kept_steps(kept, str(directory))
    return plan, "\n".join(f"{label:<8} {text}" for label, text in steps)


def _kept(inputs: Inputs, target: KeptTarget) -> Inputs:
    from tunewiz.core.planning.keeper_targets import kept_by  # noqa: PLC0415 - as above
    from tunewiz.planning import chosen_server  # noqa: PLC0415 - as above

    return replace(inputs, facts=kept_by(inputs.facts, chosen_server(inputs.facts, inputs.answers), target))


def _others(first: Inputs, target: KeptTarget, files: Sequence[Path], known: set[str]) -> Mapping[str, Plan]:
    """The other members' plans by host; raises InputError for a duplicate or another major version."""
    if target not in ("patroni", "autobase"):
        raise UsageError(f"--member: expected --target patroni or autobase, found {target}")
    major = planned(first).start.major
    others = dict[str, Plan]()
    for file in files:
        inputs = _kept(replace(first, facts=read_facts_file(file), facts_from=str(file)), target)
        host, plan = _member_name(inputs.facts, str(file)), planned(inputs)
        if host in known or host in others:
            raise InputError(f"{file}: facts of {host} were given already, expected another member")
        if plan.start.major != major:
            raise InputError(
                f"{file}: {host} has PostgreSQL {plan.start.major}, but the first member has {major}"
            )
        others[host] = plan
    return others


def _member_name(facts: Facts, where: str) -> str:
    """The host's name, which a file is named after; raises InputError."""
    name = known_or(facts.host.name, "")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name):
        raise InputError(f"{where}: host.name: found {name!r}, expected letters, digits, dots and hyphens")
    return name
