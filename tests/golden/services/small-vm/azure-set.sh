#!/bin/sh
# tunewiz: sets 16 settings of PostgreSQL 15 in Azure Database for PostgreSQL flexible server, planned for small-vm
# In force at once: checkpoint_timeout, effective_cache_size, jit, log_autovacuum_min_duration, log_line_prefix,
#     log_lock_waits, log_min_duration_statement, log_temp_files, maintenance_work_mem, max_parallel_workers,
#     max_parallel_workers_per_gather, max_wal_size, random_page_cost, track_io_timing, work_mem
# Waits for a restart: shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# Left out, it is read-only there:
#   max_slot_wal_keep_size = 64GB, track_wal_io_timing = on
# What can be set there was read in (address, date):
#   https://github.com/MicrosoftDocs/azure-databases-docs/tree/2a5e4203fe01d2e60ec722fee9f21be0668d3ea9/articles/postgresql/server-parameters/includes (2025-12-29)
#   https://github.com/MicrosoftDocs/azure-databases-docs/blob/2d9647fbe7614032e189e4856bd33ee8ff10104b/articles/postgresql/server-parameters/how-to-server-parameters-revert-one-default.md (2025-02-03)
#   https://github.com/hashicorp/terraform-provider-azurerm/blob/08c5ccdbc6035dfd54c8e9bbee91877452d7b396/website/docs/r/postgresql_flexible_server_configuration.html.markdown (2026-11-29)

# checkpoint_timeout = 15min: fewer checkpoints: fewer whole pages in the WAL and less writing
# effective_cache_size = 18GB: the planner now assumes that 4GB is cached, of 24 GiB of memory; it shrinks to 15.3 GiB if sessions and maintenance take all that the plan allows them
# jit = off: when the planner overestimates a short query, compiling it takes longer than running it
# log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
# log_line_prefix = %m [%p] %q%u@%d/%a : lines in the log don't say which user, database and application they are about
# log_lock_waits = on: a session that waits for a lock longer than deadlock_timeout is named in the log, with the holder
# log_min_duration_statement = 1s: no statement is logged, however slow it is
# log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
# maintenance_work_mem = 768MB: indexes are built and dead rows removed in fewer passes
# max_parallel_workers = 2: 8 workers at once are far more than 2 cores can run
# max_parallel_workers_per_gather = 1: 2 workers and the query itself are more than 2 cores can run
# max_wal_size = 4GB: checkpoints come less often; 150 GiB are free for WAL
# random_page_cost = 1.1: the databases (9 GiB) stay cached in 24 GiB of memory: a random read costs little more than the next one
# shared_buffers = 6GB: the server keeps more of its hot pages itself and asks the kernel less often
# track_io_timing = on: reading the clock kvm-clock is cheap, and without it nobody knows how slow the disks are
# work_mem = 64MB: sorts and hashes of this size stay in memory with 31 sessions at work; all 100 at their limit would take 12.8 GiB

set -eu
: "${GROUP:?set it to the resource group}"
: "${SERVER:?set it to the name of the server}"
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name checkpoint_timeout --value 900
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name effective_cache_size --value 2359296
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
    --name maintenance_work_mem --value 786432
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name max_parallel_workers --value 2
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name max_parallel_workers_per_gather --value 1
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name max_wal_size --value 4096
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name random_page_cost --value 1.1
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name shared_buffers --value 786432
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name track_io_timing --value on
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name work_mem --value 65536
# Then, when it suits: az postgres flexible-server restart.
