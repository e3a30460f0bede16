// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.util.ServiceLoader;

/** What stands behind {@link System.Logger} in this JVM. */
final class SystemLogging {

    private static final String JUL_MODULE = "java.logging";

    private SystemLogging() {}

    /** Tells whether the user has installed something, or has configured what the JDK has. */
    static boolean isOfUser() {
        return System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null
                || ServiceLoader.load(System.LoggerFinder.class, ClassLoader.getSystemClassLoader()).stream()
                        .findAny()
                        .isPresent();
    }

    /** Tells whether records reach {@code java.util.logging} and the program has not configured it. */
    static boolean isJul() {
        return ModuleLayer.boot().findModule(JUL_MODULE).isPresent() && !isOfUser();
    }
}
