# SPDX-License-Identifier: Apache-2.0
#
# Sourced by dev/docker/up, dev/docker/engine and dev/docker/down: names, places and small tools.

say() {
    echo "[docker] $*"
}

fail() {
    local status=$1
    shift
    echo "[docker] $*" >&2
    exit "$status"
}

number=${TEST_DOCKER_NUMBER:-0}
[[ "$number" =~ ^[0-9]$ ]] || fail 2 "TEST_DOCKER_NUMBER is '$number'; expected one digit."
suffix=${number#0}
state=${TEST_DOCKER_STATE:-/var/tmp/fiber-docker$suffix}
cache=${TEST_DOCKER_CACHE:-/var/tmp/fiber-docker-cache}
tls=$state/tls
namespace=fiber-docker$suffix
network=fiber
image=fiber-test:jre
bare_image=fiber-test:bare
export DOCKER_HOST=unix://$state/docker.sock
# Neither the caller's contexts nor his logins.
export DOCKER_CONFIG=$state/config

source "$(dirname "${BASH_SOURCE[0]}")/../processes.sh"

docker_answers() {
    timeout 5 docker version
}

# Not 'ip netns exec', which hides the control groups.
start_engine() {
    setsid "${first_served[@]}" nsenter --net="/run/netns/$namespace" dockerd --config-file "$state/daemon.json" -H "$DOCKER_HOST" \
        -H tcp://127.0.0.1:2376 --tlsverify --tlscacert "$tls/ca.pem" --tlscert "$tls/server-cert.pem" \
        --tlskey "$tls/server-key.pem" \
        --data-root "$state/data" --exec-root "$state/exec" --pidfile "$state/docker.pid" --storage-driver overlay2 \
        </dev/null >>"$state/log" 2>&1 &
    disown
    await 30 docker_answers || fail 4 "dockerd does not answer; see $state/log"
    say "dockerd runs ($(pid_in "$state/docker.pid")) in the namespace $namespace"
}
