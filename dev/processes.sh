# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the programs below dev/docker, dev/gridengine, dev/kubernetes and dev/slurm, which define say: processes known by a file with their number.

# "${first_served[@]}" COMMAND...: a daemon that has a machine of its own elsewhere gets processors before the programs under test, where
# this kernel groups processes by session. What it starts in sessions of their own does not.
first_served=(sh -c '{ echo -10 >/proc/self/autogroup; } 2>/dev/null; exec "$@"' sh)

# serve_first PID: the same for one that has made its session already.
serve_first() {
    { echo -10 >"/proc/$1/autogroup"; } 2>/dev/null || true
}

# A control group gets processors as one session does, however many jobs are in it: this is the share of eight sessions.
readonly group_shares=8192

# A process that has ended and was not yet waited for counts as gone.
is_alive() {
    local status
    [[ -r /proc/$1/stat ]] && status=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) && [[ "$status" != [ZX]* ]]
}

# is_program PID NAME: whether this process runs an executable of that name.
is_program() {
    [[ -n "$1" ]] && is_alive "$1" && [[ "$(basename "$(readlink "/proc/$1/exe" 2>/dev/null)")" == "$2"* ]]
}

pid_in() {
    [[ -s "$1" ]] && tr -d ' \n' <"$1"
}

# await SECONDS COMMAND...
await() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || return 1
        sleep 0.1
    done
}

remove_group() {
    find "$1" -depth -type d -exec rmdir {} + 2>/dev/null && [[ ! -d "$1" ]]
}

# remove_groups GROUP...: control groups and those below them, of which the processes have ended.
remove_groups() {
    local group left=0
    for group in "$@"; do
        if [[ -d "$group" ]] && ! await 5 remove_group "$group"; then
            say "the control group $group is left"
            left=1
        fi
    done
    return "$left"
}

# stop NAME PID_FILE [SECONDS]: asks, waits, kills; only when the process of the file is that program.
stop() {
    local name=$1 pid end
    pid=$(pid_in "$2") || return 0
    if is_program "$pid" "$name"; then
        kill -TERM "$pid"
        end=$((SECONDS + ${3:-10}))
        while is_alive "$pid" && ((SECONDS < end)); do
            sleep 0.1
        done
        if is_alive "$pid"; then
            kill -KILL "$pid"
            sleep 0.3
        fi
        if is_alive "$pid"; then
            say "$name ($pid) cannot be stopped"
            return 1
        fi
        say "stopped $name ($pid)"
    fi
    rm -f "$2"
}
