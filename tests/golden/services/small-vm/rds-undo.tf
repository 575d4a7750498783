# tunewiz: takes back 15 settings of PostgreSQL 15 in Amazon RDS for PostgreSQL, planned for small-vm
# Values are what the facts say was set; what nobody had set goes back to the default there.
# In force at once: checkpoint_timeout, effective_cache_size, jit, log_autovacuum_min_duration, log_lock_waits,
#     log_min_duration_statement, log_temp_files, maintenance_work_mem, max_parallel_workers,
#     max_parallel_workers_per_gather, max_wal_size, random_page_cost, track_io_timing, work_mem
# Waits for a restart: shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# What can be set there was read in (address, date):
#   https://github.com/awsdocs/amazon-rds-user-guide/blob/1fffeb49f3ec251c577ead4655885e1e8135651b/doc_source/Appendix.PostgreSQL.CommonDBATasks.Parameters.md (2023-06-15)
#   https://github.com/utrains/rds_migration/blob/6400cfa3077f1ab53b09b8a7021c9bb64cce9773/module/db_params.tfvars (2023-03-07)
#   https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/PostgreSQL.Concepts.General.FeatureSupport.HugePages.html (2026-11-29)

# If the server has a parameter group of yours, put the blocks into that one instead.
resource "aws_db_parameter_group" "tunewiz" {
  name_prefix = "tunewiz-"
  family      = "postgres15"

  parameter {
    name         = "max_wal_size"
    value        = "1024"
    apply_method = "immediate"
  }

  parameter {
    name         = "shared_buffers"
    value        = "16384"
    apply_method = "pending-reboot"
  }

  lifecycle {
    create_before_destroy = true
  }
}
# Left away here, as nobody had set them or the facts do not tell: checkpoint_timeout, effective_cache_size,
#     jit, log_autovacuum_min_duration, log_lock_waits, log_min_duration_statement, log_temp_files,
#     maintenance_work_mem, max_parallel_workers, max_parallel_workers_per_gather, random_page_cost,
#     track_io_timing, work_mem
