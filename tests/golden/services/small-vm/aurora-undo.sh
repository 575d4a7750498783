#!/bin/sh
# tunewiz: takes back 11 settings of PostgreSQL 15 in Amazon Aurora PostgreSQL, planned for small-vm
# Values are what the facts say was set; what nobody had set goes back to the default there.
# In force at once: log_autovacuum_min_duration, log_lock_waits, log_min_duration_statement, log_temp_files,
#     maintenance_work_mem, max_parallel_workers, max_parallel_workers_per_gather, random_page_cost,
#     track_io_timing, track_wal_io_timing, work_mem
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# What can be set there was read in (address, date):
#   https://github.com/awsdocs/amazon-aurora-user-guide/blob/0181647fe855d6f17e1be23aad2828a5b81d3dcb/doc_source/AuroraPostgreSQL.Reference.ParameterGroups.md (2023-06-15)

set -eu
: "${GROUP:?set it to the name of the parameter group}"
aws rds reset-db-cluster-parameter-group --db-cluster-parameter-group-name "$GROUP" \
    --parameters '[{"ParameterName": "log_autovacuum_min_duration", "ApplyMethod": "immediate"}, {"ParameterName": "log_lock_waits", "ApplyMethod": "immediate"}, {"ParameterName": "log_min_duration_statement", "ApplyMethod": "immediate"}, {"ParameterName": "log_temp_files", "ApplyMethod": "immediate"}, {"ParameterName": "maintenance_work_mem", "ApplyMethod": "immediate"}, {"ParameterName": "max_parallel_workers", "ApplyMethod": "immediate"}, {"ParameterName": "max_parallel_workers_per_gather", "ApplyMethod": "immediate"}, {"ParameterName": "random_page_cost", "ApplyMethod": "immediate"}, {"ParameterName": "track_io_timing", "ApplyMethod": "immediate"}, {"ParameterName": "track_wal_io_timing", "ApplyMethod": "immediate"}, {"ParameterName": "work_mem", "ApplyMethod": "immediate"}]'
