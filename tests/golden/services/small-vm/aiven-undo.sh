#!/bin/sh
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

set -eu
: "${SERVICE:?set it to the name of the service}"
# Aiven restarts the service at once for those that need it.
avn service update "$SERVICE" \
    --remove-option pg.jit \
    --remove-option pg.log_autovacuum_min_duration \
    --remove-option pg.log_min_duration_statement \
    --remove-option pg.log_temp_files \
    --remove-option pg.max_parallel_workers \
    --remove-option pg.max_parallel_workers_per_gather \
    --remove-option shared_buffers_percentage \
    --remove-option pg.track_io_timing \
    --remove-option work_mem
