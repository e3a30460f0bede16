// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.lang.System.Logger.Level;

/** What is worth knowing only when something is being looked into. Finding a logger is slow, so it is put off. */
final class DebugLog {

    private DebugLog() {}

    static void write(String message, Throwable cause) {
        System.getLogger(DebugLog.class.getPackageName()).log(Level.DEBUG, message, cause);
    }

    static void write(String message) {
        System.getLogger(DebugLog.class.getPackageName()).log(Level.DEBUG, message);
    }
}
