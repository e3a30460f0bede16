// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;

/**
 * One call, as its host sees it. Not thread-safe; belongs to the conductor. Other threads answer through {@link
 * io.fiber.runtime.eventloop.Conductor#execute}. Answers after the caller has given up are dropped.
 */
public interface ServiceCall {

    ProcessPath caller();

    /** Returns the request; its body is sealed with the seals of this process. */
    Request request();

    /**
     * Ends the call with success.
     *
     * @throws IllegalStateException if it has been answered
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
     * @throws IllegalStateException if it has been answered
     */
    void fail(SealedPayload encodedFailure);

    /**
     * Runs an action in the conductor once the caller gives up, or is gone, before an answer; at once if it already
     * has.
     */
    void onAbandoned(Runnable then);
}
