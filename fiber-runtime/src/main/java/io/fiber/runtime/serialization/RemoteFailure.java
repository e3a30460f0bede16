// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.RemoteTaskException;
import java.util.Optional;

/**
 * An exception from another process.
 *
 * @param type name of the exception's class
 * @param message message of the exception; empty if it had none
 * @param stackTrace what {@link Throwable#printStackTrace()} printed there
 * @param original the exception, if it could be read here
 */
public record RemoteFailure(String type, Optional<String> message, String stackTrace, Optional<Throwable> original) {

    /**
     * Returns the exception for a caller.
     *
     * @param where in words, what threw it: which task in which process
     */
    public RemoteTaskException thrownBy(String where) {
        return thrownBy(where, "");
    }

    /**
     * Returns the exception for a caller.
     *
     * @param where in words, what threw it: which task in which process
     * @param advice the text after the exception, starting with a full stop
     */
    public RemoteTaskException thrownBy(String where, String advice) {
        String threw =
                where + " threw " + type + message.map(text -> ": " + text).orElse("") + advice;
        return new RemoteTaskException(threw, type, stackTrace, original.orElse(null));
    }
}
