"""The targets of a bundle, and what it contains for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tunewiz.core.planning.target_names import TargetName
from tunewiz.text.choice import Choice

_ABOUT: Mapping[TargetName, tuple[str, str]] = {
    "patroni": ("Patroni", "its settings, by a patch of the cluster's configuration"),
    "autobase": ("autobase", "its settings, as entries for its variables"),
    "cloudnativepg": ("CloudNativePG", "its settings, as a patch of the Cluster"),
    "pgo": ("Crunchy PGO", "its settings, as a patch of the PostgresCluster"),
    "percona": ("Percona operator", "its settings, as a patch of the PerconaPGCluster"),
    "zalando": ("Zalando operator", "its settings, as a patch of the postgresql resource"),
    "stackgres": ("StackGres", "its settings, as a patch of the SGPostgresConfig"),
    "kubeblocks": ("KubeBlocks", "its settings, as an OpsRequest that reconfigures the component"),
    "host": ("this host alone", "changes outside PostgreSQL; the settings are left out"),
}

_REVIEW = ("REVIEW.md", "every change with its reasons, to be read and agreed on")
_AGAIN = ("answers.toml", "repeats this run without the wizard")
_SCRIPTS = (
    ("apply.sh", "applies the changes; --dry-run only lists them"),
    ("verify.sh", "checks whether the system is as planned"),
    ("rollback.sh", "restores what was there before"),
)
_HOST = ("host/", "an ordinary bundle for the machine itself, if anything changes there")
_PATCHES = (
    ("patch.yaml", "the settings, for `kubectl patch`"),
    ("undo.yaml", "the patch that restores what was there before"),
)
_REQUESTS = (
    ("reconfigure.yaml", "the settings, for `kubectl create`"),
    ("undo.yaml", "the request for what was in force before"),
)
_RESTART = ("restart.yaml", "the restart, for `kubectl create`, if one is needed")
_NODE = ("node/", "changes to the node itself, for whoever owns it, if there are any")
_VARIABLES = (
    ("vars.yml", "entries for autobase's variables"),
    ("undo-vars.yml", "the entries that restore what was there before"),
)


def target_choices(targets: Sequence[TargetName]) -> tuple[Choice, ...]:
    """One choice per target."""
    return tuple(Choice(key=target, title=_ABOUT[target][0], about=_ABOUT[target][1]) for target in targets)


def contents(target: TargetName) -> tuple[tuple[str, str], ...]:
    """The files of such a bundle, and what each is for."""
    match target:
        case "host":
            return (_REVIEW, *_SCRIPTS, _AGAIN)
        case "patroni":
            return (_REVIEW, *_SCRIPTS, _HOST, _AGAIN)
        case "kubeblocks":
            return (_REVIEW, *_REQUESTS, _NODE, _AGAIN)
        case "autobase":
            return (_REVIEW, *_VARIABLES, _HOST, _AGAIN)
        case "cloudnativepg" | "pgo" | "percona" | "zalando" | "stackgres":
            restart = (_RESTART,) if target == "stackgres" else ()
            return (_REVIEW, *_PATCHES, *restart, _NODE, _AGAIN)
