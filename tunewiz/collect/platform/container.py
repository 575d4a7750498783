"""Which container this process runs in, if any."""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.limits.cgroup_paths import USUAL, read_membership
from tunewiz.collect.storage.mounts import Mount, covering
from tunewiz.collect.system import ReadError, System
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

_SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io"
_MARKS = (
    (_SERVICE_ACCOUNT, "kubernetes"),
    ("/.dockerenv", "docker"),
    ("/.dockerinit", "docker"),
    ("/run/.containerenv", "podman"),
    ("/proc/vz", "openvz"),
)
"""Files that an engine leaves in its containers."""

_HOST_OF_OPENVZ = "/proc/bc"

_OF_CGROUP = (
    (re.compile(r"/kubepods|/kubelet"), "kubernetes"),
    (re.compile(r"/libpod"), "podman"),
    (re.compile(r"/docker|/ecs/"), "docker"),
    (re.compile(r"/lxc"), "lxc"),
    (re.compile(r"/machine\.slice/"), "systemd-nspawn"),
)
_OF_OVERLAY = (
    ("/kubelet/", "kubernetes"),
    ("/var/lib/docker/", "docker"),
    ("/containers/storage/", "podman"),
    ("io.containerd.snapshotter", "containerd"),
)
_BOUND_POINTS = frozenset({"/etc/hosts", "/etc/hostname", "/etc/resolv.conf"})
"""A single one may be mounted on a host; two mean a container engine."""
_OF_BOUND = (
    ("/kubelet/pods/", "kubernetes"),
    ("/io.containerd.grpc.v1.cri/", "kubernetes"),
    ("/docker/containers/", "docker"),
    ("/containers/storage/", "podman"),
    ("/overlay-containers/", "podman"),
)
"""Files of a container that its engine keeps outside, by the part of the host's path that tells which."""

_FIRST_NAMESPACES = {"pid": 4026531836, "uts": 4026531838, "ipc": 4026531839}
"""The numbers of the namespaces that the kernel starts with (include/linux/proc_ns.h)."""

_MANAGERS = ("/run/host/container-manager", "/run/systemd/container")
"""Where systemd-nspawn and others put their name (systemd-detect-virt(1))."""

_SCHEDULED = re.compile(r".* \(([0-9]+), #threads")
_VSERVER = re.compile(r"^(?:s_context|VxID):\s*[1-9][0-9]*", re.MULTILINE)
_ENVIRON = re.compile(r"(?:^|\0)container=([^\0]+)")


def read_container(system: System, mounts: Fact[tuple[Mount, ...]]) -> MaybeFact[str]:
    """The engine, by its marker files, its cgroup, its root file system or the environment of process 1."""
    if _is_host(system):
        return Absent("/proc/self/ns: the namespaces that the kernel started with")
    for fact in (
        _wsl(system),
        _kubernetes(system),
        _marked(system),
        _managed(system),
        _told(system),
        _grouped(system),
        _overlaid(mounts),
        _bound(mounts),
        _renumbered(system),
        _labelled(system),
        _apart(mounts),
        _below_the_root(system),
    ):
        if isinstance(fact, Known):
            return fact
    answer = file_values.first(read_membership(system, process) for process in ("1", "self"))
    if isinstance(answer, Known) or system.exists("/sys/class/dmi/id") or system.exists("/sys/hypervisor"):
        return file_values.absent(system, "/run, /.dockerenv", "no container's marks in /, /run, /proc/1")
    return Unknown(answer.why)


def _is_host(system: System) -> bool:
    """Outside of containers, also in a virtual machine made of a container's image with its marks."""
    try:
        links = {name: system.readlink(f"/proc/self/ns/{name}") for name in _FIRST_NAMESPACES}
    except ReadError:
        return False
    return all(links[name] == f"{name}:[{number}]" for name, number in _FIRST_NAMESPACES.items())


def _wsl(system: System) -> Fact[str]:
    """Windows Subsystem for Linux runs each distribution as a container of one Microsoft kernel."""
    release = system.uname().release
    if isinstance(release, Known) and "microsoft" in release.value.lower():
        return Known("wsl", f"{release.how}: {release.value}")
    return Unknown("not Microsoft's kernel")


def _kubernetes(system: System) -> Fact[str]:
    name = "KUBERNETES_SERVICE_HOST"
    return Known("kubernetes", f"environment: {name}") if name in system.environ else Unknown(f"no {name}")


def _marked(system: System) -> Fact[str]:
    for path, name in _MARKS:
        if system.exists(path) and not (name == "openvz" and system.exists(_HOST_OF_OPENVZ)):
            return Known(name, path)
    return Unknown("no container's mark")


def _managed(system: System) -> Fact[str]:
    """What the manager says in files of its own; `oci` is written into images and names nobody."""
    fact = file_values.first(file_values.word(system, path) for path in _MANAGERS)
    return Known("other", fact.how) if isinstance(fact, Known) and fact.value == "oci" else fact


def _told(system: System) -> Fact[str]:
    """Engines put `container=` into the environment of process 1, which root may read."""
    path = "/proc/1/environ"
    text = file_values.text(system, path)
    matched = _ENVIRON.search(text.value) if isinstance(text, Known) else None
    return Known(matched[1], path) if matched else Unknown(f"no container=: {path}")


def _grouped(system: System) -> Fact[str]:
    fact = file_values.first(read_membership(system, process) for process in ("1", "self"))
    if isinstance(fact, Known):
        for pattern, name in _OF_CGROUP:
            if matched := pattern.search(fact.value):
                return Known(name, f"{fact.how}: {matched[0]}")
    return Unknown("no container's control group")


def _overlaid(mounts: Fact[tuple[Mount, ...]]) -> Fact[str]:
    root = covering(mounts.value, "/") if isinstance(mounts, Known) else None
    if root and root.filesystem == "overlay":
        layers = ",".join(option for option in root.options if "dir=" in option)
        for part, name in _OF_OVERLAY:
            if part in layers:
                return Known(name, f"root file system: {part}")
    return Unknown("no container's root file system")


def _bound(mounts: Fact[tuple[Mount, ...]]) -> Fact[str]:
    """Engines mount a few files of /etc from a folder of their own, lxcfs some of /proc."""
    table = mounts.value if isinstance(mounts, Known) else ()
    for part, name in _OF_BOUND:
        for mount in table:
            if mount.point in _BOUND_POINTS and part in mount.root:
                return Known(name, f"mount table: {mount.point} from {mount.root}")
    if any(mount.filesystem == "fuse.lxcfs" and mount.point.startswith("/proc/") for mount in table):
        return Known("lxc", "mount table: fuse.lxcfs in /proc")
    return Unknown("no container's mounts")


def _apart(mounts: Fact[tuple[Mount, ...]]) -> Fact[str]:
    """Every engine gives its container such files of its own; `ip netns exec` does too, from /etc/netns."""
    table = mounts.value if isinstance(mounts, Known) else ()
    points = {mount.point for mount in table if mount.point in _BOUND_POINTS and "/netns/" not in mount.root}
    if len(points) > 1:
        return Known("other", f"mount table: {' and '.join(sorted(points))} are mounts")
    return Unknown("no files of /etc are mounts")


def _below_the_root(system: System) -> Fact[str]:
    """The root of all control groups has no type: here a group below it is mounted (systemd's test)."""
    path = f"{USUAL}/cgroup.type"
    return Known("other", path) if system.exists(path) else Unknown(f"no {path}")


def _renumbered(system: System) -> Fact[str]:
    """In a process namespace older kernels show process 1 with the number that its host gave it."""
    path = "/proc/1/sched"
    text = file_values.text(system, path)
    matched = _SCHEDULED.match(text.value) if isinstance(text, Known) else None
    return Known("other", path) if matched and matched[1] != "1" else Unknown("process 1 is its own")


def _labelled(system: System) -> Fact[str]:
    """Linux-VServer marks the processes of its guests; its host has the number 0."""
    path = "/proc/self/status"
    text = file_values.text(system, path)
    matched = _VSERVER.search(text.value) if isinstance(text, Known) else None
    return Known("vserver", f"{path}: {matched[0]}") if matched else Unknown("no Linux-VServer")
