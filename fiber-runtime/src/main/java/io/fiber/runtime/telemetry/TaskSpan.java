// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

/** The time that one task runs. Belongs to the thread that runs it. */
public interface TaskSpan {

    /** A span that is not recorded. */
    TaskSpan NOT_RECORDED = new TaskSpan() {
        @Override
        public void returned() {
            // Not recorded.
        }

        @Override
        public void threw(Throwable thrown) {
            // Not recorded.
        }
    };

    /** The task has returned; the last call. */
    void returned();

    /** The task has thrown; the last call. */
    void threw(Throwable thrown);
}
