// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.service;

import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.ProcessPath;

/**
 * One call as its host sees it. Belongs to the conductor; other threads answer by way of
 * {@link io.fiber.runtime.conductor.Conductor#execute}. What is said after the caller has given up goes nowhere.
 */
public interface ServiceCall {

    /** Returns who calls. */
    ProcessPath caller();

    /** Returns what is asked; the body is sealed with the seals of this process. */
    Request request();

    /**
     * Ends the call with success.
     *
     * @throws IllegalStateException when it was answered before
     */
    void answer(long argument, Parcel result);

    /** Ends the call with success. */
    default void answer(Parcel result) {
        answer(0, result);
    }

    /**
     * Ends the call with a failure.
     *
     * @param encodedFailure what a {@link io.fiber.runtime.serial.FailureCodec} wrote
     * @throws IllegalStateException when it was answered before
     */
    void fail(Parcel encodedFailure);

    /** Tells whether the caller has given up, by its own will or because it is gone. */
    boolean isAbandoned();

    /** Has something run by the conductor once the caller gives up; at once when it has. */
    void onAbandoned(Runnable then);
}
