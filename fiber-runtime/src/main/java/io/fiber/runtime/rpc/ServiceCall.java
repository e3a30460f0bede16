// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;

/**
 * One call as its host sees it. Belongs to the conductor; other threads answer by way of
 * {@link io.fiber.runtime.eventloop.Conductor#execute}. What is said after the caller has given up goes nowhere.
 */
public interface ServiceCall {

    ProcessPath caller();

    /** Returns what is asked; the body is sealed with the seals of this process. */
    Request request();

    /**
     * Ends the call with success.
     *
     * @throws IllegalStateException when it was answered before
     */
    void answer(long argument, SealedPayload result);

    /** Ends the call with success. */
    default void answer(SealedPayload result) {
        answer(0, result);
    }

    /**
     * Ends the call with a failure.
     *
     * @param encodedFailure what a {@link io.fiber.runtime.serialization.FailureCodec} wrote
     * @throws IllegalStateException when it was answered before
     */
    void fail(SealedPayload encodedFailure);

    /** Has something run by the conductor once the caller gives up, or is gone, before an answer; at once when it has. */
    void onAbandoned(Runnable then);
}
