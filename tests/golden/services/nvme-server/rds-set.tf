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

# If the server has a parameter group of yours, put the blocks into that one instead.
resource "aws_db_parameter_group" "tunewiz" {
  name_prefix = "tunewiz-"
  family      = "postgres16"

  # autovacuum_max_workers = 5: in 1.2 TiB several large tables keep 3 workers busy for long; the default there: GREATEST({DBInstanceClassMemory/64371566592},3)
  parameter {
    name         = "autovacuum_max_workers"
    value        = "5"
    apply_method = "pending-reboot"
  }

  # autovacuum_vacuum_cost_limit = 1700: 1.2 TiB with many writes: all workers share one allowance of 200 points; the default there: GREATEST({log(DBInstanceClassMemory/21474836480)*600},200)
  parameter {
    name         = "autovacuum_vacuum_cost_limit"
    value        = "1700"
    apply_method = "immediate"
  }

  # autovacuum_vacuum_scale_factor = 0.06: in 1.2 TiB, 20% of a large table is much to clean at once
  parameter {
    name         = "autovacuum_vacuum_scale_factor"
    value        = "0.06"
    apply_method = "immediate"
  }

  # checkpoint_timeout = 15min: fewer checkpoints: fewer whole pages in the WAL and less writing
  parameter {
    name         = "checkpoint_timeout"
    value        = "900"
    apply_method = "immediate"
  }

  # effective_cache_size = 192GB: the planner now assumes that 4GB is cached, of 256 GiB of memory; the default there: {DBInstanceClassMemory/16384}
  parameter {
    name         = "effective_cache_size"
    value        = "25165824"
    apply_method = "immediate"
  }

  # effective_io_concurrency = 200: nvme storage serves many reads in parallel
  parameter {
    name         = "effective_io_concurrency"
    value        = "200"
    apply_method = "immediate"
  }

  # jit = off: when the planner overestimates a short query, compiling it takes longer than running it
  parameter {
    name         = "jit"
    value        = "0"
    apply_method = "immediate"
  }

  # log_autovacuum_min_duration = 10s: only runs of 10min and more are logged: most tables that keep workers busy are not named
  parameter {
    name         = "log_autovacuum_min_duration"
    value        = "10000"
    apply_method = "immediate"
  }

  # log_lock_waits = on: a session that waits for a lock longer than deadlock_timeout is named in the log, with the holder
  parameter {
    name         = "log_lock_waits"
    value        = "1"
    apply_method = "immediate"
  }

  # log_min_duration_statement = 1s: no statement is logged, however slow it is
  parameter {
    name         = "log_min_duration_statement"
    value        = "1000"
    apply_method = "immediate"
  }

  # log_temp_files = 64MB: sorts and hashes that don't fit into memory are named in the log with their size
  parameter {
    name         = "log_temp_files"
    value        = "65536"
    apply_method = "immediate"
  }

  # maintenance_work_mem = 2GB: indexes are built and dead rows removed in fewer passes; the default there: GREATEST({DBInstanceClassMemory*1024/63963136},65536)
  parameter {
    name         = "maintenance_work_mem"
    value        = "2097152"
    apply_method = "immediate"
  }

  # max_wal_size = 32GB: checkpoints come less often; 2.1 TiB are free for WAL
  parameter {
    name         = "max_wal_size"
    value        = "32768"
    apply_method = "immediate"
  }

  # random_page_cost = 1.1: on nvme a random read costs little more than the next one in sequence
  parameter {
    name         = "random_page_cost"
    value        = "1.1"
    apply_method = "immediate"
  }

  # shared_buffers = 22GB: the server keeps more of its hot pages itself and asks the kernel less often; 64GB wait for 33,894 huge pages of 2 MiB: without them page tables would take 128 MiB for each of 293 sessions at work that touches all of it, in pages of 4 KiB; the default there: {DBInstanceClassMemory/32768}
  parameter {
    name         = "shared_buffers"
    value        = "2883584"
    apply_method = "pending-reboot"
  }

  # track_io_timing = on: reading the clock tsc is cheap, and without it nobody knows how slow the disks are
  parameter {
    name         = "track_io_timing"
    value        = "1"
    apply_method = "immediate"
  }

  # work_mem = 64MB: sorts and hashes of this size stay in memory with 293 sessions at work; all 500 at their limit would take 63.5 GiB
  parameter {
    name         = "work_mem"
    value        = "65536"
    apply_method = "immediate"
  }

  lifecycle {
    create_before_destroy = true
  }
}
