#!/bin/sh
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

# autovacuum_max_workers = 5: in 1.2 TiB several large tables keep 3 workers busy for long
# autovacuum_vacuum_cost_limit = 1700: 1.2 TiB with many writes: all workers share one allowance of 200 points
# autovacuum_vacuum_scale_factor = 0.06: in 1.2 TiB, 20% of a large table is much to clean at once
# checkpoint_timeout = 15min: fewer checkpoints: fewer whole pages in the WAL and less writing
# effective_cache_size = 192GB: the planner now assumes that 4GB is cached, of 256 GiB of memory
# effective_io_concurrency = 200: nvme storage serves many reads in parallel
# jit = off: when the planner overestimates a short query, compiling it takes longer than running it
# log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
# log_line_prefix = %m [%p] %q%u@%d/%a : lines in the log don't say which user, database and application they are about
# log_lock_waits = on: a session that waits for a lock longer than deadlock_timeout is named in the log, with the holder
# log_min_duration_statement = 1s: no statement is logged, however slow it is
# log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
# maintenance_work_mem = 2097151kB (the plan: 2GB): indexes are built and dead rows removed in fewer passes
# max_wal_size = 32GB: checkpoints come less often; 2.1 TiB are free for WAL
# random_page_cost = 1.1: on nvme a random read costs little more than the next one in sequence
# shared_buffers = 22GB: the server keeps more of its hot pages itself and asks the kernel less often; 64GB wait for 33,894 huge pages of 2 MiB: without them page tables would take 128 MiB for each of 293 sessions at work that touches all of it, in pages of 4 KiB
# track_io_timing = on: reading the clock tsc is cheap, and without it nobody knows how slow the disks are
# vacuum_buffer_usage_limit = 2MB: in 256kB vacuum writes its WAL out again and again to reuse its few pages
# work_mem = 64MB: sorts and hashes of this size stay in memory with 293 sessions at work; all 500 at their limit would take 63.5 GiB

set -eu
: "${GROUP:?set it to the resource group}"
: "${SERVER:?set it to the name of the server}"
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name autovacuum_max_workers --value 5
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name autovacuum_vacuum_cost_limit --value 1700
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name autovacuum_vacuum_scale_factor --value 0.06
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name checkpoint_timeout --value 900
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name effective_cache_size --value 25165824
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name effective_io_concurrency --value 200
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name jit --value off
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name log_autovacuum_min_duration --value 10000
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name log_line_prefix --value '%m [%p] %q%u@%d/%a '
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name log_lock_waits --value on
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name log_min_duration_statement --value 1000
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name log_temp_files --value 65536
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name maintenance_work_mem --value 2097151
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name max_wal_size --value 32768
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name random_page_cost --value 1.1
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name shared_buffers --value 2883584
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name track_io_timing --value on
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name vacuum_buffer_usage_limit --value 2048
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name work_mem --value 65536
# Then, when it suits: az postgres flexible-server restart.
