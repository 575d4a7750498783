# tunewiz: takes back 19 settings of PostgreSQL 16 in Azure Database for PostgreSQL flexible server, planned for nvme-server
# Values are what the facts say was set; what nobody had set goes back to the default there.
# In force at once: autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, checkpoint_timeout,
#     effective_cache_size, effective_io_concurrency, jit, log_autovacuum_min_duration, log_line_prefix,
#     log_lock_waits, log_min_duration_statement, log_temp_files, maintenance_work_mem, max_wal_size,
#     random_page_cost, track_io_timing, vacuum_buffer_usage_limit, work_mem
# Waits for a restart: autovacuum_max_workers, shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# What can be set there was read in (address, date):
#   https://github.com/MicrosoftDocs/azure-databases-docs/tree/2a5e4203fe01d2e60ec722fee9f21be0668d3ea9/articles/postgresql/server-parameters/includes (2025-12-29)
#   https://github.com/MicrosoftDocs/azure-databases-docs/blob/2d9647fbe7614032e189e4856bd33ee8ff10104b/articles/postgresql/server-parameters/how-to-server-parameters-revert-one-default.md (2025-02-03)
#   https://github.com/hashicorp/terraform-provider-azurerm/blob/08c5ccdbc6035dfd54c8e9bbee91877452d7b396/website/docs/r/postgresql_flexible_server_configuration.html.markdown (2026-11-29)

variable "tunewiz_server_id" {
  type        = string
  description = "The id of the azurerm_postgresql_flexible_server"
}

locals {
  tunewiz_parameters = {
    "max_wal_size"   = "4096"
    "shared_buffers" = "1048576"
    "work_mem"       = "16384"
  }
}

resource "azurerm_postgresql_flexible_server_configuration" "tunewiz" {
  for_each  = local.tunewiz_parameters
  name      = each.key
  server_id = var.tunewiz_server_id
  value     = each.value
}
# Left away here, as nobody had set them or the facts do not tell: autovacuum_max_workers,
#     autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, checkpoint_timeout, effective_cache_size,
#     effective_io_concurrency, jit, log_autovacuum_min_duration, log_line_prefix, log_lock_waits,
#     log_min_duration_statement, log_temp_files, maintenance_work_mem, random_page_cost, track_io_timing,
#     vacuum_buffer_usage_limit
