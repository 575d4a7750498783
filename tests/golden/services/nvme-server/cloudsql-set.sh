#!/bin/sh
# tunewiz: sets 15 settings of PostgreSQL 16 in Google Cloud SQL for PostgreSQL, planned for nvme-server
# In force at once: autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, checkpoint_timeout,
#     effective_cache_size, log_autovacuum_min_duration, log_lock_waits, log_min_duration_statement,
#     log_temp_files, maintenance_work_mem, max_wal_size, random_page_cost, track_io_timing, work_mem
# Waits for a restart: autovacuum_max_workers, shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# Left out, no source names it among the flags there:
#   autovacuum_vacuum_insert_scale_factor = 0.06, backend_flush_after = 512kB, bgwriter_lru_maxpages = 400,
#     effective_io_concurrency = 200, jit = off, log_line_prefix = %m [%p] %q%u@%d/%a,
#     max_slot_wal_keep_size = 1TB, track_wal_io_timing = on, vacuum_buffer_usage_limit = 2MB
# Left out, the sources do not agree on its unit there:
#   min_wal_size = 4GB
# What can be set there was read in (address, date):
#   https://github.com/nais/naiserator/blob/b1547b977f05d1fdbb0c607d633274a5785b7cc7/pkg/resourcecreator/google/sql/instance_flags.go (2026-03-02)
#   https://cloud.google.com/sql/docs/postgres/flags (2026-11-29)
#   https://cloud.google.com/sdk/gcloud/reference/topic/escaping (2026-11-29)

# autovacuum_max_workers = 5: in 1.2 TiB several large tables keep 3 workers busy for long
# autovacuum_vacuum_cost_limit = 1700: 1.2 TiB with many writes: all workers share one allowance of 200 points
# autovacuum_vacuum_scale_factor = 0.06: in 1.2 TiB, 20% of a large table is much to clean at once
# checkpoint_timeout = 15min: fewer checkpoints: fewer whole pages in the WAL and less writing
# effective_cache_size = 192GB: the planner now assumes that 4GB is cached, of 256 GiB of memory
# log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
# log_lock_waits = on: a session that waits for a lock longer than deadlock_timeout is named in the log, with the holder
# log_min_duration_statement = 1s: no statement is logged, however slow it is
# log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
# maintenance_work_mem = 2GB: indexes are built and dead rows removed in fewer passes
# max_wal_size = 32GB: checkpoints come less often; 2.1 TiB are free for WAL
# random_page_cost = 1.1: on nvme a random read costs little more than the next one in sequence
# shared_buffers = 22GB: the server keeps more of its hot pages itself and asks the kernel less often; 64GB wait for 33,894 huge pages of 2 MiB: without them page tables would take 128 MiB for each of 293 sessions at work that touches all of it, in pages of 4 KiB
# track_io_timing = on: reading the clock tsc is cheap, and without it nobody knows how slow the disks are
# work_mem = 64MB: sorts and hashes of this size stay in memory with 293 sessions at work; all 500 at their limit would take 63.5 GiB

set -eu
: "${INSTANCE:?set it to the name of the instance}"
# A patch replaces all flags, and may restart the instance and its replicas at once.
# Set FLAGS to those that it has beside these: a=1|b=2; empty if there are none.
: "${FLAGS?set it to the other flags of the instance, or to nothing}"
gcloud sql instances patch "$INSTANCE" \
    --database-flags='^|^autovacuum_max_workers=5|autovacuum_vacuum_cost_limit=1700|autovacuum_vacuum_scale_factor=0.06|checkpoint_timeout=900|effective_cache_size=25165824|log_autovacuum_min_duration=10000|log_lock_waits=on|log_min_duration_statement=1000|log_temp_files=65536|maintenance_work_mem=2097152|max_wal_size=32768|random_page_cost=1.1|shared_buffers=2883584|track_io_timing=on|work_mem=65536'"${FLAGS:+|$FLAGS}"
