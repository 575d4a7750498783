"""Old clusters that pg_upgrade of a newer major takes, where Maven's package has only their server.

pg_upgrade runs two programs of the old major beside its server: pg_controldata and pg_resetwal (before 10
pg_resetxlog). Both print what the control file holds. Where they are missing, stand-ins print that: from the
file's head, the server's own functions and catalogs, and the constants that every usual build has.
"""

import struct
from pathlib import Path

from fixtures_postgres import copy_into
from real_postgres import Cluster, Programs
from tunewiz.core.values.versions import V10, V18, V96, Major

CONTROL_PROGRAMS = ("pg_controldata", "pg_resetwal", "pg_resetxlog")
SEGMENTS_AHEAD = 2
"""The new cluster's WAL begins after everything that the old one wrote."""
IDS_AHEAD = 10_000
"""Object ids are counted over all catalogs, and looked up in one."""
OF_THE_BUILD = """\
Maximum data alignment: 8
Database block size: 8192
Blocks per segment of large relation: 131072
WAL block size: 8192
Bytes per WAL segment: 16777216
Maximum length of identifiers: 64
Maximum columns in an index: 32
Maximum size of a TOAST chunk: 1996
Size of a large-object chunk: 2048
Date/time type storage: 64-bit integers
Float8 argument passing: by value
"""


def new_cluster(cluster: Cluster, pristine: Path, *, checksums: bool) -> None:
    """Makes what pg_upgrade fills, a copy of what initdb makes; the directory's former content goes."""
    cluster.run("rm", "-rf", cluster.data_directory, cluster.socket_directory)
    copy_into(cluster, pristine)
    cluster.run("mkdir", cluster.socket_directory)
    if not checksums:
        tool = cluster.programs.bin_directory / "pg_checksums"
        cluster.run(tool, "--disable", "--no-sync", "-D", cluster.data_directory)


def programs_for_upgrade(cluster: Cluster) -> Path:
    """The folder of a running old cluster's programs as pg_upgrade needs it; stop the server next."""
    own = cluster.programs.bin_directory
    if _has_control_programs(cluster.programs):
        return own
    folder = cluster.directory / "programs"
    cluster.run("mkdir", "-p", folder)
    for program in own.iterdir():
        cluster.run("ln", "-sf", program, folder)
    shown = folder / "shown"
    shown.write_text(_control_data(cluster))
    for name in CONTROL_PROGRAMS:
        (folder / name).write_text(f"#!/bin/sh\ncat '{shown}'\n")
        (folder / name).chmod(0o755)
    return folder


def _has_control_programs(programs: Programs) -> bool:
    name = "pg_resetwal" if Major.parse(programs.major) >= V10 else "pg_resetxlog"
    return all((programs.bin_directory / tool).exists() for tool in ("pg_controldata", name))


def _control_data(cluster: Cluster) -> str:
    """What both programs print, as it will be once the server was stopped."""
    major = Major.parse(cluster.programs.major)
    _, control_version, catalog_version = struct.unpack_from(
        "=QII", (cluster.data_directory / "global" / "pg_control").read_bytes()
    )
    next_id, oldest_id, oldest_multixact, last_object = cluster.query(
        "select txid_snapshot_xmax(txid_current_snapshot()), min(datfrozenxid::text::bigint),"
        " min(datminmxid::text::bigint), (select max(oid::bigint) from pg_class) from pg_database"
    ).split("|")
    checksums = cluster.query("show data_checksums") == "on"
    epoch_ends = ":" if major >= V96 else "/"
    signed = "Default char data signedness: signed\n" if major >= V18 else ""
    return f"""\
pg_control version number: {control_version}
Catalog version number: {catalog_version}
Database cluster state: shut down
Latest checkpoint's TimeLineID: 1
First log segment after reset: {_next_segment(cluster, major)}
Latest checkpoint's NextXID: 0{epoch_ends}{next_id}
Latest checkpoint's NextOID: {int(last_object) + IDS_AHEAD}
Latest checkpoint's NextMultiXactId: 1
Latest checkpoint's NextMultiOffset: 0
Latest checkpoint's oldestXID: {oldest_id}
Latest checkpoint's oldestMultiXid: {oldest_multixact}
Data page checksum version: {int(checksums)}
{signed}{OF_THE_BUILD}"""


def _next_segment(cluster: Cluster, major: Major) -> str:
    functions = (
        ("pg_walfile_name", "pg_current_wal_lsn")
        if major >= V10
        else ("pg_xlogfile_name", "pg_current_xlog_location")
    )
    current = cluster.query("select {}({}())".format(*functions))
    return f"{int(current, 16) + SEGMENTS_AHEAD:024X}"
