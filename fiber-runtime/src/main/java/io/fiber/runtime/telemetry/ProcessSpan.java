// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

/** The time from the submission of a process's job to the process's end. Belongs to one thread at a time. */
public interface ProcessSpan {

    /** A process that is not recorded. */
    ProcessSpan NOT_RECORDED = new ProcessSpan() {
        @Override
        public void ready() {
            // Not recorded.
        }

        @Override
        public void end(End end) {
            // Not recorded.
        }
    };

    /**
     * How a life ended.
     *
     * @param jobId its job as the platform names it; empty when there was none
     * @param state name of the final state
     * @param cause one line for a person
     */
    record End(String jobId, String state, String cause) {}

    /** The process is ready for work. */
    void ready();

    /** The process has ended; the last call. */
    void end(End end);
}
