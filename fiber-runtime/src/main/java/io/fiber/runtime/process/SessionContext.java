// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.RemoteFailure;
import io.fiber.runtime.serialization.ValueName;
import java.util.concurrent.Executor;

/**
 * What callers' threads need from their session. Thread-safe.
 *
 * @param callbacks reads results of futures and completes them
 * @param budget limits the arguments of unanswered tasks
 * @param process gives access to objects of other processes, with their codecs and seals
 */
public record SessionContext(
        Conductor conductor,
        Codecs codecs,
        Seals seals,
        Executor blocking,
        Executor callbacks,
        SubmissionBudget budget,
        ProcessContext process) {

    /**
     * Serializes a function and seals it.
     *
     * @throws io.fiber.SerializationException as {@link io.fiber.runtime.serialization.ValueCodec#write} throws it
     */
    public SealedPayload sealFunction(Object function, ValueName name) {
        PayloadOutput out = new PayloadOutput();
        codecs.values().writeFunction(function, out, name);
        return seals.close(out.toPayload());
    }

    /**
     * Reads the failure that a process has sent.
     *
     * @param damaged error text for a failure that cannot be opened
     * @throws io.fiber.SerializationException FBR-206 if it is damaged
     */
    public RemoteFailure readFailure(SealedPayload failure, String damaged) {
        return codecs.failures().read(seals.read(failure, damaged));
    }
}
