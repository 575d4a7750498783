# tunewiz: sets 19 settings of PostgreSQL 16 in Azure Database for PostgreSQL flexible server, planned for nvme-server
# In force at once: autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, checkpoint_timeout,
#     effective_cache_size, effective_io_concurrency, jit, log_autovacuum_min_duration, log_line_prefix,
#     log_lock_waits, log_min_duration_statement, log_temp_files, maintenance_work_mem, max_wal_size,
#     random_page_cost, track_io_timing, vacuum_buffer_usage_limit, work_mem
# Waits for a restart: autovacuum_max_workers, shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# Left out, it is read-only there:
#   max_slot_wal_keep_size = 1TB, track_wal_io_timing = on
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
    # autovacuum_max_workers = 5: in 1.2 TiB several large tables keep 3 workers busy for long
    "autovacuum_max_workers" = "5"
    # autovacuum_vacuum_cost_limit = 1700: 1.2 TiB with many writes: all workers share one allowance of 200 points
    "autovacuum_vacuum_cost_limit" = "1700"
    # autovacuum_vacuum_scale_factor = 0.06: in 1.2 TiB, 20% of a large table is much to clean at once
    "autovacuum_vacuum_scale_factor" = "0.06"
    # checkpoint_timeout = 15min: fewer checkpoints: fewer whole pages in the WAL and less writing
    "checkpoint_timeout" = "900"
    # effective_cache_size = 192GB: the planner now assumes that 4GB is cached, of 256 GiB of memory
    "effective_cache_size" = "25165824"
    # effective_io_concurrency = 200: nvme storage serves many reads in parallel
    "effective_io_concurrency" = "200"
    # jit = off: when the planner overestimates a short query, compiling it takes longer than running it
    "jit" = "off"
    # log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
    "log_autovacuum_min_duration" = "10000"
    # log_line_prefix = %m [%p] %q%u@%d/%a : lines in the log don't say which user, database and application they are about
    "log_line_prefix" = "%m [%p] %q%u@%d/%a "
    # log_lock_waits = on: a session that waits for a lock longer than deadlock_timeout is named in the log, with the holder
    "log_lock_waits" = "on"
    # log_min_duration_statement = 1s: no statement is logged, however slow it is
    "log_min_duration_statement" = "1000"
    # log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
    "log_temp_files" = "65536"
    # maintenance_work_mem = 2097151kB (the plan: 2GB): indexes are built and dead rows removed in fewer passes
    "maintenance_work_mem" = "2097151"
    # max_wal_size = 32GB: checkpoints come less often; 2.1 TiB are free for WAL
    "max_wal_size" = "32768"
    # random_page_cost = 1.1: on nvme a random read costs little more than the next one in sequence
    "random_page_cost" = "1.1"
    # shared_buffers = 22GB: the server keeps more of its hot pages itself and asks the kernel less often; 64GB wait for 33,894 huge pages of 2 MiB: without them page tables would take 128 MiB for each of 293 sessions at work that touches all of it, in pages of 4 KiB
    "shared_buffers" = "2883584"
    # track_io_timing = on: reading the clock tsc is cheap, and without it nobody knows how slow the disks are
    "track_io_timing" = "on"
    # vacuum_buffer_usage_limit = 2MB: in 256kB vacuum writes its WAL out again and again to reuse its few pages
    "vacuum_buffer_usage_limit" = "2048"
    # work_mem = 64MB: sorts and hashes of this size stay in memory with 293 sessions at work; all 500 at their limit would take 63.5 GiB
    "work_mem" = "65536"
  }
}

resource "azurerm_postgresql_flexible_server_configuration" "tunewiz" {
  for_each  = local.tunewiz_parameters
  name      = each.key
  server_id = var.tunewiz_server_id
  value     = each.value
}
