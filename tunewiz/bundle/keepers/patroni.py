"""A bundle whose scripts change the dynamic configuration of a Patroni cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.bundle.keepers.documents import parameters
from tunewiz.bundle.parts import parts, scripts
from tunewiz.bundle.steps import rows_as_lines
from tunewiz.core.keepers.handover import Handover
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.actions import Row
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.values.known import known_or
from tunewiz.formats import yaml
from tunewiz.kinds.patroni import DynamicSetting, dynamic_rows

PATCH = "patch.yaml"


def patroni_files(handed: Handover) -> Mapping[str, bytes]:
    """The scripts, their parts, and the patch."""
    return {
        **scripts(),
        **{f"lib/{name}": file.read_bytes() for name, file in parts().items()},
        PATCH: yaml.dumps({"postgresql": {"parameters": parameters(handed)}}).encode(),
    }


def patroni_steps(plan: Plan, handed: Handover, checksums: int) -> bytes:
    """steps.txt; `checksums` is the number of lines that SHA256SUMS will have."""
    return rows_as_lines(_rows(plan, handed), checksums)


def _rows(plan: Plan, handed: Handover) -> Iterator[Row]:
    host, server = plan.start.facts.host, plan.start.server
    identifier = "" if isinstance(server, NoServer) else known_or(server.system_identifier, "")
    yield "host", known_or(host.identity, ""), known_or(host.name, "")
    settings = [
        DynamicSetting(
            name=setting.name,
            before=setting.before,
            before_text=setting.before_text,
            value=setting.value,
            effect=setting.effect,
            text=setting.text,
            everywhere=setting.everywhere,
        )
        for setting in handed.settings
    ]
    yield from dynamic_rows(settings, str(plan.start.major), identifier)
