#!/bin/sh
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

set -eu
: "${GROUP:?set it to the resource group}"
: "${SERVER:?set it to the name of the server}"
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name max_wal_size --value 4096
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name shared_buffers --value 1048576
az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \
    --name work_mem --value 16384
# autovacuum_max_workers: in the portal, Server parameters, Modified: Reset to default
# autovacuum_vacuum_cost_limit: in the portal, Server parameters, Modified: Reset to default
# autovacuum_vacuum_scale_factor: in the portal, Server parameters, Modified: Reset to default
# checkpoint_timeout: in the portal, Server parameters, Modified: Reset to default
# effective_cache_size: in the portal, Server parameters, Modified: Reset to default
# effective_io_concurrency: in the portal, Server parameters, Modified: Reset to default
# jit: in the portal, Server parameters, Modified: Reset to default
# log_autovacuum_min_duration: in the portal, Server parameters, Modified: Reset to default
# log_line_prefix: in the portal, Server parameters, Modified: Reset to default
# log_lock_waits: in the portal, Server parameters, Modified: Reset to default
# log_min_duration_statement: in the portal, Server parameters, Modified: Reset to default
# log_temp_files: in the portal, Server parameters, Modified: Reset to default
# maintenance_work_mem: in the portal, Server parameters, Modified: Reset to default
# random_page_cost: in the portal, Server parameters, Modified: Reset to default
# track_io_timing: in the portal, Server parameters, Modified: Reset to default
# vacuum_buffer_usage_limit: in the portal, Server parameters, Modified: Reset to default
# Then, when it suits: az postgres flexible-server restart.
