#!/bin/sh
# tunewiz: takes back 14 settings of PostgreSQL 15 in Google Cloud SQL for PostgreSQL, planned for small-vm
# Values are what the facts say was set; what nobody had set goes back to the default there.
# In force at once: checkpoint_timeout, effective_cache_size, log_autovacuum_min_duration, log_lock_waits,
#     log_min_duration_statement, log_temp_files, maintenance_work_mem, max_parallel_workers,
#     max_parallel_workers_per_gather, max_wal_size, random_page_cost, track_io_timing, work_mem
# Waits for a restart: shared_buffers
# Settings of the kernel, the storage and the host are left out: there they are the provider's.
# What can be set there was read in (address, date):
#   https://github.com/nais/naiserator/blob/b1547b977f05d1fdbb0c607d633274a5785b7cc7/pkg/resourcecreator/google/sql/instance_flags.go (2026-03-02)
#   https://cloud.google.com/sql/docs/postgres/flags (2026-11-29)
#   https://cloud.google.com/sdk/gcloud/reference/topic/escaping (2026-11-29)

set -eu
: "${INSTANCE:?set it to the name of the instance}"
# A patch replaces all flags, and may restart the instance and its replicas at once.
# Set FLAGS to those that it has beside these: a=1|b=2; empty if there are none.
: "${FLAGS?set it to the other flags of the instance, or to nothing}"
gcloud sql instances patch "$INSTANCE" \
    --database-flags='^|^max_wal_size=1024|shared_buffers=16384'"${FLAGS:+|$FLAGS}"
