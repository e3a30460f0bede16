// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** Where a {@link Pool} stands. */
public enum PoolState {
    /** It takes tasks, whether its workers were started already or not. */
    RUNNING,
    /** {@link Pool#shutdown()} was called: it takes no more tasks and finishes those it has. */
    DRAINING,
    /** {@link Pool#terminate()} was called, or too many starts failed: workers are being ended. */
    TERMINATING,
    /** No task is pending and no worker is left. Final. */
    TERMINATED
}
