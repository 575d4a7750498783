#!/bin/sh
# Makes the disk of a machine of another architecture, which QEMU emulates whole: Debian 12 and PostgreSQL 15.
#
#   .ci/foreign_image.sh ARCHITECTURE     s390x or ppc64el, as Debian calls them; prints the folder's path
#
# It lands in a folder of the architecture's name under TUNEWIZ_FOREIGN_MACHINES; without that variable, in
# tunewiz/foreign-machines under the user's cache directory. It holds disk.ext4, kernel, initrd and the key that its
# root lets in. What is there already is left alone.
# TUNEWIZ_DEBIAN_MIRROR names the one archive to take packages from, where its list of security updates is of no use for
# the architecture; without it, the archives are those that mmdebstrap knows.
# Exit 3: it could not be made, and one line says why.
set -eu
umask 022

SIZE=4G
: "${HOME:=/root}"
targets=${TUNEWIZ_FOREIGN_MACHINES:-${XDG_CACHE_HOME:-$HOME/.cache}/tunewiz/foreign-machines}
packages=initramfs-tools,systemd-sysv,udev,kmod,iproute2,procps,util-linux,python3,openssh-server,postgresql-15
# Small, since the emulated machine unpacks it: what the emulated hardware needs, and no other driver.
# shellcheck disable=SC2016 # the inner shell's own
small_initrd='mkdir -p "$1/etc/initramfs-tools/conf.d" && echo MODULES=list >"$1/etc/initramfs-tools/conf.d/small" &&
    printf "%s\n" virtio_pci virtio_ccw virtio_blk ext4 >"$1/etc/initramfs-tools/modules"'

fail() {
    printf 'foreign_image.sh: %s\n' "$*" >&2
    exit 3
}

# Usage: prepare ROOT. What the packages leave open.
prepare() {
    root=$1
    echo db1 >"$root/etc/hostname"
    echo '127.0.0.1 localhost db1' >"$root/etc/hosts"
    echo '/dev/vda / ext4 defaults 0 1' >"$root/etc/fstab"
    echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
    # The network that QEMU gives: nothing has to be asked for, or waited for.
    printf '[Match]\nType=ether\n[Network]\nAddress=10.0.2.15/24\n' >"$root/etc/systemd/network/50-all.network"
    mkdir -p "$root/root/.ssh"
    chmod 700 "$root/root/.ssh"
    cp "$work/key.pub" "$root/root/.ssh/authorized_keys"
    systemctl --quiet --root="$root" enable systemd-networkd ssh postgresql
    # What takes long, and what happens by itself while something else is tried.
    systemctl --quiet --root="$root" mask systemd-networkd-wait-online.service apt-daily.timer \
        apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer
    cp "$root"/boot/vmlinu[xz]-* "$work/kernel"
    cp "$root"/boot/initrd.img-* "$work/initrd"
}

architecture=${1:-}
case $architecture in
    s390x) kernel=linux-image-s390x emulator=qemu-s390x ;;
    ppc64el) kernel=linux-image-powerpc64le emulator=qemu-ppc64le ;;
    *) fail "expected s390x or ppc64el, found: ${architecture:-nothing}" ;;
esac
target=$targets/$architecture
if [ ! -s "$target/disk.ext4" ]; then
    for tool in mmdebstrap mke2fs ssh-keygen systemctl; do
        command -v "$tool" >/dev/null || fail "$tool is missing (Debian: mmdebstrap, e2fsprogs, openssh-client, systemd)"
    done
    [ "$(id -u)" -eq 0 ] || fail "devices are made by root alone"
    [ -e "/proc/sys/fs/binfmt_misc/$emulator" ] ||
        fail "the kernel runs no programs of $architecture (Debian: apt-get install qemu-user-static binfmt-support)"
    mkdir -p "$targets"
    work=$(mktemp -d "$target.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    ssh-keygen -q -t ed25519 -N '' -C tunewiz -f "$work/key"
    mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --architectures="$architecture" --include="$kernel,$packages" \
        --essential-hook="$small_initrd" bookworm "$work/root" ${TUNEWIZ_DEBIAN_MIRROR:+"$TUNEWIZ_DEBIAN_MIRROR"} </dev/null \
        >"$work/log" 2>&1 || fail "mmdebstrap failed: $(grep '^E:' "$work/log" | head -n 1)"
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
