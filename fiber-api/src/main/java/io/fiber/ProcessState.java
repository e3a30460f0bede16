// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** The state of a {@link FiberProcess}. A final state never changes. */
public enum ProcessState {
    /** Created but not submitted. Programs never see this state. */
    NEW,
    /** The backend has the job, which waits in the cluster's queue or for its machine. */
    SUBMITTED,
    /** The job runs. The worker in it has not connected. */
    STARTING,
    /** The worker has connected and the program runs. */
    RUNNING,
    /** {@link FiberProcess#terminate()} or {@link FiberProcess#kill()} was called. The end is not confirmed. */
    TERMINATING,
    /** The process ended on its own, with an exit code. Final. */
    EXITED,
    /**
     * The process never ran its program: it was rejected, ended before it connected, or the start limit passed. Final.
     */
    FAILED,
    /** {@link FiberProcess#terminate()} or {@link FiberProcess#kill()} ended the process. Final. */
    TERMINATED,
    /**
     * The platform, a signal or a time limit ended the process, or how it ended is unknown. There may be an exit code;
     * {@link FiberProcess#cause()} says what is known.
     * Final.
     */
    LOST;

    /** Returns whether this state is final. */
    public boolean isFinal() {
        return compareTo(EXITED) >= 0;
    }
}
