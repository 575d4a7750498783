# tunewiz: takes back 12 settings of PostgreSQL 16 in Amazon Aurora PostgreSQL, planned for nvme-server
# Values are what the facts say was set; what nobody had set goes back to the default there.
# In force at once: autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, log_autovacuum_min_duration,
#     log_lock_waits, log_min_duration_statement, log_temp_files, maintenance_work_mem, random_page_cost,
#     track_io_timing, track_wal_io_timing, work_mem
# Waits for a restart: autovacuum_max_workers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# What can be set there was read in (address, date):
#   https://github.com/awsdocs/amazon-aurora-user-guide/blob/0181647fe855d6f17e1be23aad2828a5b81d3dcb/doc_source/AuroraPostgreSQL.Reference.ParameterGroups.md (2023-06-15)

# If the server has a parameter group of yours, put the blocks into that one instead.
resource "aws_rds_cluster_parameter_group" "tunewiz" {
  name_prefix = "tunewiz-"
  family      = "aurora-postgresql16"

  parameter {
    name         = "work_mem"
    value        = "16384"
    apply_method = "immediate"
  }

  lifecycle {
    create_before_destroy = true
  }
}
# Left away here, as nobody had set them or the facts do not tell: autovacuum_max_workers,
#     autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, log_autovacuum_min_duration, log_lock_waits,
#     log_min_duration_statement, log_temp_files, maintenance_work_mem, random_page_cost, track_io_timing,
#     track_wal_io_timing
