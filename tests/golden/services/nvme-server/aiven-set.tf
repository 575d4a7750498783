# tunewiz: sets 9 settings of PostgreSQL 16 in Aiven for PostgreSQL, planned for nvme-server
# In force at once: autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, jit,
#     log_autovacuum_min_duration, log_min_duration_statement, log_temp_files, track_io_timing, work_mem
# Waits for a restart: autovacuum_max_workers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# Left out, the user configuration does not have it: Aiven sets it itself:
#   autovacuum_vacuum_insert_scale_factor = 0.06, backend_flush_after = 512kB, checkpoint_timeout = 15min,
#     effective_cache_size = 192GB, effective_io_concurrency = 200, log_lock_waits = on,
#     maintenance_work_mem = 2GB, max_parallel_maintenance_workers = 4, max_wal_size = 32GB,
#     min_wal_size = 512MB, random_page_cost = 1.1, track_wal_io_timing = on, vacuum_buffer_usage_limit = 2MB
# Left out, expected '%m [%p] %q[user=%u,db=%d,app=%a] ' or '%t [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ' or 'pid=%p,user=%u,db=%d,app=%a,client=%h ' or 'pid=%p,user=%u,db=%d,app=%a,client=%h,txid=%x,qid=%Q ', found %m [%p] %q%u@%d/%a :
#   log_line_prefix = %m [%p] %q%u@%d/%a
# Left out, expected at least 20 percent of memory, found 8.6:
#   shared_buffers = 22GB
# What can be set there was read in (address, date):
#   https://github.com/aiven/go-api-schemas/blob/38697fde0116757680c58ab410c49a4763ec0a44/pkg/dist/service_types.yml (2026-08-20)
#   https://github.com/aiven/aiven-client/blob/292dcdbecc41fd3f8d77580ae313ae9bf545f595/aiven/client/cli.py (2026-07-09)
#   https://github.com/aiven/aiven-client/blob/292dcdbecc41fd3f8d77580ae313ae9bf545f595/README.rst (2026-07-09)

# Put this into your aiven_pg; where it has pg_user_config already, its lines into that.
pg_user_config {
  # work_mem = 64MB: sorts and hashes of this size stay in memory with 293 sessions at work; all 500 at their limit would take 63.5 GiB
  work_mem = 64
  pg {
    # autovacuum_max_workers = 5: in 1.2 TiB several large tables keep 3 workers busy for long
    autovacuum_max_workers = 5
    # autovacuum_vacuum_cost_limit = 1700: 1.2 TiB with many writes: all workers share one allowance of 200 points
    autovacuum_vacuum_cost_limit = 1700
    # autovacuum_vacuum_scale_factor = 0.06: in 1.2 TiB, 20% of a large table is much to clean at once
    autovacuum_vacuum_scale_factor = 0.06
    # jit = off: when the planner overestimates a short query, compiling it takes longer than running it
    jit = false
    # log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
    log_autovacuum_min_duration = 10000
    # log_min_duration_statement = 1s: no statement is logged, however slow it is
    log_min_duration_statement = 1000
    # log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
    log_temp_files = 65536
    # track_io_timing = on: reading the clock tsc is cheap, and without it nobody knows how slow the disks are
    track_io_timing = "on"
  }
}
