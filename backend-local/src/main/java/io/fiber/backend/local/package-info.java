// SPDX-License-Identifier: Apache-2.0
/**
 * The backend {@code local}: a job is a child process of this JVM.
 *
 * <p>{@link io.fiber.backend.local.LocalBackendProvider} is the way in. Behind it {@code LocalBackend} takes
 * submissions; {@code Launch} turns a spec into a command, or refuses it; {@code LocalJob} is one process from its start
 * to its last event; {@code JobLog} is where its output goes and what is kept of it; {@code ProcessGroups} ends what a
 * job has started.
 *
 * <p>Threads: one for each running job, which waits for its end; two more for a job whose output goes to the console,
 * one where it goes nowhere; and one of the backend, only while it has something to do, which tells the listeners and keeps time.
 */
@NullMarked
package io.fiber.backend.local;

import org.jspecify.annotations.NullMarked;
