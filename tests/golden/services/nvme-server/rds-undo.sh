#!/bin/sh
# tunewiz: takes back 17 settings of PostgreSQL 16 in Amazon RDS for PostgreSQL, planned for nvme-server
# Values are what the facts say was set; what nobody had set goes back to the default there.
# In force at once: autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, checkpoint_timeout,
#     effective_cache_size, effective_io_concurrency, jit, log_autovacuum_min_duration, log_lock_waits,
#     log_min_duration_statement, log_temp_files, maintenance_work_mem, max_wal_size, random_page_cost,
#     track_io_timing, work_mem
# Waits for a restart: autovacuum_max_workers, shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# What can be set there was read in (address, date):
#   https://github.com/awsdocs/amazon-rds-user-guide/blob/1fffeb49f3ec251c577ead4655885e1e8135651b/doc_source/Appendix.PostgreSQL.CommonDBATasks.Parameters.md (2023-06-15)
#   https://github.com/utrains/rds_migration/blob/6400cfa3077f1ab53b09b8a7021c9bb64cce9773/module/db_params.tfvars (2023-03-07)
#   https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/PostgreSQL.Concepts.General.FeatureSupport.HugePages.html (2026-11-29)

set -eu
: "${GROUP:?set it to the name of the parameter group}"
aws rds modify-db-parameter-group --db-parameter-group-name "$GROUP" \
    --parameters '[{"ParameterName": "max_wal_size", "ParameterValue": "4096", "ApplyMethod": "immediate"}, {"ParameterName": "shared_buffers", "ParameterValue": "1048576", "ApplyMethod": "pending-reboot"}, {"ParameterName": "work_mem", "ParameterValue": "16384", "ApplyMethod": "immediate"}]'
aws rds reset-db-parameter-group --db-parameter-group-name "$GROUP" \
    --parameters '[{"ParameterName": "autovacuum_max_workers", "ApplyMethod": "pending-reboot"}, {"ParameterName": "autovacuum_vacuum_cost_limit", "ApplyMethod": "immediate"}, {"ParameterName": "autovacuum_vacuum_scale_factor", "ApplyMethod": "immediate"}, {"ParameterName": "checkpoint_timeout", "ApplyMethod": "immediate"}, {"ParameterName": "effective_cache_size", "ApplyMethod": "immediate"}, {"ParameterName": "effective_io_concurrency", "ApplyMethod": "immediate"}, {"ParameterName": "jit", "ApplyMethod": "immediate"}, {"ParameterName": "log_autovacuum_min_duration", "ApplyMethod": "immediate"}, {"ParameterName": "log_lock_waits", "ApplyMethod": "immediate"}, {"ParameterName": "log_min_duration_statement", "ApplyMethod": "immediate"}, {"ParameterName": "log_temp_files", "ApplyMethod": "immediate"}, {"ParameterName": "maintenance_work_mem", "ApplyMethod": "immediate"}, {"ParameterName": "random_page_cost", "ApplyMethod": "immediate"}, {"ParameterName": "track_io_timing", "ApplyMethod": "immediate"}]'
# Then restart the server when it suits: aws rds reboot-db-instance.
