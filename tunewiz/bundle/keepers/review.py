"""REVIEW.md and REVIEW.html of a bundle for a keeper: what it gets, what is left out, how to apply it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tunewiz.bundle.keepers.review_usage import usage_of
from tunewiz.bundle.placement import Placement
from tunewiz.bundle.review.blocks import (
    Block,
    Bullets,
    CodeText,
    Line,
    Paragraph,
    Strong,
    TableBlock,
    heading,
    line,
    names,
)
from tunewiz.bundle.review.html import html
from tunewiz.bundle.review.left_alone import left_alone
from tunewiz.bundle.review.markdown import markdown
from tunewiz.bundle.review.memory import memory_budget
from tunewiz.bundle.review.proof import in_review
from tunewiz.core.keepers.handover import Handover, KeptSetting, UnavailableSetting
from tunewiz.core.keepers.members import LocalSettings
from tunewiz.core.keepers.resources import HugePagesOfNode, NoResources, Resources
from tunewiz.core.keepers.rulebook import KubernetesResource
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.proof.proof import Proof
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many

_OF_THE_FILES = frozenset({"settings_keeper", "nothing_to_change"})
"""Warnings that a bundle leaves the settings to their keeper: not true of this one, which is for it."""
TAKES = {"reload": "at once", "restart": "restart"}


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptPlan:
    """Everything that a bundle for a keeper is made of."""

    target: KeptTarget
    handed: Handover
    placement: Placement
    """Changes to the host or node itself."""
    plain: Resources | NoResources
    paged: tuple[Resources, HugePagesOfNode] | NoResources
    members: int = 1
    """How many members were planned for."""
    local: tuple[LocalSettings, ...] = ()
    """Settings that fit only one member."""

    @property
    def has_scripts(self) -> bool:
        """Whether the bundle has an apply.sh, which offers a dry run."""
        return self.target == "patroni" and not self.handed.empty


def kept_reviews(plan: Plan, kept: KeptPlan) -> Mapping[str, bytes]:
    """The review as its two files, which say the same, by name."""
    blocks = kept_review(plan, kept)
    return {
        "REVIEW.md": markdown(blocks).encode(),
        "REVIEW.html": html(_title(plan, kept), blocks).encode(),
    }


def kept_review(plan: Plan, kept: KeptPlan) -> tuple[Block, ...]:
    """The review, to be written or shown."""
    return tuple(_review(plan, kept))


def _title(plan: Plan, kept: KeptPlan) -> str:
    host = known_or(plan.start.facts.host.name, "a host without a name")
    return f"Change bundle for {kept.handed.rules.title}, planned on {host}"


def _review(plan: Plan, kept: KeptPlan) -> Iterator[Block]:
    handed = kept.handed
    yield heading(1, _title(plan, kept))
    yield Paragraph(tuple(_head(plan, kept)))
    yield heading(2, "Settings")
    if handed.settings:
        rows = tuple(_row(setting, plan) for setting in handed.settings)
        yield TableBlock(("setting", "now", "then", "takes", "why"), rows)
    else:
        yield Paragraph((line("No settings are changed."),))
    if handed.libraries:
        place = ".".join(handed.rules.libraries.path)
        yield Paragraph((line("Libraries in ", CodeText(place), ": ", *names(*handed.libraries), "."),))
    if isinstance(plan.start.proof, Proof):
        yield from in_review(plan.start.proof)
    yield from _local(kept.local)
    yield from _left_out(handed.left_out)
    yield from _resources(kept)
    yield from usage_of(kept.target, handed, kept.placement, paged=not isinstance(kept.paged, NoResources))
    yield from memory_budget(plan)
    yield from _rules(handed)
    yield from left_alone(plan)


def _head(plan: Plan, kept: KeptPlan) -> Iterator[Line]:
    handed = kept.handed
    restart = "with a restart of every server" if handed.restart else "without a restart"
    yield line(f"{how_many(len(handed.settings), 'setting')}, {restart}. Nothing has been changed yet.")
    answers = plan.start.answers
    workload = f"{plan.start.workload.title}, {how_many(answers.workload.connections, 'connection')}"
    yield line(f"PostgreSQL {plan.start.major}; {workload}; posture {answers.risk.posture}.")
    yield line(
        f"{handed.rules.title} manages the configuration and overwrites changes in the server's files."
    )
    yield line(
        "The values were planned for this host alone: they fit the others only if those are like it."
        if kept.members == 1
        else f"The values were planned for {kept.members} members, each with its own facts."
    )
    result = (warning for warning in plan.warnings if warning.code not in _OF_THE_FILES)
    yield from (line(Strong("Careful"), f": {warning.text}") for warning in result)


def _row(setting: KeptSetting, plan: Plan) -> tuple[Line, ...]:
    present = setting.was or (
        "not known" if setting.before == NOT_KNOWN else f"({plan.start.default(setting.name)})"
    )
    return (
        line(CodeText(setting.name)),
        line(CodeText(present)),
        line(CodeText(setting.text)),
        line(TAKES[setting.effect]),
        line(setting.because),
    )


def _local(local: tuple[LocalSettings, ...]) -> Iterator[Block]:
    if not local:
        return
    yield heading(2, "Settings that fit only one member")
    rows = (
        (line(CodeText(of.host)), line(CodeText(f"{setting.name} = {setting.text}")))
        for of in local
        for setting in of.settings
    )
    yield TableBlock(("member", "setting"), tuple(rows))
    yield Paragraph(
        (
            line("Each member's part is in ", CodeText("local/"), ": no script puts it into effect."),
            line("Put it into that member's own file and reload there; some settings wait for a restart."),
        )
    )


def _left_out(left_out: tuple[UnavailableSetting, ...]) -> Iterator[Block]:
    if left_out:
        yield heading(2, "Planned, but not settable there")
        yield Bullets(
            tuple(
                line(CodeText(f"{setting.name} = {setting.text}"), f": {setting.why}") for setting in left_out
            )
        )


def _resources(kept: KeptPlan) -> Iterator[Block]:
    if not kept.handed.rules.manifest.kind:
        return
    yield heading(2, "Memory and processors of the pod")
    if isinstance(kept.plain, NoResources):
        yield Paragraph((line(kept.plain.why, "."),))
    else:
        place = _place_of_sizes(kept.handed.rules.manifest)
        yield Paragraph(
            (line("Requests and limits, equal, in ", place, ": ", *_quantities(kept.plain), "."),)
        )
    if isinstance(kept.paged, NoResources):
        if kept.paged.why:
            yield Paragraph((line(kept.paged.why, "."),))
        return
    resources, pages = kept.paged
    yield Paragraph(
        (
            line("With huge pages, a second step: ", *_quantities(resources), "."),
            line(f"The node must reserve them first: {pages.computed}."),
        )
    )


def _place_of_sizes(manifest: KubernetesResource) -> CodeText | str:
    if manifest.sizes:
        return manifest.sizes
    return CodeText(".".join(manifest.resources) or "resources of the entry in spec.instances")


def _quantities(resources: Resources) -> Line:
    return names(*(f"{name}: {value}" for name, value in resources.quantities.items()))


def _rules(handed: Handover) -> Iterator[Block]:
    yield heading(2, "The rules that were applied")
    yield Bullets(
        tuple(
            line(CodeText(f"{source.repository} {source.path}"), f", commit {source.commit} of {source.date}")
            for source in handed.rules.sources
        )
    )
