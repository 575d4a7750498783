"""Files for what only the owner of a node or host can do, separate from the operator's patches."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.bundle.keepers.documents import host_of, tuned_object
from tunewiz.bundle.placement import Placement
from tunewiz.core.keepers.resources import HugePagesOfNode
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.units import KIB
from tunewiz.formats import yaml

NODE_SYSCTL = "node/sysctl.d/90-tunewiz.conf"
NODE_TMPFILES = "node/tmpfiles.d/tunewiz.conf"
PAGES_TMPFILES = "huge-pages/node/tmpfiles.d/tunewiz-hugepages.conf"
PAGES_TUNED = "huge-pages/node/openshift-tuned.yaml"
_HEADER = "# For the owner of the node: these settings apply to everything that runs there."


def node_files(placement: Placement) -> Mapping[str, bytes]:
    """The kernel settings of the plan, as files for the node."""
    lines = {
        NODE_SYSCTL: [sysctl.line for sysctl in placement.sysctls],
        NODE_TMPFILES: [choice.line for choice in placement.choices],
    }
    return {name: _text(line) for name, line in lines.items() if line}


def page_files(plan: Plan, pages: HugePagesOfNode) -> Mapping[str, bytes]:
    """The pool of huge pages, in two ways: a file for any Linux, an object for OpenShift."""
    kilobytes = pages.size.count // KIB
    pool = f"/sys/kernel/mm/hugepages/hugepages-{kilobytes}kB/nr_hugepages"
    return {
        PAGES_TMPFILES: _text([f"w {pool} - - - - {pages.count}"]),
        PAGES_TUNED: yaml.dumps(tuned_object(pages.count, kilobytes, host_of(plan))).encode(),
    }


def _text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in (_HEADER, *lines)).encode()
