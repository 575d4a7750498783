# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Would the server start with its files as they are, and as what it is? Tried before it is stopped.

# How long a start that is only tried may take. It takes a twentieth of a second, and libraries their time.
SECONDS_TO_TRY=20
# A port for it, below those that the kernel gives to programs.
FIRST_PORT_TO_TRY=20000
PORTS_TO_TRY=12000

# Set where a start was tried with the files as they are, and where a restart was refused.
START_TRIED='' START_REFUSED=''

# Run as the owner. The server itself starts in an empty data directory, with the live one's settings and control file,
# on another port, with little memory and no log of its own: everything is as at a real start until the write-ahead log
# is missed, which is the end of it. Under SELinux the files that are made there get the directory's label.
# Usage: sh -c "$TRY_START" sh PROGRAM SECONDS PORT DATA CONFIG HBA IDENT PID
# shellcheck disable=SC2016 # the inner shell's own
TRY_START='
program=$1 seconds=$2 port=$3 data=$4 config=$5 hba=$6 ident=$7 pid=$8
umask 077
trial=$(mktemp -d /tmp/tunewiz-start.XXXXXX) || trial=$(mktemp -d /var/tmp/tunewiz-start.XXXXXX) || exit 1
trap "rm -rf \"$trial\"" EXIT
trap "exit 1" HUP INT TERM
unlabeled=
if [ -e /sys/fs/selinux/enforce ]; then
    said=$(chcon --reference="$data" "$trial" 2>&1) || unlabeled=${said:-chcon fails}
fi
cd "$trial" && mkdir base global pg_dynshmem pg_notify pg_stat pg_stat_tmp pg_tblspc &&
    cp "$data/PG_VERSION" . && cp "$data/global/pg_control" global || exit 1
for file in "$data"/*; do
    case ${file##*/} in
        base | global | pg_* | PG_VERSION | postmaster.* | backup_label* | tablespace_map* | recovery.* | *.signal | current_logfiles) ;;
        *) ln -f -s "$file" . ;;
    esac
done
set -- -c hba_file="$hba" -c ident_file="$ident"
options=$(tr "\000" "\012" <"/proc/$pid/cmdline" | sed 1d)
while IFS= read -r option; do
    [ -z "$option" ] || set -- "$@" "$option"
done <<END
$options
END
timeout -k 5 "$seconds" "$program" "$@" -D "$trial" -c config_file="$config" -c data_directory="$trial" \
    -c port="$port" -c external_pid_file=pid -c bonjour=off -c shared_buffers=1MB -c wal_buffers=64kB -c huge_pages=off \
    -c logging_collector=off -c log_destination=stderr -c log_min_messages=warning -c log_line_prefix= -c lc_messages=C 2>&1
status=$?
[ -z "$unlabeled" ] || printf "without a label: %s\n" "$unlabeled" | head -n 1
exit "$status"
'

# Whatever keeps the running server from coming up again as what it is becomes a problem.
check_start() {
    check_data_mode
    check_role
    check_log_directory
    check_trial
}

# Usage: is_foreign_value. Of the loaded setting: its files give, in CONFIGURED, what neither runs nor was planned nor
# was there before: it would be put in force by a restart.
is_foreign_value() {
    [ "$F3" = restart ] && [ -n "$BIN" ] && configured "$F1" || return 1
    before_of "$F1"
    setting_of "$F1" || SETTING=$F6
    ! was_before "$CONFIGURED" || return 1
    case $CONFIGURED in "$F4" | "$F5" | "$F6" | "$SETTING") return 1 ;; *) ;; esac
}

# Usage: each_setting refuse_foreign_value. Before our files are written such a line gives way to ours.
refuse_foreign_value() {
    ! is_foreign_value ||
        problem "a restart would also put in force what others have changed: $F1 (its files give $CONFIGURED)"
}

# What the server asks of its data directory, since 11 less than before.
check_data_mode() {
    data_mode=$(stat -c %a "$ROOT$DATA" 2>/dev/null)
    case $MAJOR:$data_mode in
        9.*:*00 | 10:*00) ;;
        9.* | 10:*) problem "$DATA: its mode is $data_mode, with which PostgreSQL $MAJOR does not start (chmod 0700)" ;;
        *:*[0145]0) ;;
        *) problem "$DATA: its mode is $data_mode, with which PostgreSQL does not start (chmod 0700)" ;;
    esac
}

# A primary stays one, and so does a standby.
check_role() {
    role_files='standby.signal recovery.signal' role_wrong='recovery.conf'
    case $MAJOR in 9.* | 10 | 11) role_files=recovery.conf role_wrong='' ;; *) ;; esac
    for role_file in backup_label $role_wrong; do
        ! look_as_owner test -e "$ROOT$DATA/$role_file" ||
            problem "$DATA/$role_file: is there, so the server would recover from a backup, or not start"
    done
    role_found=
    for role_file in $role_files; do
        ! look_as_owner test -e "$ROOT$DATA/$role_file" || role_found=$role_file
    done
    IN_RECOVERY=$(ask 'SELECT pg_is_in_recovery()' 2>/dev/null)
    case $IN_RECOVERY:$role_found in
        t:) problem "$DATA: has no ${role_files% *} any more, so the standby would start as a primary" ;;
        f:?*) problem "$DATA/$role_found: is there, so the server would not start as the primary that it is" ;;
        t:*) check_standby ;;
        *) ;;
    esac
}

# A primary that was just restarted tells its standby when that has connected again (wal_retrieve_retry_interval: 5 s).
SECONDS_FOR_THE_PRIMARY=12

# A standby does not start with less than its primary has, which its control file tells.
check_standby() {
    ! setting_of hot_standby || [ "$SETTING" != off ] || return 0
    standby_tries=0
    while is_below_primary && [ "$standby_tries" -lt "$SECONDS_FOR_THE_PRIMARY" ]; do
        sleep 1
        standby_tries=$((standby_tries + 1))
    done
    while IFS= read -r standby_line; do
        [ -z "$standby_line" ] || problem "$standby_line"
    done <<END
$BELOW
END
}

# Whether the next start would have less of something, named in the lines of BELOW.
is_below_primary() {
    BELOW=
    below_control=$(look_as_owner "$BIN/pg_controldata" -D "$ROOT$DATA" 2>/dev/null) || return 1
    for below_one in max_connections:max_connections max_worker_processes:max_worker_processes \
        max_wal_senders:max_wal_senders max_prepared_transactions:max_prepared_xacts \
        max_locks_per_transaction:max_locks_per_xact; do
        rest_of "$below_control" "${below_one#*:} setting:" || continue
        trim "$REST"
        below_name=${below_one%:*}
        will_have "$below_name"
        is_number "$TRIMMED" || continue
        is_number "$WILL_HAVE" || continue
        [ "$WILL_HAVE" -ge "$TRIMMED" ] ||
            BELOW="$BELOW$NL$below_name: the standby would start with $WILL_HAVE and its primary has $TRIMMED: change the primary first"
    done
    [ -n "$BELOW" ]
}

# Usage: will_have NAME. What the next start has, in WILL_HAVE: what the files give, or, before a rollback, will give.
will_have() {
    WILL_HAVE=
    if [ -n "${LOOKING_BACK:-}" ]; then
        before_of "$1"
        case $BEFORE_FILES in =*) WILL_HAVE=${BEFORE_FILES#=} ;; *) ;; esac
    fi
    [ -n "$WILL_HAVE" ] || ! configured "$1" || WILL_HAVE=$CONFIGURED
}

# The collector makes one directory, and ends the server where it cannot.
check_log_directory() {
    setting_of logging_collector && [ "$SETTING" = on ] && setting_of log_directory || return 0
    log_place=$SETTING
    case $log_place in /*) ;; *) log_place=$DATA/$log_place ;; esac
    [ -d "$ROOT$log_place" ] || log_place=${log_place%/*}
    look_as_owner test -w "$ROOT$log_place/" -a -x "$ROOT$log_place/" ||
        problem "$log_place: the server cannot write its log there, so it would not start again"
}

# Usage: file_of NAME. A file that only a restart changes, in NAMED_FILE.
file_of() {
    if setting_of "$1"; then
        NAMED_FILE=$SETTING
    else
        configured "$1"
        NAMED_FILE=$CONFIGURED
    fi
}

check_trial() {
    [ -n "$BIN" ] || return 0
    file_of hba_file
    trial_hba=$NAMED_FILE
    file_of ident_file
    for trial_port in 0 7; do
        try_start "$trial_port"
        case $trial_said in *'startup process (PID '*) return 0 ;; *) ;; esac
        # It would take as long once more.
        ! was_given_up "$trial_status" || break
    done
    if was_given_up "$trial_status"; then
        problem "whether the server would start again is not known: a start that was tried was ended after $SECONDS_TO_TRY s; PostgreSQL said until then:"
    elif was_denied; then
        complain "  whether the server would start again was not tried: SELinux's label of $DATA could not be given to the directory of a trial ($trial_label), in which PostgreSQL was denied:"
    else
        problem "the server would not start again; PostgreSQL says when a start is tried:"
    fi
    printf '%s\n' "${trial_said:-nothing}" | grep -v -e '^LOG:  starting ' -e '^LOG:  listening ' -e ' is shut down$' -e '^without a label: ' |
        while IFS= read -r trial_line; do complain "    $trial_line"; done
}

# Usage: try_start NUMBER. What a start says on one of the ports, in trial_said, and how it ended, in trial_status.
try_start() {
    trial_said=$({
        look_as_owner sh -c "$TRY_START" sh "$BIN/postgres" "$SECONDS_TO_TRY" \
            "$((FIRST_PORT_TO_TRY + ($$ + $1) % PORTS_TO_TRY))" \
            "$ROOT$DATA" "$ROOT$CONFIG" "$trial_hba" "$NAMED_FILE" "$POSTMASTER" 2>&1
        printf '\n%s' "$?"
    } | tail -c 4000)
    trial_status=${trial_said##*"$NL"}
    trial_said=${trial_said%"$NL"*}
    trial_said=${trial_said%"$NL"}
}

# Whether what failed in the trial may be for want of the label alone: nothing was denied but in its own directory.
was_denied() {
    rest_of "$trial_said" 'without a label: ' || return 1
    trial_label=$REST
    denied_there=
    while IFS= read -r denied_line; do
        case $denied_line in
            *'"/tmp/tunewiz-start.'*': Permission denied'* | *'"/var/tmp/tunewiz-start.'*': Permission denied'*) denied_there=1 ;;
            *"'"*': Permission denied'* | *'"/'*': Permission denied'*) return 1 ;;
            *': Permission denied'*) denied_there=1 ;;
            *) ;;
        esac
    done <<END
$trial_said
END
    [ -n "$denied_there" ]
}
