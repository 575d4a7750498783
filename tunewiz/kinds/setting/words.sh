# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# Values of settings as people write them.

# Usage: words_of NAME VALUE. In WORDS: a whole number with the unit that the running server has for it, in the largest
# unit that leaves it whole; everything else as it is.
words_of() {
    WORDS=$2
    case $2 in '' | 0 | *[!0-9]*) return 0 ;; esac
    [ -n "$POSTMASTER" ] || return 0
    WORDS=$(ask "SELECT value / size || larger FROM (SELECT $2::bigint * scale AS value, kind FROM pg_settings
        JOIN (VALUES ('B', 1, 'm'), ('kB', 1024, 'm'), ('4kB', 4096, 'm'), ('8kB', 8192, 'm'), ('16kB', 16384, 'm'),
            ('32kB', 32768, 'm'), ('MB', 1048576, 'm'), ('16MB', 16777216, 'm'), ('ms', 1, 't'), ('s', 1000, 't'),
            ('min', 60000, 't')) AS units (unit, scale, kind) USING (unit) WHERE name = '$1') AS here
        JOIN (VALUES ('B', 1::bigint, 'm'), ('kB', 1024, 'm'), ('MB', 1048576, 'm'), ('GB', 1073741824, 'm'),
            ('TB', 1099511627776, 'm'), ('ms', 1, 't'), ('s', 1000, 't'), ('min', 60000, 't'), ('h', 3600000, 't'),
            ('d', 86400000, 't')) AS shown (larger, size, kind) USING (kind)
        WHERE value % size = 0 ORDER BY size DESC LIMIT 1" 2>/dev/null) || true
    WORDS=${WORDS:-$2}
}
