// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import java.util.concurrent.Executor;

/**
 * The tools of a session that callers' threads use. Thread-safe.
 *
 * @param conductor takes commands
 * @param codecs turns objects into bytes
 * @param seals seals payloads
 * @param blocking runs what waits
 * @param callbacks reads results of futures and completes them
 * @param budget bounds what is submitted and not answered
 * @param process reaches objects of other processes, with the codecs and seals that go with them
 */
public record SessionContext(
        Conductor conductor,
        Codecs codecs,
        Seals seals,
        Executor blocking,
        Executor callbacks,
        SubmissionBudget budget,
        ProcessContext process) {}
