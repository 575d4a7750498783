# tunewiz: takes back 15 settings of PostgreSQL 16 in Google Cloud SQL for PostgreSQL, planned for nvme-server
# Values are what the facts say was set; what nobody had set goes back to the default there.
# In force at once: autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, checkpoint_timeout,
#     effective_cache_size, log_autovacuum_min_duration, log_lock_waits, log_min_duration_statement,
#     log_temp_files, maintenance_work_mem, max_wal_size, random_page_cost, track_io_timing, work_mem
# Waits for a restart: autovacuum_max_workers, shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# What can be set there was read in (address, date):
#   https://github.com/nais/naiserator/blob/b1547b977f05d1fdbb0c607d633274a5785b7cc7/pkg/resourcecreator/google/sql/instance_flags.go (2026-03-02)
#   https://cloud.google.com/sql/docs/postgres/flags (2026-11-29)
#   https://cloud.google.com/sdk/gcloud/reference/topic/escaping (2026-11-29)

# In settings of your google_sql_database_instance, beside the flags that it has already:
#   dynamic "database_flags" {
#     for_each = local.tunewiz_database_flags
#     content {
#       name  = database_flags.key
#       value = database_flags.value
#     }
#   }
locals {
  tunewiz_database_flags = {
    "max_wal_size"   = "4096"
    "shared_buffers" = "1048576"
    "work_mem"       = "16384"
  }
}
# Left away here, as nobody had set them or the facts do not tell: autovacuum_max_workers,
#     autovacuum_vacuum_cost_limit, autovacuum_vacuum_scale_factor, checkpoint_timeout, effective_cache_size,
#     log_autovacuum_min_duration, log_lock_waits, log_min_duration_statement, log_temp_files,
#     maintenance_work_mem, random_page_cost, track_io_timing
