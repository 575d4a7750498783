"""A plan as the files of a bundle: the same plan gives the same bytes, nothing is written yet."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.bundle.dropins import drop_ins
from tunewiz.bundle.manifest import MANIFEST, SUMS, checksums, manifest
from tunewiz.bundle.placing import placed
from tunewiz.bundle.review.document import review
from tunewiz.bundle.steps import step_lines
from tunewiz.core.planning.plan import Plan
from tunewiz.formats.plan import plan_json
from tunewiz.package_files import package_file

SCRIPTS = ("apply.sh", "rollback.sh", "verify.sh")
PARTS = (
    "base.sh",
    "place.sh",
    "apart.sh",
    "writer.sh",
    "state.sh",
    "records.sh",
    "order.sh",
    "sysctl.sh",
    "pool.sh",
    "sysfs.sh",
    "rivals.sh",
    "queue.sh",
    "files.sh",
    "fstab.sh",
    "include.sh",
    "swap.sh",
    "mount.sh",
    "loader.sh",
    "entry.sh",
    "boot.sh",
    "units.sh",
    "auto.sh",
    "auto_back.sh",
    "server.sh",
    "settings.sh",
    "hidden.sh",
    "inherit.sh",
    "carry.sh",
    "keeper.sh",
    "backup.sh",
    "log.sh",
    "restart.sh",
    "stop.sh",
    "fitness.sh",
    "compare.sh",
    "settle.sh",
    "wal.sh",
    "wal_check.sh",
    "wal_move.sh",
    "undo.sh",
    "revert.sh",
    "watcher.sh",
    "drift.sh",
    "confirm.sh",
    "signature.sh",
    "arguments.sh",
)
"""What the scripts read: fixed files, too."""


def rendered(plan: Plan, facts_json: str, answers_toml: str) -> Mapping[str, bytes]:
    """Content by path inside the bundle; raises BundleError for a plan that no bundle can carry."""
    placement = placed(plan)
    installed = drop_ins(placement)
    bundle = {
        **{name: _fixed(name) for name in SCRIPTS},
        **{f"lib/{name}": _fixed(name) for name in PARTS},
        **{f"files{path}": content for path, content in installed.items()},
        "REVIEW.md": review(plan, placement, installed).encode(),
        "plan.json": plan_json(plan).encode(),
        "facts.json": facts_json.encode(),
        "answers.toml": answers_toml.encode(),
        MANIFEST: manifest(plan, placement, installed),
    }
    # SHA256SUMS has a line for each of these and for the steps, which say how many lines it has.
    steps = step_lines(placement, plan.start.facts.host, len(bundle) + 1)
    whole = {**bundle, "steps.txt": steps}
    return {**whole, SUMS: checksums(whole)}


def _fixed(name: str) -> bytes:
    return package_file("tunewiz.bundle.scripts", name).read_bytes()
