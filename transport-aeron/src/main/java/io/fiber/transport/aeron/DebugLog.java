// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.lang.System.Logger.Level;

/** Logs details for debugging. Finding a logger is slow, so this happens only when it is first needed. */
final class DebugLog {

    private DebugLog() {}

    static void write(String message, Throwable cause) {
        System.getLogger(DebugLog.class.getPackageName()).log(Level.DEBUG, message, cause);
    }

    static void write(String message) {
        System.getLogger(DebugLog.class.getPackageName()).log(Level.DEBUG, message);
    }
}
