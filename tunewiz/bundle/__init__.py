"""The change bundle: rendered, written, checked; its scripts are fixed files."""

from tunewiz.bundle.check import check_bundle
from tunewiz.bundle.write import write_bundle

__all__ = ["check_bundle", "write_bundle"]
