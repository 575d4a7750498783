# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Who else may write where a file lies. Such a place is touched as that user, the writer: whatever is laid in our way
# there, a link, a FIFO, another directory, then costs its owner alone. What only root may write is touched as root.

# What a file of configuration may hold, in blocks of 64 KiB, and how long looking at it may take.
WRITER_BLOCKS=256
WRITER_SECONDS=60
# Links on a way, as many as the kernel follows (MAXSYMLINKS in include/linux/namei.h).
LINKS_TO_FOLLOW=40
# What is said where neither root nor the server's owner could look.
NOT_FOR_ROOT='may not be read by root (NFS with root_squash?)'

# Usage: by_writer COMMAND ... As whoever find_writer found; never for longer than a file's worth.
by_writer() {
    if [ -n "$WRITER" ]; then
        as_user "$WRITER_SECONDS" "$WRITER" "$@"
    else
        "$@"
    fi
}

# Usage: way_to PATH. Every directory that a walk to PATH goes through or looks a name up in, a line each in WAY: those
# that links lead through too; where it ends, in WAY_END. On a pretend root the root itself is given.
way_to() {
    WAY='' way_rest=$1/ way_at='' way_links=0
    case $1 in "$ROOT"/*) way_at=$ROOT way_rest=${1#"$ROOT"}/ ;; *) ;; esac
    [ -n "$way_at" ] || WAY=/$NL
    while [ -n "$way_rest" ]; do
        way_name=${way_rest%%/*}
        way_rest=${way_rest#*/}
        case $way_name in
            '' | .) continue ;;
            ..) way_at=${way_at%/*} ;;
            *) way_step ;;
        esac
        [ "$way_links" -le "$LINKS_TO_FOLLOW" ] || return 1
    done
    WAY_END=${way_at:-/}
}

way_step() {
    if [ ! -L "$way_at/$way_name" ]; then
        way_at=$way_at/$way_name
        [ ! -d "$way_at" ] || WAY=$WAY$way_at$NL
        return 0
    fi
    way_links=$((way_links + 1))
    way_target=$(readlink "$way_at/$way_name")
    way_rest=$way_target/$way_rest
    case $way_target in /*) way_at= ;; *) ;; esac
}

# Usage: find_writer DIRECTORY. Whoever may write there or on the way, in WRITER: empty for root alone (or where we are
# not root), else a user's number. Fails where there are several.
find_writer() {
    WRITER=
    [ "$ME" = 0 ] || return 0
    case $WRITERS in
        *"$NL$1 "*)
            WRITER=${WRITERS#*"$NL$1 "}
            WRITER=${WRITER%%"$NL"*}
            return 0
            ;;
        *) ;;
    esac
    look_for_writer "$1" || return 1
    # What is root's alone stays so; elsewhere we are no more than its writer. Either may be remembered.
    WRITERS="$WRITERS$1 $WRITER$NL"
}

look_for_writer() {
    way_to "$1" || return 1
    set -f
    IFS=$NL
    # shellcheck disable=SC2086 # split at the ends of lines, on purpose
    writer_told=$(stat -L -c '%u %A %n' $WAY) || writer_told=
    unset IFS
    set +f
    [ -n "$writer_told" ] || return 1
    while IFS=' ' read -r writer_one writer_mode writer_dir; do
        if [ "$writer_one" = 0 ]; then
            is_open "$writer_mode" || continue
            # Whom a group lets in is not told: the server's owner, where there is one, is the least of them.
            writer_one=${OWNER_UID:-}
        fi
        [ -n "$writer_one" ] || return 1
        [ -z "$WRITER" ] || [ "$WRITER" = "$writer_one" ] || return 1
        WRITER=$writer_one
    done <<END
$writer_told
END
}

# Usage: is_open MODE. Whether others than its owner may change a directory of that mode. In a sticky one what is root's
# stays root's, but not what is to be made there.
is_open() {
    case $1 in
        ?????????[tT]*) [ "$writer_dir" = "$WAY_END" ] ;;
        ?????w* | ????????w*) return 0 ;;
        *) return 1 ;;
    esac
}

# Usage: sees OPTION PATH. As test does, by whoever may look there: on NFS with root_squash what is in the server's
# directories is missing for root. That it may not go in is told by the directory's own entry; no shell's test -x does.
sees() {
    test "$1" "$2" && return 0
    is_closed "$2" || return 1
    # In a process of its own: whose turn it is does not change for this.
    (find_writer "${2%/*}" && [ -n "$WRITER" ] && by_writer test "$1" "$2" 2>/dev/null)
}

# Usage: tells PATH COMMAND ... What a command that looks at PATH prints, by whoever may look there.
tells() {
    tells_path=$1
    shift
    if is_closed "$tells_path"; then
        (find_writer "${tells_path%/*}" && by_writer "$@")
    else
        "$@"
    fi
}

# Usage: is_closed PATH. Whether root may not go into a directory on its way.
is_closed() {
    # A socket has a name that is no path.
    case $ME:$1 in 0:/*) ;; *) return 1 ;; esac
    closed_at=${1%/*}
    while [ -n "$closed_at" ] && [ ! -e "$closed_at/." ]; do
        [ ! -d "$closed_at" ] || return 0
        closed_at=${closed_at%/*}
    done
    return 1
}

# Usage: unseen PATH WORDS. What is said of a path that is not seen, in UNSEEN: WORDS, unless nobody could look there.
unseen() {
    UNSEEN=$2
    ! is_closed "$1" || sees -d "${1%/*}/." || UNSEEN=$NOT_FOR_ROOT
}

# Usage: read_file PATH [BLOCKS]. Its content; of a FIFO what it holds, never more than a configuration file may hold.
read_file() {
    find_writer "${1%/*}" || return 1
    by_writer dd if="$1" bs=65536 count="${2:-$WRITER_BLOCKS}" iflag=fullblock,nonblock status=none 2>/dev/null
}

# Usage: copy_out PATH COPY. With everything that it is, into a directory of ours. What its writer may not read is not
# read, and what is no file, or has other names, is not kept.
copy_out() {
    find_writer "${1%/*}" || return 1
    if [ -z "$WRITER" ]; then
        cp -a "$1" "$2"
        return
    fi
    make_stage "$WRITER" && (cd "$STAGE" && by_writer cp -a -- "$1" ./copy) && chown 0:0 "$STAGE" || return 1
    [ -f "$STAGE/copy" ] && [ ! -L "$STAGE/copy" ] && [ "$(stat -c %u:%h "$STAGE/copy")" = "$WRITER:1" ] &&
        mv -T "$STAGE/copy" "$2" && rm -rf "$STAGE"
}

# A directory that its owner reaches only where we have gone into it: what is above it is closed to others.
make_stage() {
    STAGE=$SCRATCH/stage
    rm -rf "$STAGE" && mkdir -m 0700 "$STAGE" && chown "$1:$(id -g "$1")" "$STAGE"
}

# Usage: remove_file PATH
remove_file() {
    find_writer "${1%/*}" && by_writer rm -f "$1"
}

# Flags that the kernel sets by itself: extents, an index, inline data, encryption, compression, verity.
OWN_FLAGS=-eINEXVZm

# Usage: check_attributes PATH. A file that is written anew cannot have all that the former one had: flags (chattr) that it
# does not get from its directory, and attributes that root alone may set, where it is written as another user.
check_attributes() {
    [ -f "$ROOT$1" ] && [ ! -L "$ROOT$1" ] || return 0
    attributes=$(lsattr -d -- "$ROOT${1%/*}/" "$ROOT$1" 2>/dev/null)
    attributes_known=$OWN_FLAGS${attributes%%' '*}
    attributes=${attributes#*"$NL"}
    attributes=${attributes%%' '*}
    while [ -n "$attributes" ]; do
        case $attributes_known in
            *"${attributes%"${attributes#?}"}"*) ;;
            *) problem "$1: has the attribute ${attributes%"${attributes#?}"} (lsattr), which a new file would not have" ;;
        esac
        attributes=${attributes#?}
    done
    [ -n "$WRITER" ] || return 0
    # Its header names them; SELinux lets an owner set its labels.
    attributes=$(tar -C "$ROOT${1%/*}/" --xattrs --xattrs-include='*' -cf - -- "./${1##*/}" 2>/dev/null | head -c 65536 |
        tr '\000' '\012' | sed -n 's/^[0-9]* SCHILY\.xattr\.\(\(security\|trusted\)\.[A-Za-z0-9_.-]*\)=.*/\1/p' |
        grep -v -x -e security.selinux | head -n 1)
    [ -z "$attributes" ] ||
        problem "$1: has the attribute $attributes, which $(id -nu "$WRITER"), who can replace it there, could not restore"
}

# Usage: check_writer PATH. What lies there must be its writer's to read, to replace and to give back as it was.
check_writer() {
    writer_path=$ROOT$1
    if ! find_writer "${writer_path%/*}"; then
        problem "$1: several users can write to directories on its path, so each could mislead the other"
        return 0
    fi
    check_attributes "$1"
    [ -n "$WRITER" ] && sees -e "$writer_path" || return 0
    writer_told=$(by_writer stat -c '%u %g' "$writer_path")
    if [ "${writer_told% *}" != "$WRITER" ]; then
        problem "$1: does not belong to $(id -nu "$WRITER"), who can replace it there (chown it, or close its directory)"
    elif ! by_writer test -r "$writer_path"; then
        problem "$1: $(id -nu "$WRITER") may not read it"
    else
        case " $(id -G "$WRITER") " in
            *" ${writer_told#* } "*) ;;
            *) problem "$1: its group could not be restored, for $(id -nu "$WRITER") is not in it" ;;
        esac
    fi
}

# Usage: check_ours PATH. Nobody but root may write where a file of the system's lies.
check_ours() {
    find_writer "$ROOT${1%/*}" && [ -z "$WRITER" ] ||
        problem "$1: users other than root can write to a directory on its path"
    check_attributes "$1"
}
