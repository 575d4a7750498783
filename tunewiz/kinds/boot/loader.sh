# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# The boot loader: which entry the running kernel was booted with, and which one is the default.
#
# Only loaders that read their entries from files (Boot Loader Specification), and only where their default is an
# entry by name: where the first one is the default, a new entry could become it.

ZIPL_CONF=/etc/zipl.conf
GRUB_ENV=/boot/grub2/grubenv
# shellcheck disable=SC2016 # GRUB's own variable
BY_NAME='set default="${saved_entry}"'
EFI_VARIABLES=/sys/firmware/efi/efivars
BOOT_CTL=4a67b082-0a4c-41cf-b6c7-440b29bb8c4f

# Usage: entry_key FILE KEY. What the one line with the key says, in ENTRY_VALUE.
entry_key() {
    ENTRY_VALUE='' entry_times=0
    while IFS= read -r entry_line || [ -n "$entry_line" ]; do
        case $entry_line in "$2 "* | "$2$TAB"*) ;; *) continue ;; esac
        trim "${entry_line#"$2"}"
        entry_times=$((entry_times + 1)) ENTRY_VALUE=$TRIMMED
    done 2>/dev/null <"$1"
    [ "$entry_times" -eq 1 ]
}

# Usage: trim TEXT. Without blanks at its ends, in TRIMMED.
trim() {
    TRIMMED=$1
    while :; do
        case $TRIMMED in
            ' '* | "$TAB"*) TRIMMED=${TRIMMED#?} ;;
            *' ' | *"$TAB") TRIMMED=${TRIMMED%?} ;;
            *) return 0 ;;
        esac
    done
}

# Usage: is_plain_id NAME. An entry's name: no number, which GRUB would count by, and nothing that needs quotes.
is_plain_id() {
    case $1 in
        *[!A-Za-z0-9._+~-]* | '') return 1 ;;
        *[!0-9]*) return 0 ;;
        *) return 1 ;;
    esac
}

# Usage: grub_value NAME. One of GRUB's own variables, in GRUB_VALUE.
grub_value() {
    GRUB_VALUE=
    while IFS= read -r grub_line; do
        case $grub_line in "$1="*) GRUB_VALUE=${grub_line#*=} ;; *) ;; esac
    done 2>/dev/null <"$ROOT$GRUB_ENV"
}

# Usage: efi_value NAME. What systemd-boot has left in a variable of the firmware, in EFI_VALUE: after four bytes of
# attributes come characters of two bytes each.
efi_value() {
    EFI_VALUE=$(tail -c +5 "$ROOT$EFI_VARIABLES/$1-$BOOT_CTL" 2>/dev/null | tr -d '\000')
}

# Usage: zipl_value KEY. What zipl.conf gives a key of its section [defaultboot], in ZIPL_VALUE.
zipl_value() {
    ZIPL_VALUE='' zipl_section=''
    while IFS= read -r zipl_line || [ -n "$zipl_line" ]; do
        trim "$zipl_line"
        case $zipl_section:$TRIMMED in
            *:'['*']') zipl_section=$TRIMMED ;;
            "[defaultboot]:$1") ZIPL_VALUE=$1 ;;
            "[defaultboot]:$1 "*=* | "[defaultboot]:$1="*)
                trim "${TRIMMED#*=}"
                ZIPL_VALUE=$TRIMMED
                ;;
            *) ;;
        esac
    done 2>/dev/null <"$ROOT$ZIPL_CONF"
    case $ZIPL_VALUE in \"*\" | \'*\') ZIPL_VALUE=${ZIPL_VALUE#?} ZIPL_VALUE=${ZIPL_VALUE%?} ;; *) ;; esac
}

# Which loader boots this machine: LOADER, the directory of its ENTRIES, its DEFAULT entry; else WHY_NOT.
find_loader() {
    LOADER='' DEFAULT='' WHY_NOT='' ENTRIES=/boot/loader/entries
    efi_value LoaderInfo
    if [ -d "$ROOT/sys/firmware/opal" ]; then
        WHY_NOT='Petitboot starts this machine: it keeps its own order of entries'
    elif [ -L "$ROOT/boot/loader" ]; then
        WHY_NOT='/boot/loader is a link: ostree writes the entries'
    elif [ "${EFI_VALUE#systemd-boot}" != "$EFI_VALUE" ]; then
        find_systemd_boot
    elif [ -f "$ROOT$ZIPL_CONF" ] && [ ! -f "$ROOT/boot/grub2/grub.cfg" ]; then
        find_zipl
    else
        find_grub
    fi
    [ -z "$WHY_NOT" ]
}

find_grub() {
    LOADER=grub find_cfg=''
    [ -d "$ROOT$ENTRIES" ] || WHY_NOT="no $ENTRIES"
    for find_file in "$ROOT/boot/grub2/grub.cfg" "$ROOT"/boot/efi/EFI/*/grub.cfg; do
        grep '^[[:space:]]*blscfg[[:space:]]*$' "$find_file" >/dev/null 2>&1 || continue
        find_cfg=1
        grep -F "$BY_NAME" "$find_file" >/dev/null ||
            WHY_NOT="${find_file#"$ROOT"} does not choose the default by name"
    done
    [ -n "$find_cfg" ] || WHY_NOT="${WHY_NOT:-no grub.cfg reads $ENTRIES (blscfg)}"
    grub_value saved_entry
    DEFAULT=$GRUB_VALUE
    { is_plain_id "$DEFAULT" && [ -f "$ROOT$ENTRIES/$DEFAULT.conf" ]; } ||
        WHY_NOT=${WHY_NOT:-"saved_entry of $GRUB_ENV names no existing entry, so the default depends on their order"}
}

# zipl calls an entry by its title.
find_zipl() {
    LOADER=zipl find_title=''
    zipl_value default
    [ ! -e "$ROOT/run/zipl/zipl.conf" ] || WHY_NOT='/run/zipl/zipl.conf is read in the place of /etc/zipl.conf'
    for find_file in "$ROOT$ENTRIES"/*.conf; do
        { entry_key "$find_file" title && [ "$ENTRY_VALUE" = "$ZIPL_VALUE" ]; } || continue
        [ -z "$DEFAULT" ] || find_title=several
        DEFAULT=${find_file##*/}
        DEFAULT=${DEFAULT%.conf}
    done
    { [ -n "$DEFAULT" ] && [ -z "$find_title" ]; } ||
        WHY_NOT=${WHY_NOT:-"default= of $ZIPL_CONF names no entry of $ENTRIES, so the default depends on their order"}
    zipl_value defaultauto
    [ -n "$ZIPL_VALUE" ] || WHY_NOT=${WHY_NOT:-"no defaultauto in $ZIPL_CONF: its menu has no entries of $ENTRIES"}
    own_program zipl || WHY_NOT=${WHY_NOT:-'zipl was not found'}
}

# Its default may be a pattern, which an entry of ours does not fit.
find_systemd_boot() {
    LOADER=systemd-boot ENTRIES=''
    efi_value LoaderEntrySelected
    for find_file in /efi /boot/efi /boot; do
        { is_plain_id "$EFI_VALUE" && [ -f "$ROOT$find_file/loader/entries/$EFI_VALUE" ]; } || continue
        [ -z "$ENTRIES" ] || WHY_NOT="$EFI_VALUE lies in several places"
        ENTRIES=$find_file/loader/entries
    done
    BOOTED_NAME=$EFI_VALUE
    [ -n "$ENTRIES" ] || WHY_NOT='systemd-boot started no entry of a file'
    systemd_boot_default
    case $DEFAULT in
        '' | @*) WHY_NOT=${WHY_NOT:-'systemd-boot has no default by name, so the default depends on the order of the entries'} ;;
        *) find_systemd_boot_default ;;
    esac
}

# The default by name, without the end of its file's, must be an entry that is there.
find_systemd_boot_default() {
    DEFAULT=${DEFAULT%.conf} find_fits=''
    for find_file in "$ROOT$ENTRIES"/*.conf; do
        ! fits_default "${find_file##*/}" || find_fits=1
    done
    [ -n "$find_fits" ] || WHY_NOT=${WHY_NOT:-"the default of systemd-boot, $DEFAULT, is none of $ENTRIES"}
}

# Usage: fits_default FILE. Whether systemd-boot would take the entry for its default, which may be a pattern.
fits_default() {
    # shellcheck disable=SC2254 # a pattern, on purpose
    case ${1%.conf} in
        $DEFAULT) return 0 ;;
        *) return 1 ;;
    esac
}

# The variable wins over loader.conf.
systemd_boot_default() {
    efi_value LoaderEntryDefault
    DEFAULT=$EFI_VALUE
    for default_file in /efi /boot/efi /boot; do
        if [ -z "$DEFAULT" ] && entry_key "$ROOT$default_file/loader/loader.conf" default; then
            DEFAULT=$ENTRY_VALUE
        fi
    done
}

# Usage: chosen_by ENTRY. Who has chosen it to be booted, in CHOSEN, with the way out; fails where nobody has.
chosen_by() {
    CHOSEN=
    case $LOADER in
        grub)
            for chosen_name in saved_entry next_entry; do
                grub_value "$chosen_name"
                [ "$GRUB_VALUE" != "$1" ] ||
                    CHOSEN="$chosen_name of $GRUB_ENV (grub2-set-default or grub2-reboot chooses another one)"
            done
            ;;
        zipl)
            zipl_value default
            ! entry_key "$ROOT$ENTRIES/$1.conf" title || [ "$ZIPL_VALUE" != "$ENTRY_VALUE" ] ||
                CHOSEN="default= of $ZIPL_CONF (name another one there)"
            ;;
        *) chosen_by_systemd_boot "$1" ;;
    esac
    [ -n "$CHOSEN" ]
}

chosen_by_systemd_boot() {
    systemd_boot_default
    [ "${DEFAULT%.conf}" != "$1" ] || CHOSEN='the default of systemd-boot (bootctl set-default chooses another one)'
    efi_value LoaderEntryOneShot
    [ "${EFI_VALUE%.conf}" != "$1" ] || CHOSEN='the next boot (bootctl set-oneshot chooses another one)'
}

# Usage: renew_loader. zipl boots what it wrote down when it last ran; other loaders read their entries at the boot.
renew_loader() {
    [ "$LOADER" = zipl ] || return 0
    renew_said=$(umask 022 && zipl 2>&1) && return 0
    complain "  zipl: $renew_said"
    return 1
}

# Usage: tell_how ENTRY. How it is booted, for nobody does that by himself.
tell_how() {
    case $LOADER in
        grub) say "Once, at the next boot: grub2-reboot $1   For good, afterwards: grub2-set-default $1" ;;
        zipl) say "Once: choose it in the boot menu. For good, afterwards: name its title as default= in $ZIPL_CONF, run zipl." ;;
        *) say "Once, at the next boot: bootctl set-oneshot $1.conf   For good, afterwards: bootctl set-default $1.conf" ;;
    esac
}
