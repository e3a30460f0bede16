// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Hears how far calls of many tasks ({@code map}, {@code imap} and their kin) have come.
 *
 * <p>Named by {@link CallOptions#progress}, it hears of its calls from their first result on. As a service on the
 * class path ({@code META-INF/services/io.fiber.ProgressListener}) it is made once for each session and hears of
 * every call that has lasted two seconds; {@code fiber-progress-bar} is such a one.
 */
@FunctionalInterface
public interface ProgressListener {

    /**
     * Takes the news. Called when results have arrived, for one call at most ten times in a second, and once more at its end.
     * The news of one call come one after the other, with growing figures; those of several calls may come at the same time.
     * It is called by a thread of the session that has nothing else to do meanwhile: a slow listener is told less often and
     * delays no task. A call returns, its future is completed and its stream ends when the listener has returned from the last
     * news, or two seconds later when it has not. One that throws hears no more of that call.
     */
    void onProgress(Progress progress);

    /**
     * Returns whether it draws on the program's terminal. Such a service hears nothing if the setting {@code progress-bar} is
     * {@code false}.
     */
    default boolean drawsOnTerminal() {
        return false;
    }
}
