// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** Where a {@link FiberProcess} stands. Final states never change. */
public enum ProcessState {
    /** Made, not submitted; a program never sees it. */
    NEW,
    /** The backend has its job; it waits in the cluster's queue or for its machine. */
    SUBMITTED,
    /** The job runs; the worker in it has not connected. */
    STARTING,
    /** The worker has connected; the program runs. */
    RUNNING,
    /** {@link FiberProcess#terminate()} or {@link FiberProcess#kill()} was called; the end is not confirmed. */
    TERMINATING,
    /** It ended by itself, with an exit code. Final. */
    EXITED,
    /** It never ran its program: rejected, ended before it connected, or the start limit passed. Final. */
    FAILED,
    /** It was ended by {@link FiberProcess#terminate()} or {@link FiberProcess#kill()}. Final. */
    TERMINATED,
    /** Its platform, a signal or a time limit ended it, or how it ended is unknown; an exit code may be known. Final. */
    LOST;

    /** Tells whether this state is final. */
    public boolean isFinal() {
        return compareTo(EXITED) >= 0;
    }
}
