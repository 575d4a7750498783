# shellcheck shell=dash disable=SC2016,SC2034,SC2154 # the dollar signs are sed's; other parts read the variables
# What a second boot entry depends on: names and titles of entries, and which one is the default.

boot_loader() {
    there /boot /sys/firmware/opal /run/zipl/zipl.conf
    link /boot/loader
    for each in /efi /boot/efi /boot; do
        names_in "$each/loader/entries"
        whole "$each/loader/loader.conf" '/^default[[:space:]]/!d'
    done
    for each in "$ROOT"/boot/loader/entries/*.conf; do whole "${each#"$ROOT"}" '/^title[[:space:]]/!d'; done
    names_in /boot/efi/EFI
    for each in "$ROOT"/boot/grub2/grub.cfg "$ROOT"/boot/efi/EFI/*/grub.cfg; do
        whole "${each#"$ROOT"}" '/^[[:space:]]*blscfg[[:space:]]*$\|set default="${saved_entry}"/!d'
    done
    whole /boot/grub2/grubenv '/^saved_entry=/!d'
    whole /etc/zipl.conf '/^[[:space:]]*\[\|^[[:space:]]*default/!d'
    have od || return 0
    for each in LoaderInfo LoaderEntrySelected LoaderEntryDefault; do
        each=/sys/firmware/efi/efivars/$each-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f
        [ -r "$ROOT$each" ] || continue
        say "B $each"
        od -An -v -tx1 "$ROOT$each" 2>/dev/null
    done
}
