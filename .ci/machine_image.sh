#!/bin/sh
# Makes the disk of a virtual machine in which bundles are tried: Debian 12, SELinux enforcing, PostgreSQL 15, an NFS server.
#
#   .ci/machine_image.sh       prints the folder's path
#
# It lands in TUNEWIZ_MACHINE_IMAGE; without that variable, in tunewiz/machine under the user's cache directory. It holds
# disk.ext4, kernel, initrd and the key that its root lets in. What is there already is left alone.
# Exit 3: it could not be made, and one line says why.
set -eu
umask 022

SIZE=6G
: "${HOME:=/root}"
target=${TUNEWIZ_MACHINE_IMAGE:-${XDG_CACHE_HOME:-$HOME/.cache}/tunewiz/machine}
packages=linux-image-amd64,initramfs-tools,systemd-sysv,dbus,udev,kmod,iproute2,procps,util-linux,attr,acl
packages=$packages,selinux-policy-default,selinux-basics,policycoreutils,auditd,python3
packages=$packages,openssh-server,postgresql-15,nfs-kernel-server,nfs-common

fail() {
    printf 'machine_image.sh: %s\n' "$*" >&2
    exit 3
}

# Usage: prepare ROOT. What the packages leave open; labels come last, so that every file has one.
prepare() {
    root=$1
    echo db1 >"$root/etc/hostname"
    echo '127.0.0.1 localhost db1' >"$root/etc/hosts"
    echo '/dev/vda / ext4 defaults 0 1' >"$root/etc/fstab"
    echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
    # The network that QEMU gives: nothing has to be asked for, or waited for.
    printf '[Match]\nType=ether\n[Network]\nAddress=10.0.2.15/24\n' >"$root/etc/systemd/network/50-all.network"
    sed -i 's/^SELINUX=.*/SELINUX=enforcing/; s/^SELINUXTYPE=.*/SELINUXTYPE=default/' "$root/etc/selinux/config"
    mkdir -p "$root/root/.ssh"
    chmod 700 "$root/root/.ssh"
    cp "$work/key.pub" "$root/root/.ssh/authorized_keys"
    rm -f "$root/.autorelabel"
    chroot "$root" systemctl --quiet enable systemd-networkd ssh auditd postgresql
    chroot "$root" systemctl --quiet disable nfs-server
    # What takes long, and what happens by itself while something else is tried.
    chroot "$root" systemctl --quiet mask systemd-networkd-wait-online.service selinux-autorelabel-mark.service \
        apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service \
        fstrim.timer nfs-blkmap.service
    cp "$root"/boot/vmlinuz-* "$work/kernel"
    cp "$root"/boot/initrd.img-* "$work/initrd"
    # It reaches files by way of /proc.
    # shellcheck disable=SC2016 # the inner shell's own
    unshare --mount sh -c 'mount --bind /proc "$1/proc" && exec chroot "$1" setfiles -m -F "$2" /' sh "$root" \
        /etc/selinux/default/contexts/files/file_contexts
}

if [ ! -s "$target/disk.ext4" ]; then
    for tool in mmdebstrap mke2fs ssh-keygen; do
        command -v "$tool" >/dev/null || fail "$tool is missing (Debian: mmdebstrap, e2fsprogs, openssh-client)"
    done
    [ "$(id -u)" -eq 0 ] || fail "labels are set by root alone"
    mkdir -p "$(dirname "$target")"
    work=$(mktemp -d "$target.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    ssh-keygen -q -t ed25519 -N '' -C tunewiz -f "$work/key"
    mmdebstrap --quiet --variant=minbase --include="$packages" bookworm "$work/root" </dev/null \
        >"$work/log" 2>&1 || fail "mmdebstrap failed: $(tail -n 1 "$work/log")"
    prepare "$work/root" >>"$work/log" 2>&1 || fail "the root could not be prepared: $(tail -n 1 "$work/log")"
    mke2fs -q -t ext4 -L tunewiz -d "$work/root" "$work/disk.ext4" "$SIZE" >>"$work/log" 2>&1 ||
        fail "mke2fs failed: $(tail -n 1 "$work/log")"
    rm -rf "$work/root"
    trap - EXIT
    rm -rf "${target:?}"
    chmod 755 "$work"
    mv "$work" "$target"
fi
printf '%s\n' "$target"
