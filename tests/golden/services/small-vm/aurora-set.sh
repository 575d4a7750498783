#!/bin/sh
# tunewiz: sets 11 settings of PostgreSQL 15 in Amazon Aurora PostgreSQL, planned for small-vm
# In force at once: log_autovacuum_min_duration, log_lock_waits, log_min_duration_statement, log_temp_files,
#     maintenance_work_mem, max_parallel_workers, max_parallel_workers_per_gather, random_page_cost,
#     track_io_timing, track_wal_io_timing, work_mem
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# Left out, no source names it among the parameters there:
#   checkpoint_timeout = 15min, jit = off, max_wal_size = 4GB
# Left out, Aurora sizes it from the instance class, about two thirds of memory: SUM({DBInstanceClassMemory/12038},-50003) pages of 8kB:
#   effective_cache_size = 18GB, shared_buffers = 6GB
# Left out, the parameter group sets it itself:
#   log_line_prefix = %m [%p] %q%u@%d/%a
# What can be set there was read in (address, date):
#   https://github.com/awsdocs/amazon-aurora-user-guide/blob/0181647fe855d6f17e1be23aad2828a5b81d3dcb/doc_source/AuroraPostgreSQL.Reference.ParameterGroups.md (2023-06-15)

# log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
# log_lock_waits = on: a session that waits for a lock longer than deadlock_timeout is named in the log, with the holder
# log_min_duration_statement = 1s: no statement is logged, however slow it is
# log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
# maintenance_work_mem = 768MB: indexes are built and dead rows removed in fewer passes; the default there: GREATEST({DBInstanceClassMemory/63963136*1024},65536)
# max_parallel_workers = 2: 8 workers at once are far more than 2 cores can run; the default there: GREATEST({$DBInstanceVCPU/2},8)
# max_parallel_workers_per_gather = 1: 2 workers and the query itself are more than 2 cores can run
# random_page_cost = 1.1: the databases (9 GiB) stay cached in 24 GiB of memory: a random read costs little more than the next one
# track_io_timing = on: reading the clock kvm-clock is cheap, and without it nobody knows how slow the disks are
# track_wal_io_timing = on: reading the clock kvm-clock is cheap, and each commit waits for the WAL
# work_mem = 64MB: sorts and hashes of this size stay in memory with 31 sessions at work; all 100 at their limit would take 12.8 GiB

set -eu
: "${GROUP:?set it to the name of the parameter group}"
aws rds modify-db-cluster-parameter-group --db-cluster-parameter-group-name "$GROUP" \
    --parameters '[{"ParameterName": "log_autovacuum_min_duration", "ParameterValue": "10000", "ApplyMethod": "immediate"}, {"ParameterName": "log_lock_waits", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "log_min_duration_statement", "ParameterValue": "1000", "ApplyMethod": "immediate"}, {"ParameterName": "log_temp_files", "ParameterValue": "65536", "ApplyMethod": "immediate"}, {"ParameterName": "maintenance_work_mem", "ParameterValue": "786432", "ApplyMethod": "immediate"}, {"ParameterName": "max_parallel_workers", "ParameterValue": "2", "ApplyMethod": "immediate"}, {"ParameterName": "max_parallel_workers_per_gather", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "random_page_cost", "ParameterValue": "1.1", "ApplyMethod": "immediate"}, {"ParameterName": "track_io_timing", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "track_wal_io_timing", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "work_mem", "ParameterValue": "65536", "ApplyMethod": "immediate"}]'
