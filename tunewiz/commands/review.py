"""`tunewiz review`: a bundle's REVIEW.md, as a page for a terminal."""

from __future__ import annotations

import os

from tunewiz.bundle.check import damage_of
from tunewiz.commands.named_files import read_text
from tunewiz.commands.options import Options
from tunewiz.console import pager
from tunewiz.console.exit_status import say
from tunewiz.core.values.errors import UsageError

REVIEW = "REVIEW.md"
DIFFERS = 1


def run_review(options: Options) -> int:
    """Show it, on a terminal page by page; exit status 1 if it is not as the bundle was written."""
    if options.bundle is None:
        raise UsageError("review: expected the directory of a bundle")
    from tunewiz.text.report import paper_width, printed  # noqa: PLC0415 - scripts need no rich
    from tunewiz.text.review_file import review_page  # noqa: PLC0415 - as above

    damage = [text for text in damage_of(options.bundle) if text.startswith(f"{REVIEW}:")]
    page = printed(review_page(read_text(options.bundle / REVIEW), paper_width()))
    pager.show(page, as_root=os.geteuid() == 0)
    for text in damage:
        say(text)
    return DIFFERS if damage else 0
