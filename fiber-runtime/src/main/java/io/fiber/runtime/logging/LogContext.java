// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

/** Names the worker in SLF4J's context of a thread, so that the records of the program's own loggers can include it. */
public final class LogContext {

    /** The name by which a pattern finds the worker: {@code %X{fiber.process}}. */
    private static final String KEY = "fiber.process";

    private LogContext() {}

    /**
     * Names the process in the SLF4J context of the calling thread, if SLF4J is on the class path of its loader. It
     * starts the program's logging if nothing has started it yet, so it is called when a task is about to run and not
     * before.
     */
    public static void enter(String process) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            Class.forName("org.slf4j.MDC", true, loader == null ? ClassLoader.getSystemClassLoader() : loader)
                    .getMethod("put", String.class, String.class)
                    .invoke(null, KEY, process);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // There is no SLF4J, or none that works; records have the name of their thread.
        }
    }
}
