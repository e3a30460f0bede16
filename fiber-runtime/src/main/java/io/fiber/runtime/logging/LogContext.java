// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

/** Gives the records of a program's own loggers the name of the process, by SLF4J's context of a thread. */
public final class LogContext {

    /** The name under which a pattern finds the worker: {@code %X{fiber.process}}. */
    private static final String KEY = "fiber.process";

    private LogContext() {}

    /**
     * Names the process in the SLF4J context of the calling thread, if SLF4J is on the class path of its loader. This starts
     * the program's logging unless something has started it already.
     */
    public static void enter(String process) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            Class.forName("org.slf4j.MDC", true, loader == null ? ClassLoader.getSystemClassLoader() : loader)
                    .getMethod("put", String.class, String.class)
                    .invoke(null, KEY, process);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // Without a working SLF4J a record has the name of its thread, which names the worker.
        }
    }
}
