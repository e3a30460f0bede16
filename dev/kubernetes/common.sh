# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the programs beside it: names, places and small tools.

say() {
    echo "[kubernetes] $*"
}

fail() {
    local status=$1
    shift
    echo "[kubernetes] $*" >&2
    exit "$status"
}

number=${TEST_KUBERNETES_NUMBER:-0}
[[ "$number" =~ ^[0-9]$ ]] || fail 2 "TEST_KUBERNETES_NUMBER is '$number'; expected one digit."
suffix=${number#0}
state=${TEST_KUBERNETES_STATE:-/var/tmp/fiber-kubernetes$suffix}
cache=${TEST_KUBERNETES_CACHE:-/var/tmp/fiber-kubernetes-cache}
version=1.20.2
binaries=$cache/$version
programs=(kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl)
namespace=fiber-kubernetes$suffix
# Numbers of no other cluster: each has network namespaces of its own. The addresses are the same everywhere.
services=10.97
pods=10.244
api=$services.0.1
registry=localhost:5000
gpus=2
image=fiber-test:jre
bare_image=fiber-test:bare
pki=$state/pki
export KUBECONFIG=$state/kubeconfig

source "$(dirname "${BASH_SOURCE[0]}")/../processes.sh"

binaries_are_there() {
    local program
    for program in "${programs[@]}"; do
        [[ -x "$binaries/$program" ]] || return 1
    done
}

# inside COMMAND...: in the network namespace of the cluster. Not 'ip netns exec', which hides the control groups.
inside() {
    nsenter --net="/run/netns/$namespace" "$@"
}

kubectl() {
    inside "$binaries/kubectl" --request-timeout=20s "$@"
}

# start NAME COMMAND...: a daemon of the control plane.
start() {
    local name=$1
    shift
    # Not by 'inside', so that the number is that of the program.
    nsenter --net="/run/netns/$namespace" setsid "${first_served[@]}" "$@" </dev/null >>"$state/log/$name.log" 2>&1 &
    echo $! >"$state/$name.pid"
    disown
}

api_answers() {
    kubectl get --raw /readyz
}

start_api_server() {
    start kube-apiserver "$state/kube-apiserver"
    await 60 api_answers || fail 4 "The API server is not ready; see $state/log/kube-apiserver.log"
}

node_address() {
    echo "$pods.$1.1"
}

# The first process in the namespaces of a node.
first_process_of() {
    local pid
    pid=$(pid_in "$state/node$1/namespaces.pid") && awk '{ print $1 }' "/proc/$pid/task/$pid/children" 2>/dev/null
}

# in_node NUMBER COMMAND...
in_node() {
    local pid
    pid=$(first_process_of "$1")
    shift
    [[ -n "$pid" ]] && nsenter --target "$pid" --net --mount --pid "$@"
}

# The kubelet writes its number as the node sees it.
start_kubelet() {
    in_node "$1" setsid "${first_served[@]}" "$state/node$1/kubelet" </dev/null >>"$state/log/kubelet$1.log" 2>&1 &
    disown
}

kubelet_answers() {
    inside curl -sf "http://127.0.0.1:$((10300 + $1))/healthz"
}

node_is() {
    [[ "$(kubectl get node "node-$1" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}')" == "$2" ]]
}

containers_answer() {
    in_node "$1" ctr -a "$state/node$1/containerd.sock" version
}

start_node() {
    nsenter --net="/run/netns/$namespace" setsid "${first_served[@]}" \
        unshare --mount --pid --fork --mount-proc --kill-child=SIGKILL "$state/node$1/run" </dev/null >>"$state/log/node$1.log" 2>&1 &
    echo $! >"$state/node$1/namespaces.pid"
    disown
    await 30 containers_answer "$1" || fail 4 "containerd of node-$1 does not answer; see $state/log/containerd$1.log"
}

# end_node NUMBER: the end of its first process ends all others of a node, and with them go its mounts.
end_node() {
    local pid
    pid=$(first_process_of "$1" || true)
    [[ -z "$pid" ]] || kill -KILL "$pid" 2>/dev/null || true
    pid=$(pid_in "$state/node$1/namespaces.pid" || true)
    if is_program "$pid" unshare; then
        await 10 bash -c "! kill -0 $pid" || kill -KILL "$pid" 2>/dev/null || true
    fi
    rm -f "$state/node$1/namespaces.pid"
}

# Debian packages: need_packages NAME...
need_packages() {
    local package missing=()
    for package in "$@"; do
        [[ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || missing+=("$package")
    done
    if ((${#missing[@]} > 0)); then
        fail 3 "Debian packages are missing: apt-get install --no-install-recommends ${missing[*]}"
    fi
}
