# shellcheck shell=dash disable=SC2016,SC2034,SC2154 # the dollar signs are sed's; other parts read the variables
# Who else keeps settings: sysctl, tmpfiles, tuned, Patroni.

# A comment is taken only as the mark of a tool that manages the file.
MARKS='/^[[:space:]]*[#;]/{
s/.*[Oo]verwritten by Patroni.*/# overwritten by Patroni/
s/.*[Mm]anaged by [Aa]nsible.*/# ansible managed/
s/.*[Aa][Nn][Ss][Ii][Bb][Ll][Ee] [Mm][Aa][Nn][Aa][Gg][Ee][Dd].*/# ansible managed/
s/.*[Cc]loud-[Ii]nit.*/# cloud-init/
s/.*[Mm]anaged by [Pp]uppet.*/# managed by puppet/
s/.*\([Mm]anaged\|[Gg]enerated\) by [Cc]hef.*/# managed by chef/
s/.*[Mm]anaged by [Ss]alt.*/# managed by salt/
/^# \(overwritten by Patroni\|ansible managed\|cloud-init\|managed by [a-z]*\)$/!s/.*/#/
}'
OF_SYSCTL='/^#/!{/^[[:space:]]*-\{0,1\}\(vm[.\/]\|kernel[.\/]\(sched\|numa\)\)/!s/.*//
}'
OF_TMPFILES='/^#/!{/^w[^[:space:]]*[[:space:]]*"\{0,1\}\/\(sys\|proc\/sys\)\//!s/.*//
}'

owners() {
    for above in /etc /run /usr/local/lib /usr/lib /lib; do
        for each in "$ROOT$above"/sysctl.d/*.conf; do kept "${each#"$ROOT"}" "$OF_SYSCTL"; done
        for each in "$ROOT$above"/tmpfiles.d/*.conf; do kept "${each#"$ROOT"}" "$OF_TMPFILES"; done
    done
    kept /etc/sysctl.conf "$OF_SYSCTL"
    whole /etc/tuned/active_profile
    kept /etc/tuned/tuned-main.conf '/^#/!{/reapply_sysctl/!s/.*//
}'
    there /run/tuned/tuned.pid /run/irqbalance /run/irqbalance.pid /run/numad.pid
    link /etc/systemd/system/multi-user.target.wants/numad.service
    link /etc/systemd/system/multi-user.target.wants/irqbalance.service
    link /etc/systemd/system/multi-user.target.wants/tuned.service
    for each in "$ROOT"/etc/systemd/system/multi-user.target.wants/tunewiz-watch-*.service; do
        link "${each#"$ROOT"}"
    done
    if [ -r "$ROOT/etc/tuned/active_profile" ]; then
        IFS= read -r active <"$ROOT/etc/tuned/active_profile"
        for each in $active; do tuned_profile "$each" 0; done
    fi
    for each in "$ROOT"/etc/patroni.yml "$ROOT"/etc/patroni.yaml "$ROOT"/etc/patroni/*.yml "$ROOT"/etc/patroni/*.yaml; do
        whole "${each#"$ROOT"}" '/^[[:space:]]*data_dir:/!s/.*//'
    done
    for above in /etc /run /usr/local/lib /usr/lib; do
        for each in "$ROOT$above"/systemd/logind.conf "$ROOT$above"/systemd/logind.conf.d/*.conf; do
            whole "${each#"$ROOT"}" '/RemoveIPC/!s/.*//'
        done
    done
    there /etc/patroni/~postgres-operator_cluster.yaml /usr/local/bin/docker-entrypoint.sh
}

# A file of settings without its comments; a link is kept, for one to /dev/null masks other files.
kept() {
    [ ! -L "$ROOT$1" ] || links_on "$1"
    whole "$1" "$MARKS
$2"
}

# Usage: tuned_profile NAME DEPTH. Its file, and those of the profiles that it includes.
tuned_profile() {
    case $1 in *[!A-Za-z0-9_.@-]* | .* | '') return 0 ;; *) ;; esac
    [ "$2" -lt "$MOST_INCLUDES" ] || return 0
    for above in /etc/tuned/profiles /etc/tuned /usr/lib/tuned/profiles /usr/lib/tuned; do
        [ -f "$ROOT$above/$1/tuned.conf" ] || continue
        kept "$above/$1/tuned.conf" ''
        for included in $(sed -n 's/^[[:space:]]*include[[:space:]]*=[[:space:]]*-*//p' "$ROOT$above/$1/tuned.conf" | tr ',' ' '); do
            (tuned_profile "${included##*/}" $(($2 + 1)))
        done
        return 0
    done
}
