# SPDX-License-Identifier: Apache-2.0
#
# Sourced by dev/slurm/up and dev/slurm/down: names, places and small tools. Each cluster has a mode and a directory of its own.

say() {
    echo "[slurm $mode] $*"
}

fail() {
    local status=$1
    shift
    echo "[slurm ${mode:-?}] $*" >&2
    exit "$status"
}

# set_mode simple|accounting|namespaces|site: sets everything that depends on the mode.
set_mode() {
    mode=$1
    user=${TEST_SLURM_USER:-fiber-slurm}
    number=${TEST_SLURM_NUMBER:-0}
    [[ "$number" =~ ^[0-9]$ ]] || return 1
    local suffix=${number#0}
    state=${TEST_SLURM_STATE:-/var/tmp/fiber-slurm$suffix}/$mode
    nodes=4
    cpus=4
    cores=$cpus
    memory_mb=4000
    gpus=2
    gpu_type=
    network=${TEST_SLURM_NETWORK:-10.199.$((83 + number))}
    bridge=fiber-slurm$number
    link=fibslurm$suffix${suffix:+-}
    namespace=fiber-slurm$suffix-
    workstation=${namespace}workstation
    # The names differ, because Slurm names control groups by the node alone.
    node_prefix=$mode$suffix-
    case "$mode" in
        simple)
            controller=127.0.0.1
            controller_port=$((16817 + 100 * number))
            ;;
        namespaces)
            controller=$network.1
            controller_port=$((26817 + 100 * number))
            ;;
        accounting)
            controller=127.0.0.1
            controller_port=$((36817 + 100 * number))
            accounts_port=$((controller_port + 40))
            database_port=$((controller_port + 41))
            second_port=$((controller_port + 60))
            ;;
        site)
            controller=127.0.0.1
            controller_port=$((46817 + 100 * number))
            nodes=2
            cpus=8
            cores=4
            gpu_type=a100
            ;;
        *) return 1 ;;
    esac
    # A cluster of one node beside the first one, known to the same slurmdbd.
    second=$state/second
    second_node=${node_prefix}second
    ssh=$state/ssh
    ssh_port=$((controller_port + 50))
    export SLURM_CONF=$state/slurm.conf
}

source "$(dirname "${BASH_SOURCE[0]}")/../processes.sh"

# The process that is number 1 inside the namespaces of a node.
first_process_of() {
    local pid
    pid=$(pid_in "$state/namespace.$1.pid") && awk '{ print $1 }' "/proc/$pid/task/$pid/children" 2>/dev/null
}

# start_node NUMBER: starts slurmd of a node, in namespaces of its own where the mode is so.
start_node() {
    local node=$node_prefix$1
    mkdir -p "$state/spool/$node"
    if [[ "$mode" != namespaces ]]; then
        slurmd -N "$node" -f "$SLURM_CONF"
    else
        nsenter --net="/run/netns/$namespace$1" unshare --mount --uts --ipc --pid --fork --mount-proc \
            --kill-child=SIGKILL setsid "$state/node" "$node" </dev/null >>"$state/log/node.$node.log" 2>&1 &
        echo $! >"$state/namespace.$node.pid"
        disown
    fi
    await 10 test -s "$state/slurmd.$node.pid" || fail 4 "slurmd of $node did not start; see $state/log/slurmd.$node.log"
}

# end_node NAME: ends everything that runs in the namespaces of a node.
end_node() {
    local pid
    pid=$(first_process_of "$1" || true)
    # The end of its first process ends all others of a pid namespace.
    [[ -z "$pid" ]] || kill -KILL "$pid" 2>/dev/null || true
    pid=$(pid_in "$state/namespace.$1.pid" || true)
    if is_program "$pid" unshare; then
        await 5 bash -c "! kill -0 $pid" || kill -KILL "$pid" 2>/dev/null || true
    fi
    rm -f "$state/namespace.$1.pid" "$state/slurmd.$1.pid"
}

node_address() {
    echo "$network.$((10 + $1))"
}
