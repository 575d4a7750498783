#!/bin/sh
# tunewiz: sets 17 settings of PostgreSQL 16 in Amazon RDS for PostgreSQL, planned for nvme-server
# In force at once: autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, checkpoint_timeout,
#     effective_cache_size, effective_io_concurrency, jit, log_autovacuum_min_duration, log_lock_waits,
#     log_min_duration_statement, log_temp_files, maintenance_work_mem, max_wal_size, random_page_cost,
#     track_io_timing, work_mem
# Waits for a restart: autovacuum_max_workers, shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# Left out, no source names it among the parameters there:
#   autovacuum_vacuum_insert_scale_factor = 0.06, max_slot_wal_keep_size = 1TB, track_wal_io_timing = on,
#     vacuum_buffer_usage_limit = 2MB
# Left out, the parameter group sets it to %t:%r:%u@%d:[%p]: itself:
#   log_line_prefix = %m [%p] %q%u@%d/%a
# What can be set there was read in (address, date):
#   https://github.com/awsdocs/amazon-rds-user-guide/blob/1fffeb49f3ec251c577ead4655885e1e8135651b/doc_source/Appendix.PostgreSQL.CommonDBATasks.Parameters.md (2023-06-15)
#   https://github.com/utrains/rds_migration/blob/6400cfa3077f1ab53b09b8a7021c9bb64cce9773/module/db_params.tfvars (2023-03-07)
#   https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/PostgreSQL.Concepts.General.FeatureSupport.HugePages.html (2026-11-29)

# autovacuum_max_workers = 5: in 1.2 TiB several large tables keep 3 workers busy for long; the default there: GREATEST({DBInstanceClassMemory/64371566592},3)
# autovacuum_vacuum_cost_limit = 1700: 1.2 TiB with many writes: all workers share one allowance of 200 points; the default there: GREATEST({log(DBInstanceClassMemory/21474836480)*600},200)
# autovacuum_vacuum_scale_factor = 0.06: in 1.2 TiB, 20% of a large table is much to clean at once
# checkpoint_timeout = 15min: fewer checkpoints: fewer whole pages in the WAL and less writing
# effective_cache_size = 192GB: the planner now assumes that 4GB is cached, of 256 GiB of memory; the default there: {DBInstanceClassMemory/16384}
# effective_io_concurrency = 200: nvme storage serves many reads in parallel
# jit = off: when the planner overestimates a short query, compiling it takes longer than running it
# log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
# log_lock_waits = on: a session that waits for a lock longer than deadlock_timeout is named in the log, with the holder
# log_min_duration_statement = 1s: no statement is logged, however slow it is
# log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
# maintenance_work_mem = 2GB: indexes are built and dead rows removed in fewer passes; the default there: GREATEST({DBInstanceClassMemory*1024/63963136},65536)
# max_wal_size = 32GB: checkpoints come less often; 2.1 TiB are free for WAL
# random_page_cost = 1.1: on nvme a random read costs little more than the next one in sequence
# shared_buffers = 22GB: the server keeps more of its hot pages itself and asks the kernel less often; 64GB wait for 33,894 huge pages of 2 MiB: without them page tables would take 128 MiB for each of 293 sessions at work that touches all of it, in pages of 4 KiB; the default there: {DBInstanceClassMemory/32768}
# track_io_timing = on: reading the clock tsc is cheap, and without it nobody knows how slow the disks are
# work_mem = 64MB: sorts and hashes of this size stay in memory with 293 sessions at work; all 500 at their limit would take 63.5 GiB

set -eu
: "${GROUP:?set it to the name of the parameter group}"
aws rds modify-db-parameter-group --db-parameter-group-name "$GROUP" \
    --parameters '[{"ParameterName": "autovacuum_max_workers", "ParameterValue": "5", "ApplyMethod": "pending-reboot"}, {"ParameterName": "autovacuum_vacuum_cost_limit", "ParameterValue": "1700", "ApplyMethod": "immediate"}, {"ParameterName": "autovacuum_vacuum_scale_factor", "ParameterValue": "0.06", "ApplyMethod": "immediate"}, {"ParameterName": "checkpoint_timeout", "ParameterValue": "900", "ApplyMethod": "immediate"}, {"ParameterName": "effective_cache_size", "ParameterValue": "25165824", "ApplyMethod": "immediate"}, {"ParameterName": "effective_io_concurrency", "ParameterValue": "200", "ApplyMethod": "immediate"}, {"ParameterName": "jit", "ParameterValue": "0", "ApplyMethod": "immediate"}, {"ParameterName": "log_autovacuum_min_duration", "ParameterValue": "10000", "ApplyMethod": "immediate"}, {"ParameterName": "log_lock_waits", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "log_min_duration_statement", "ParameterValue": "1000", "ApplyMethod": "immediate"}, {"ParameterName": "log_temp_files", "ParameterValue": "65536", "ApplyMethod": "immediate"}, {"ParameterName": "maintenance_work_mem", "ParameterValue": "2097152", "ApplyMethod": "immediate"}, {"ParameterName": "max_wal_size", "ParameterValue": "32768", "ApplyMethod": "immediate"}, {"ParameterName": "random_page_cost", "ParameterValue": "1.1", "ApplyMethod": "immediate"}, {"ParameterName": "shared_buffers", "ParameterValue": "2883584", "ApplyMethod": "pending-reboot"}, {"ParameterName": "track_io_timing", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "work_mem", "ParameterValue": "65536", "ApplyMethod": "immediate"}]'
# Then restart the server when it suits: aws rds reboot-db-instance.
