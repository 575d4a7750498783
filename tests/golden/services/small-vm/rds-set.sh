#!/bin/sh
# tunewiz: sets 15 settings of PostgreSQL 15 in Amazon RDS for PostgreSQL, planned for small-vm
# In force at once: checkpoint_timeout, effective_cache_size, jit, log_autovacuum_min_duration, log_lock_waits,
#     log_min_duration_statement, log_temp_files, maintenance_work_mem, max_parallel_workers,
#     max_parallel_workers_per_gather, max_wal_size, random_page_cost, track_io_timing, work_mem
# Waits for a restart: shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# Left out, the parameter group sets it to %t:%r:%u@%d:[%p]: itself:
#   log_line_prefix = %m [%p] %q%u@%d/%a
# Left out, no source names it among the parameters there:
#   max_slot_wal_keep_size = 64GB, track_wal_io_timing = on
# What can be set there was read in (address, date):
#   https://github.com/awsdocs/amazon-rds-user-guide/blob/1fffeb49f3ec251c577ead4655885e1e8135651b/doc_source/Appendix.PostgreSQL.CommonDBATasks.Parameters.md (2023-06-15)
#   https://github.com/utrains/rds_migration/blob/6400cfa3077f1ab53b09b8a7021c9bb64cce9773/module/db_params.tfvars (2023-03-07)
#   https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/PostgreSQL.Concepts.General.FeatureSupport.HugePages.html (2026-11-29)

# checkpoint_timeout = 15min: fewer checkpoints: fewer whole pages in the WAL and less writing
# effective_cache_size = 18GB: the planner now assumes that 4GB is cached, of 24 GiB of memory; it shrinks to 15.3 GiB if sessions and maintenance take all that the plan allows them; the default there: {DBInstanceClassMemory/16384}
# jit = off: when the planner overestimates a short query, compiling it takes longer than running it
# log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
# log_lock_waits = on: a session that waits for a lock longer than deadlock_timeout is named in the log, with the holder
# log_min_duration_statement = 1s: no statement is logged, however slow it is
# log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
# maintenance_work_mem = 768MB: indexes are built and dead rows removed in fewer passes; the default there: GREATEST({DBInstanceClassMemory*1024/63963136},65536)
# max_parallel_workers = 2: 8 workers at once are far more than 2 cores can run
# max_parallel_workers_per_gather = 1: 2 workers and the query itself are more than 2 cores can run
# max_wal_size = 4GB: checkpoints come less often; 150 GiB are free for WAL
# random_page_cost = 1.1: the databases (9 GiB) stay cached in 24 GiB of memory: a random read costs little more than the next one
# shared_buffers = 6GB: the server keeps more of its hot pages itself and asks the kernel less often; the default there: {DBInstanceClassMemory/32768}
# track_io_timing = on: reading the clock kvm-clock is cheap, and without it nobody knows how slow the disks are
# work_mem = 64MB: sorts and hashes of this size stay in memory with 31 sessions at work; all 100 at their limit would take 12.8 GiB

set -eu
: "${GROUP:?set it to the name of the parameter group}"
aws rds modify-db-parameter-group --db-parameter-group-name "$GROUP" \
    --parameters '[{"ParameterName": "checkpoint_timeout", "ParameterValue": "900", "ApplyMethod": "immediate"}, {"ParameterName": "effective_cache_size", "ParameterValue": "2359296", "ApplyMethod": "immediate"}, {"ParameterName": "jit", "ParameterValue": "0", "ApplyMethod": "immediate"}, {"ParameterName": "log_autovacuum_min_duration", "ParameterValue": "10000", "ApplyMethod": "immediate"}, {"ParameterName": "log_lock_waits", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "log_min_duration_statement", "ParameterValue": "1000", "ApplyMethod": "immediate"}, {"ParameterName": "log_temp_files", "ParameterValue": "65536", "ApplyMethod": "immediate"}, {"ParameterName": "maintenance_work_mem", "ParameterValue": "786432", "ApplyMethod": "immediate"}, {"ParameterName": "max_parallel_workers", "ParameterValue": "2", "ApplyMethod": "immediate"}, {"ParameterName": "max_parallel_workers_per_gather", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "max_wal_size", "ParameterValue": "4096", "ApplyMethod": "immediate"}, {"ParameterName": "random_page_cost", "ParameterValue": "1.1", "ApplyMethod": "immediate"}, {"ParameterName": "shared_buffers", "ParameterValue": "786432", "ApplyMethod": "pending-reboot"}, {"ParameterName": "track_io_timing", "ParameterValue": "1", "ApplyMethod": "immediate"}, {"ParameterName": "work_mem", "ParameterValue": "65536", "ApplyMethod": "immediate"}]'
# Then restart the server when it suits: aws rds reboot-db-instance.
