// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.util.Optional;

/**
 * What a task has thrown in another process.
 *
 * @param typeName the class of the exception
 * @param message its message, cut to 64 KiB; empty when it has none
 * @param stackTrace what {@link Throwable#printStackTrace()} prints there, with causes and suppressed, cut to 64 KiB
 * @param original the exception itself; empty when it could not be serialized there, or its class is missing or not allowed
 *     here
 */
public record RemoteFailure(
        String typeName, Optional<String> message, String stackTrace, Optional<Throwable> original) {}
