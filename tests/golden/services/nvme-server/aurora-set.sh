#!/bin/sh
# tunewiz: sets 12 settings of PostgreSQL 16 in Amazon Aurora PostgreSQL, planned for nvme-server
# In force at once: autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, log_autovacuum_min_duration,
#     log_lock_waits, log_min_duration_statement, log_temp_files, maintenance_work_mem, random_page_cost,
#     track_io_timing, track_wal_io_timing, work_mem
# Waits for a restart: autovacuum_max_workers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# Left out, no source names it among the parameters there:
#   bgwriter_lru_maxpages = 200, checkpoint_timeout = 15min, jit = off, max_wal_size = 32GB,
#     min_wal_size = 512MB, vacuum_buffer_usage_limit = 2MB
# Left out, Aurora sizes it from the instance class, about two thirds of memory: SUM({DBInstanceClassMemory/12038},-50003) pages of 8kB:
#   effective_cache_size = 192GB, shared_buffers = 64GB
# Left out, the data is in Aurora's own storage, of which the plan knows nothing:
#   effective_io_concurrency = 200
# Left out, the parameter group sets it itself:
#   log_line_prefix = %m [%p] %q%u@%d/%a
# What can be set there was read in (address, date):
#   https://github.com/awsdocs/amazon-aurora-user-guide/blob/0181647fe855d6f17e1be23aad2828a5b81d3dcb/doc_source/AuroraPostgreSQL.Reference.ParameterGroups.md (2023-06-15)

# autovacuum_max_workers = 5: in 1.2 TiB several large tables keep 3 workers busy for long; the default there: GREATEST({DBInstanceClassMemory/64371566592},3)
# autovacuum_vacuum_cost_limit = 1700: 1.2 TiB with many writes: all workers share one allowance of 200 points; the default there: GREATEST({log(DBInstanceClassMemory/21474836480)*600},200)
# autovacuum_vacuum_scale_factor = 0.06: in 1.2 TiB, 20% of a large table is much to clean at once
# log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
# log_lock_waits = on: a session that waits for a lock longer than deadlock_timeout is named in the log, with the holder
# log_min_duration_statement = 1s: no statement is logged, however slow it is
# log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
# maintenance_work_mem = 2GB: indexes are built and dead rows removed in fewer passes; the default there: GREATEST({DBInstanceClassMemory/63963136*1024},65536)
# random_page_cost = 1.1: on nvme a random read costs little more than the next one in sequence
# track_io_timing = on: reading the clock tsc is cheap, and without it nobody knows how slow the disks are
# track_wal_io_timing = on: reading the clock tsc is cheap, and each commit waits for the WAL
# work_mem = 64MB: sorts and hashes of this size stay in memory with 293 sessions at work; all 500 at their limit would take 63.5 GiB

set -eu
: "${GROUP:?set it to the name of the parameter group}"
aws rds modify-db-cluster-parameter-group --db-cluster-parameter-group-name "$GROUP" \
    --parameters '[{"ParameterName": "autovacuum_max_workers", "ParameterValue": "5", "ApplyMethod": "pending-reboot"}, {"ParameterName": "autovacuum_vacuum_cost_limit", "ParameterValue": "1700", "ApplyMethod": "immediate"}, {"ParameterName": "autovacuum_vacuum_scale_factor", "ParameterValue": "0.06", "ApplyMethod": "immediate"}, {"ParameterName": "log_autovacuum_min_duration", "ParameterValue": "10000", "ApplyMethod": "immediate"}, {"ParameterName": "log_lock_waits", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "log_min_duration_statement", "ParameterValue": "1000", "ApplyMethod": "immediate"}, {"ParameterName": "log_temp_files", "ParameterValue": "65536", "ApplyMethod": "immediate"}, {"ParameterName": "maintenance_work_mem", "ParameterValue": "2097152", "ApplyMethod": "immediate"}, {"ParameterName": "random_page_cost", "ParameterValue": "1.1", "ApplyMethod": "immediate"}, {"ParameterName": "track_io_timing", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "track_wal_io_timing", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "work_mem", "ParameterValue": "65536", "ApplyMethod": "immediate"}]'
# Then restart the server when it suits: aws rds reboot-db-instance.
