// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

/** The time that one task runs. Belongs to the thread that runs it. */
public interface TaskSpan {

    /** A run that nobody records. */
    TaskSpan NOT_RECORDED = new TaskSpan() {
        @Override
        public void returned() {
            // Nobody asks.
        }

        @Override
        public void threw(Throwable thrown) {
            // Nobody asks.
        }
    };

    /** The task has returned; the last call. */
    void returned();

    /** The task has thrown; the last call. */
    void threw(Throwable thrown);
}
