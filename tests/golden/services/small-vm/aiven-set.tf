# tunewiz: sets 9 settings of PostgreSQL 15 in Aiven for PostgreSQL, planned for small-vm
# In force at once: jit, log_autovacuum_min_duration, log_min_duration_statement, log_temp_files,
#     max_parallel_workers, max_parallel_workers_per_gather, track_io_timing, work_mem
# Waits for a restart: shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# Left out, the user configuration does not have it: Aiven sets it itself:
#   backend_flush_after = 512kB, checkpoint_timeout = 15min, effective_cache_size = 18GB, log_lock_waits = on,
#     maintenance_work_mem = 768MB, max_wal_size = 4GB, random_page_cost = 1.1, track_wal_io_timing = on
# Left out, expected '%m [%p] %q[user=%u,db=%d,app=%a] ' or '%t [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ' or 'pid=%p,user=%u,db=%d,app=%a,client=%h ' or 'pid=%p,user=%u,db=%d,app=%a,client=%h,txid=%x,qid=%Q ', found %m [%p] %q%u@%d/%a :
#   log_line_prefix = %m [%p] %q%u@%d/%a
# What can be set there was read in (address, date):
#   https://github.com/aiven/go-api-schemas/blob/38697fde0116757680c58ab410c49a4763ec0a44/pkg/dist/service_types.yml (2026-08-20)
#   https://github.com/aiven/aiven-client/blob/292dcdbecc41fd3f8d77580ae313ae9bf545f595/aiven/client/cli.py (2026-07-09)
#   https://github.com/aiven/aiven-client/blob/292dcdbecc41fd3f8d77580ae313ae9bf545f595/README.rst (2026-07-09)

# Put this into your aiven_pg; where it has pg_user_config already, its lines into that.
pg_user_config {
  # shared_buffers = 6GB: the server keeps more of its hot pages itself and asks the kernel less often
  shared_buffers_percentage = 25
  # work_mem = 64MB: sorts and hashes of this size stay in memory with 31 sessions at work; all 100 at their limit would take 12.8 GiB
  work_mem = 64
  pg {
    # jit = off: when the planner overestimates a short query, compiling it takes longer than running it
    jit = false
    # log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
    log_autovacuum_min_duration = 10000
    # log_min_duration_statement = 1s: no statement is logged, however slow it is
    log_min_duration_statement = 1000
    # log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
    log_temp_files = 65536
    # max_parallel_workers = 2: 8 workers at once are far more than 2 cores can run
    max_parallel_workers = 2
    # max_parallel_workers_per_gather = 1: 2 workers and the query itself are more than 2 cores can run
    max_parallel_workers_per_gather = 1
    # track_io_timing = on: reading the clock kvm-clock is cheap, and without it nobody knows how slow the disks are
    track_io_timing = "on"
  }
}
