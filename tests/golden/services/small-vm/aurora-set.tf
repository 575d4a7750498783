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

# If the server has a parameter group of yours, put the blocks into that one instead.
resource "aws_rds_cluster_parameter_group" "tunewiz" {
  name_prefix = "tunewiz-"
  family      = "aurora-postgresql15"

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

  # maintenance_work_mem = 768MB: indexes are built and dead rows removed in fewer passes; the default there: GREATEST({DBInstanceClassMemory/63963136*1024},65536)
  parameter {
    name         = "maintenance_work_mem"
    value        = "786432"
    apply_method = "immediate"
  }

  # max_parallel_workers = 2: 8 workers at once are far more than 2 cores can run; the default there: GREATEST({$DBInstanceVCPU/2},8)
  parameter {
    name         = "max_parallel_workers"
    value        = "2"
    apply_method = "immediate"
  }

  # max_parallel_workers_per_gather = 1: 2 workers and the query itself are more than 2 cores can run
  parameter {
    name         = "max_parallel_workers_per_gather"
    value        = "1"
    apply_method = "immediate"
  }

  # random_page_cost = 1.1: the databases (9 GiB) stay cached in 24 GiB of memory: a random read costs little more than the next one
  parameter {
    name         = "random_page_cost"
    value        = "1.1"
    apply_method = "immediate"
  }

  # track_io_timing = on: reading the clock kvm-clock is cheap, and without it nobody knows how slow the disks are
  parameter {
    name         = "track_io_timing"
    value        = "1"
    apply_method = "immediate"
  }

  # track_wal_io_timing = on: reading the clock kvm-clock is cheap, and each commit waits for the WAL
  parameter {
    name         = "track_wal_io_timing"
    value        = "1"
    apply_method = "immediate"
  }

  # work_mem = 64MB: sorts and hashes of this size stay in memory with 31 sessions at work; all 100 at their limit would take 12.8 GiB
  parameter {
    name         = "work_mem"
    value        = "65536"
    apply_method = "immediate"
  }

  lifecycle {
    create_before_destroy = true
  }
}
