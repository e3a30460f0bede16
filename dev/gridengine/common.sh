# SPDX-License-Identifier: Apache-2.0
#
# Sourced by dev/gridengine/up and dev/gridengine/down: names, places and small tools.

say() {
    echo "[gridengine] $*"
}

fail() {
    local status=$1
    shift
    echo "[gridengine] $*" >&2
    exit "$status"
}

state=${TEST_GRIDENGINE_STATE:-/var/tmp/fiber-gridengine}
admin=sgeadmin
user=${TEST_GRIDENGINE_USER:-fiber-gridengine}
export SGE_ROOT=$state/root
export SGE_CELL=default
export SGE_QMASTER_PORT=${TEST_GRIDENGINE_PORT:-16444}
export SGE_EXECD_PORT=$((SGE_QMASTER_PORT + 1))
common=$SGE_ROOT/$SGE_CELL/common
master_pid=$state/qmaster/qmaster.pid
execd_pid=$state/execd.pid

source "$(dirname "${BASH_SOURCE[0]}")/../processes.sh"

# Debian's places.
programs=/usr/lib/gridengine
tools=/usr/share/gridengine
