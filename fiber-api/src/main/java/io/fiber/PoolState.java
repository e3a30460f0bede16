// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** The state of a {@link Pool}. */
public enum PoolState {
    /** The pool accepts tasks. Its workers may or may not be started. */
    RUNNING,
    /** {@link Pool#shutdown()} was called. The pool rejects new tasks and finishes those it has. */
    DRAINING,
    /** {@link Pool#shutdownNow()} was called, or too many starts failed. The workers are being ended. */
    TERMINATING,
    /** No task is pending and no worker is left. Final. */
    TERMINATED
}
