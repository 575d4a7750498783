# shellcheck shell=dash disable=SC2034 # the scripts and the parts beside this one read its variables
# By which numbers a server is called unhealthy, and how often that is wrong. docs/guard.md has the same in a table.
#
# The baseline has 12 intervals, and what is compared of the window at least 12. Of each measure a value is counted as
# worse if it is worse than all but one of the baseline's and at least twice as bad as the baseline's median. Five of six
# intervals must be. A measure is compared only where 10 intervals of both sides have it.
#
# Where nothing has changed, every order of the values is equally likely. Of n values before and m after, the k + 1 worst
# then have at most one of those before with the chance  (C(m, k+1) + n C(m, k)) / C(n+m, k+1).  At n = m = 10, k = 9 this
# is 101 / 184756 = 0.055 %, and less for all greater n and m. There are 5 measures and 2 looks: 0.55 % at most, whatever
# their distributions. That a value must also be twice as bad as the median only takes away from it.

# Intervals of the baseline; as many at the beginning of the window are not compared, for caches fill.
GUARD_SPANS=12
# Fewer statements than these in an interval tell nothing of their time.
GUARD_WORK=20
# Where fewer sessions than this are at work, on the mean of all looks, its clients decide how much a server does.
GUARD_BUSY=0.5
# Of this much swapping out nothing is heard: KiB a second, in so many intervals one after the other.
GUARD_SWAP_RATE=1024
GUARD_SWAP_SPANS=3
# How long a standby may take to come back.
GUARD_STANDBY_SECONDS=30

# Reads lines of  SIDE CLOCK NUMBERS  (b before, w after the change; - for what is not known), checked before. With
# look=trouble it prints what must be reverted at once, if anything; with look=first or look=last lines of
# WORD TEXT: line for people, and one of unhealthy, undecided, healthy.
# Fields: 2 clock (1/100 s), 3 commits, 4 rollbacks, 5 deadlocks, 6 temporary bytes, 7 blocks read, 8 time (us), 9 calls,
# 10 WAL bytes, 11 checkpoints, 12 standbys, 13 sessions at work, 14 of them waiting for locks, 15 for storage,
# 16 pages swapped in, 17 out, 18 processes killed for memory on the host, 19 in the server's control group,
# 20 available memory (kB), 21 swap used (kB), 22 to 24 pressure on memory, storage, processors (1/100 %).
# shellcheck disable=SC2016 # the program's own
GUARD_RULE='
function rise(side, at, field,   before, after) {
    before = v[side, at, field]; after = v[side, at + 1, field]
    if (before == "-" || after == "-" || before == "" || after == "") return -1
    if (after + 0 < before + 0) { again[side] = 1; return -1 }
    return after - before
}
function seconds(side, at) { return rise(side, at, 2) / 100 }
function done_in(side, at,   commits, rollbacks) {
    commits = rise(side, at, 3); rollbacks = rise(side, at, 4)
    return commits < 0 || rollbacks < 0 ? -1 : commits + rollbacks
}
function rate(side, at, field, unit,   by) {
    by = rise(side, at, field)
    return by < 0 || seconds(side, at) <= 0 ? -1 : by / unit / seconds(side, at)
}
function per(by, whole, least) { return by < 0 || whole < least || whole <= 0 ? -1 : by / whole }
function level(side, at, field, unit,   is) {
    is = v[side, at + 1, field]
    return is == "-" || is == "" ? -1 : is / unit
}
function value(measure, side, at) {
    if (measure == "time") return per(rise(side, at, 8) / 1000, rise(side, at, 9), work)
    if (measure == "throughput") return per(done_in(side, at), seconds(side, at), 0)
    if (measure == "rollbacks") return per(1000 * rise(side, at, 4), done_in(side, at), work)
    if (measure == "deadlocks") return rate(side, at, 5, 1 / 60)
    if (measure == "pressure") return level(side, at, 22, 100)
    if (measure == "reads") return per(rise(side, at, 7), done_in(side, at), work)
    if (measure == "sessions") return level(side, at, 13, 1)
    if (measure == "locks") return level(side, at, 14, 1)
    if (measure == "storage") return level(side, at, 15, 1)
    if (measure == "temporary") return rate(side, at, 6, 1048576)
    if (measure == "wal") return rate(side, at, 10, 1048576)
    if (measure == "checkpoints") return rate(side, at, 11, 1 / 60)
    if (measure == "swapin") return rate(side, at, 16, 1024 / page)
    if (measure == "swapout") return rate(side, at, 17, 1024 / page)
    if (measure == "available") return level(side, at, 20, 1024)
    if (measure == "swap") return level(side, at, 21, 1024)
    if (measure == "iopressure") return level(side, at, 23, 100)
    return level(side, at, 24, 100)
}
# The values of a measure in order, the worst last, in s[side, 1..]; how many in size[side].
function sorted(measure, side, from, to, sign,   at, is, low) {
    size[side] = 0
    for (at = from; at <= to; at++) {
        is = value(measure, side, at)
        if (is < 0) continue
        for (low = size[side]++; low >= 1 && sign * s[side, low] > sign * is; low--) s[side, low + 1] = s[side, low]
        s[side, low + 1] = is
    }
}
function middle(side,   half) {
    half = int((size[side] + 1) / 2)
    return (s[side, half] + s[side, size[side] + 1 - half]) / 2
}
function mean(measure, side, from, to,   at, is, sum, n) {
    for (at = from; at <= to; at++) if ((is = value(measure, side, at)) >= 0) { sum += is; n++ }
    return n ? sum / n : -1
}
# Compares a measure: 1 worse, 0 not, -1 not compared. sign 1: more is worse; least: by how much, at least.
function worse(measure, sign, least,   bound, usual, at) {
    sorted(measure, "b", 1, spans["b"], sign)
    sorted(measure, "w", from, to, sign)
    if (size["b"] < 10 || size["w"] < 10) return -1
    bound = s["b", size["b"] - 1]; usual = middle("b"); hits = 0
    for (at = 1; at <= size["w"]; at++) {
        if (sign * s["w", at] <= sign * bound) continue
        if (sign > 0 ? s["w", at] >= 2 * usual && s["w", at] >= usual + least : 2 * s["w", at] <= usual) hits++
    }
    became = middle("w")
    return hits * 6 >= size["w"] * 5
}
function number(is) { return sprintf(is < 10 ? "%.2f" : is < 100 ? "%.1f" : "%.0f", is) }
function both(unit) { return number(middle("b")) unit " -> " number(middle("w")) unit }
function add(text, more) { return text == "" ? more : text "; " more }
# Usage: judge(measure, name, unit, sign, least). Its line, and what follows.
function judge(measure, name, unit, sign, least,   is) {
    is = worse(measure, sign, least)
    if (is < 0) {
        missing = missing (missing == "" ? "" : ", ") name
        return -1
    }
    print "line " name " " both(unit)
    if (is) because[measure] = name " " both(unit) " in " hits " of " size["w"] " intervals"
    return is
}
function show(measure, name, unit) {
    sorted(measure, "b", 1, spans["b"], 1)
    sorted(measure, "w", from, to, 1)
    if (!size["b"] || !size["w"]) { missing = missing (missing == "" ? "" : ", ") name; return }
    print "line " name " " both(unit) " (not judged)"
}
function trouble(   at, last, usual, since, is, n) {
    n = count["w"]
    last = v["b", count["b"], 18]
    if (count["b"] && last != "-" && n && v["w", n, 18] != "-" && v["b", 1, 18] == last && v["w", n, 18] + 0 > last + 0) {
        is = v["w", n, 18] - last
        print "the kernel killed " (is == 1 ? "a process" : is " processes") " for want of memory, none before"
        return
    }
    for (at = 1; at < n; at++) if (rise("w", at, 19) > 0) {
        print "the kernel killed a process of the server\047s control group for want of memory"
        return
    }
    usual = -1
    for (at = 1; at <= count["b"]; at++) {
        is = v["b", at, 12]
        if (is != "-" && (usual < 0 || is + 0 < usual)) usual = is + 0
    }
    since = ""
    for (at = 1; at <= n; at++) {
        is = v["w", at, 12]
        if (is == "-") continue
        if (is + 0 >= usual) since = ""
        else if (since == "") since = v["w", at, 2]
        if (since != "" && v["w", at, 2] - since >= 100 * standby) {
            print "replication: " is " streaming, " usual " before, for " standby " s"
            return
        }
    }
    for (at = 1; at < count["b"]; at++) {
        is = value("swapout", "b", at)
        if (is < 0 || is >= swap) return
    }
    if (count["b"] < 2) return
    since = 0
    for (at = 1; at < n; at++) {
        is = value("swapout", "w", at)
        since = is >= swap ? since + 1 : 0
        if (since >= swapping) {
            print "memory is swapped out: " number(is) " KiB/s, less than " swap " KiB/s before"
            return
        }
    }
}
function decide(   slow, few, cold, at_work, less, why, open) {
    slow = judge("time", timed, " ms", 1, 0)
    few = judge("throughput", "transactions", "/s", -1, 0)
    if (few >= 0 && s["b", 1] >= 0 && (middle("b") * seconds("b", 1) < work || mean("sessions", "b", 1, spans["b"]) < 0)) {
        few = -1; because["throughput"] = ""; missing = missing (missing == "" ? "" : ", ") "transactions (too little work)"
    }
    at_work = mean("sessions", "w", from, to)
    if (few > 0 && (at_work < busy || at_work < 0.75 * mean("sessions", "b", 1, spans["b"]))) {
        less = because["throughput"] ", with " (at_work < busy ? "hardly a session" : "fewer sessions")
        less = less " at work: less may be asked of it"
        because["throughput"] = ""
    }
    if (judge("rollbacks", "rollbacks in 1000 transactions", "", 1, 50) > 0) why = because["rollbacks"]
    if (judge("deadlocks", "deadlocks", "/min", 1, 1) > 0) why = add(why, because["deadlocks"])
    if (judge("pressure", "time lost for want of memory", " %", 1, 20) > 0) why = add(why, because["pressure"])
    cold = fresh && worse("reads", 1, 0) > 0
    open = less
    if (because["time"] != "") { if (cold) open = add(open, because["time"]); else why = add(why, because["time"]) }
    if (because["throughput"] != "") {
        if (cold) open = add(open, because["throughput"]); else why = add(why, because["throughput"])
    }
    if (cold && open != less) open = open ", but it was restarted and reads at least twice as much: its cache may be cold"
    if (slow < 0 && few < 0) {
        open = add(open, "neither time nor transactions could be compared: too little work, counters that are missing" \
            (again["b"] || again["w"] ? ", or were reset meanwhile" : ""))
    }
    if (look == "last") {
        show("sessions", "sessions at work", ""); show("locks", "waiting for locks", "")
        show("storage", "waiting for storage", ""); show("temporary", "temporary files", " MiB/s")
        show("wal", "WAL", " MiB/s"); show("checkpoints", "checkpoints", "/min")
        show("swapin", "swapped in", " KiB/s"); show("swapout", "swapped out", " KiB/s")
        show("available", "memory available", " MiB"); show("swap", "swap used", " MiB")
        show("iopressure", "time lost waiting for storage", " %"); show("cpupressure", "time lost waiting for processors", " %")
        if (missing != "") print "line not compared: " missing
    }
    if (why != "") print "unhealthy " why
    else if (open != "") print "undecided " open
    else print "healthy"
}
{
    at = ++count[$1]
    for (field = 2; field <= 24; field++) v[$1, at, field] = $field
}
END {
    spans["b"] = count["b"] - 1; spans["w"] = count["w"] - 1
    if (look == "trouble") { trouble(); exit }
    from = look == "first" ? base + 1 : int(spans["w"] / 2) + 1
    to = look == "first" ? 2 * base : spans["w"]
    decide()
}
'

# Usage: guard_judge LOOK. Over the samples, in JUDGED.
guard_judge() {
    JUDGED=$(printf '%s' "$GUARD_SAMPLES" | awk -v look="$1" -v page="$GUARD_PAGE" -v base="$GUARD_SPANS" \
        -v work="$GUARD_WORK" -v busy="$GUARD_BUSY" -v swap="$GUARD_SWAP_RATE" -v swapping="$GUARD_SWAP_SPANS" \
        -v standby="$GUARD_STANDBY_SECONDS" -v timed="time per $GUARD_TIMED" -v fresh="$GUARD_RESTARTED" "$GUARD_RULE")
}
