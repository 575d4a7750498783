"""A plan as Terraform: a resource where the service has one for parameters, else what goes into its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, assert_never

from tunewiz.core.keepers.exported import Export, ProviderSetting
from tunewiz.core.keepers.services import ServiceName
from tunewiz.managed.quoting import comment, hcl_string
from tunewiz.managed.words import comment_on, wrapped

Written: TypeAlias = Callable[[ProviderSetting, str, int], Iterable[str]]
"""How a setting with its value is written; names in neighbouring lines are as wide as the number says."""


def terraform_lines(export: Export, service: ServiceName, *, undo: bool) -> Iterator[str]:
    """The lines below the head."""
    wanted = [entry for entry in export.settings if entry.before or not undo]
    match service:
        case "rds":
            yield from _group(export, wanted, "aws_db_parameter_group", "postgres", undo=undo)
        case "aurora":
            yield from _group(
                export, wanted, "aws_rds_cluster_parameter_group", "aurora-postgresql", undo=undo
            )
        case "cloudsql":
            yield from _flags(wanted, undo=undo)
        case "azure":
            yield from _configurations(wanted, undo=undo)
        case "aiven":
            yield from _user_config(wanted, undo=undo)
        case _:
            assert_never(service)
    yield from _reset(export.settings, undo=undo)


def _reset(settings: Iterable[ProviderSetting], *, undo: bool) -> Iterator[str]:
    """What an undo leaves away, so that Terraform takes it away too."""
    if not undo:
        return
    names = [entry.name for entry in settings if not entry.before]
    yield from map(
        comment, wrapped("Left away here, as nobody had set them or the facts do not tell: ", names)
    )


def _entries(settings: Iterable[ProviderSetting], written: Written, *, undo: bool) -> Iterator[str]:
    """Every setting with the reason above it, or those of an undo below each other, indented by two."""
    every = tuple(settings)
    width = max((len(entry.parameter.name or entry.name) for entry in every), default=0) if undo else 0
    for entry in every:
        if not undo:
            yield f"  {comment(comment_on(entry))}"
        yield from written(entry, entry.before if undo else entry.value, width)


def _group(
    export: Export, settings: Iterable[ProviderSetting], resource: str, family: str, *, undo: bool
) -> Iterator[str]:
    yield ""
    yield comment("If the server has a parameter group of yours, put the blocks into that one instead.")
    yield f'resource "{resource}" "tunewiz" {{'
    yield '  name_prefix = "tunewiz-"'
    yield f"  family      = {hcl_string(family + export.major)}"
    yield ""
    yield from _entries(settings, _block, undo=undo)
    yield "  lifecycle {"
    yield "    create_before_destroy = true"
    yield "  }"
    yield "}"


def _block(entry: ProviderSetting, value: str, _width: int) -> Iterable[str]:
    method = "pending-reboot" if entry.static else "immediate"
    yield "  parameter {"
    yield f"    name         = {hcl_string(entry.path)}"
    yield f"    value        = {hcl_string(value)}"
    yield f"    apply_method = {hcl_string(method)}"
    yield "  }"
    yield ""


def _flags(settings: Iterable[ProviderSetting], *, undo: bool) -> Iterator[str]:
    yield ""
    yield comment("In settings of your google_sql_database_instance, beside the flags that it has already:")
    yield comment('  dynamic "database_flags" {')
    yield comment("    for_each = local.tunewiz_database_flags")
    yield comment("    content {")
    yield comment("      name  = database_flags.key")
    yield comment("      value = database_flags.value")
    yield comment("    }")
    yield comment("  }")
    yield from _map("tunewiz_database_flags", settings, undo=undo)


def _map(name: str, settings: Iterable[ProviderSetting], *, undo: bool) -> Iterator[str]:
    yield "locals {"
    yield f"  {name} = {{"
    for line in _entries(settings, _in_map, undo=undo):
        yield f"  {line}"
    yield "  }"
    yield "}"


def _in_map(entry: ProviderSetting, value: str, width: int) -> Iterable[str]:
    quotes = 2 if width else 0
    yield f"  {hcl_string(entry.path):<{width + quotes}} = {hcl_string(value)}"


def _configurations(settings: Iterable[ProviderSetting], *, undo: bool) -> Iterator[str]:
    yield ""
    yield 'variable "tunewiz_server_id" {'
    yield "  type        = string"
    yield '  description = "The id of the azurerm_postgresql_flexible_server"'
    yield "}"
    yield ""
    yield from _map("tunewiz_parameters", settings, undo=undo)
    yield ""
    yield 'resource "azurerm_postgresql_flexible_server_configuration" "tunewiz" {'
    yield "  for_each  = local.tunewiz_parameters"
    yield "  name      = each.key"
    yield "  server_id = var.tunewiz_server_id"
    yield "  value     = each.value"
    yield "}"


def _user_config(settings: Iterable[ProviderSetting], *, undo: bool) -> Iterator[str]:
    """A piece of a resource: blocks cannot be computed from a map."""
    every = list(settings)
    yield ""
    yield comment("Put this into your aiven_pg; where it has pg_user_config already, its lines into that.")
    yield "pg_user_config {"
    yield from _entries([entry for entry in every if not entry.parameter.under], _argument, undo=undo)
    under = [entry for entry in every if entry.parameter.under]
    if under:
        yield "  pg {"
        for line in _entries(under, _argument, undo=undo):
            yield f"  {line}"
        yield "  }"
    yield "}"


def _argument(entry: ProviderSetting, value: str, width: int) -> Iterable[str]:
    bare = entry.number or entry.boolean
    yield f"  {entry.parameter.name or entry.name:<{width}} = {value if bare else hcl_string(value)}"
