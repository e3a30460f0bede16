// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.ErrorCode;
import io.aeron.exceptions.RegistrationException;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportException.Kind;

/** Says in this SPI's terms what a driver refused. */
final class Refusals {

    private Refusals() {}

    static TransportException translate(String what, RuntimeException refusal) {
        boolean isSpace = refusal instanceof RegistrationException registration
                && registration.errorCode() == ErrorCode.STORAGE_SPACE;
        return new TransportException(
                isSpace ? Kind.NO_ROOM : Kind.INTERNAL, what + ": " + refusal.getMessage(), refusal);
    }
}
