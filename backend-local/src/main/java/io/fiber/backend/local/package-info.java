// SPDX-License-Identifier: Apache-2.0
/**
 * The backend {@code local}, whose jobs are child processes of this JVM.
 *
 * <p>{@link io.fiber.backend.local.LocalBackendProvider} is the entry point. {@code LocalBackend} receives submissions.
 * {@code Launch} converts a spec into a command or rejects it. {@code LocalJob} is a process from its start to its last
 * event. {@code JobLog} is the destination of its output, and {@code ProcessGroups} ends what a job has started. {@code
 * GpuQueue} holds jobs back until there are {@code Gpus} for them, which {@code GpuClaims} shares with other programs.
 *
 * <p>Threads: each running job has one that waits for its end. If its output goes to the console, it has two more; if
 * it goes nowhere, one more. The backend has one thread, only while there is something to do, which calls the listeners
 * and keeps time.
 */
@NullMarked
package io.fiber.backend.local;

import org.jspecify.annotations.NullMarked;
