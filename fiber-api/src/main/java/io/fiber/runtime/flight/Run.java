// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.flight;

/** The time that one task runs. Belongs to the thread that runs it. */
public interface Run {

    /** A run that nobody records. */
    Run NOT_RECORDED = new Run() {
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
