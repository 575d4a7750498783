# tunewiz: takes back 9 settings of PostgreSQL 15 in Aiven for PostgreSQL, planned for small-vm
# Values are what the facts say was set; what nobody had set goes back to the default there.
# In force at once: jit, log_autovacuum_min_duration, log_min_duration_statement, log_temp_files,
#     max_parallel_workers, max_parallel_workers_per_gather, track_io_timing, work_mem
# Waits for a restart: shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# What can be set there was read in (address, date):
#   https://github.com/aiven/go-api-schemas/blob/38697fde0116757680c58ab410c49a4763ec0a44/pkg/dist/service_types.yml (2026-08-20)
#   https://github.com/aiven/aiven-client/blob/292dcdbecc41fd3f8d77580ae313ae9bf545f595/aiven/client/cli.py (2026-07-09)
#   https://github.com/aiven/aiven-client/blob/292dcdbecc41fd3f8d77580ae313ae9bf545f595/README.rst (2026-07-09)

# Put this into your aiven_pg; where it has pg_user_config already, its lines into that.
pg_user_config {
}
# Left away here, as nobody had set them or the facts do not tell: jit, log_autovacuum_min_duration,
#     log_min_duration_statement, log_temp_files, max_parallel_workers, max_parallel_workers_per_gather,
#     shared_buffers, track_io_timing, work_mem
