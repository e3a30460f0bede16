// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Receives the progress of calls with many tasks, such as {@code map} and {@code imap}.
 *
 * <p>If you set a listener with {@link CallOptions#progress}, it receives the progress of those calls from their first
 * result on. A listener can also be a service on the class path ({@code META-INF/services/io.fiber.ProgressListener}).
 * Then each session creates one, and it receives the progress of every call that lasts longer than two seconds; {@code
 * fiber-progress-bar} is such a service.
 */
@FunctionalInterface
public interface ProgressListener {

    /**
     * Receives a report. It is called when results have arrived, at most ten times a second for each call, and once
     * more at the end of the call. A call returns, its future completes and its stream ends when the listener has
     * returned from the last report, or two seconds later if it has not.
     *
     * <p>Reports of one call come one after the other, with growing figures; reports of different calls may come at the
     * same time. The calling thread belongs to the session and does nothing else, so a slow listener gets fewer reports
     * and delays no task. A listener that throws gets no more reports of that call.
     */
    void onProgress(Progress progress);

    /**
     * Returns whether the listener draws on the program's terminal. If so, and if it is a service, it receives nothing
     * while the setting {@code progress-bar} is {@code false}.
     */
    default boolean drawsOnTerminal() {
        return false;
    }
}
