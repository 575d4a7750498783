"""The files that a bundle installs as a diff: before each new line what holds now, and its origin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.target_words import target_path
from tunewiz.core.recommendation.targets import PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.values.known import Known
from tunewiz.core.words.finding import NOT_KNOWN, UNREAD, now_of
from tunewiz.wizard.bundle_preview import PreviewedFile


def diff(files: Sequence[PreviewedFile], plan: Plan) -> Iterator[Text]:
    """Each file: its path, then for each line what goes and what comes; a blank row after it."""
    for file in files:
        yield Text(f"+++ {file.path}", style="bold")
        for line in file.text.splitlines():
            for finding in _set_by(line, plan):
                yield _removed(finding, plan)
            yield Text.assemble(("+", "green"), "\t", line)
        yield Text()


def _set_by(line: str, plan: Plan) -> Iterator[Finding]:
    """The change that a line makes, if it makes one."""
    name, _, _ = line.partition(" = ")
    words = line.split()
    for finding in plan.changes:
        target = finding.recommendation.target
        by_name = isinstance(target, PgTarget | SysctlTarget) and target.name == name
        if by_name or (isinstance(target, SysfsTarget) and target_path(target) in words):
            yield finding


def _removed(finding: Finding, plan: Plan) -> Text:
    present, target = now_of(finding, plan.start), finding.recommendation.target
    if present.short == NOT_KNOWN:
        value, origin = NOT_KNOWN, ""
    elif present.more == UNREAD:
        value, origin = present.short.strip("()"), UNREAD.removeprefix(", ")
    else:
        current = plan.start.current(target)
        value, origin = (
            (current.value or present.short, current.how)
            if isinstance(current, Known)
            else (present.short, "")
        )
    name = target_path(target) or target.name
    about = f"  # {origin}" if origin else ""
    return Text.assemble(("-", "red"), "\t", f"{name} = {value}", (about, "dim"))
