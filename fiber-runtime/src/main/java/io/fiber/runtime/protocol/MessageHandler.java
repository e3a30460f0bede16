// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/** Takes messages that have arrived whole. */
@FunctionalInterface
public interface MessageHandler {

    /** Takes one message; it is valid only during the call. */
    void onMessage(Message message);
}
