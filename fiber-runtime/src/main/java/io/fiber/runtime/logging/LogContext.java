// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

/** What the records of a program's own loggers can say of the process: SLF4J's context of a thread names the worker. */
public final class LogContext {

    /** The name under which a pattern finds the worker: {@code %X{fiber.process}}. */
    private static final String KEY = "fiber.process";

    private LogContext() {}

    /**
     * Names the process in the SLF4J context of the calling thread, when SLF4J is on the class path of its loader. It starts
     * the program's logging, if nothing has started it yet, so it is called when a task is about to run and not before.
     */
    public static void enter(String process) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            Class.forName("org.slf4j.MDC", true, loader == null ? ClassLoader.getSystemClassLoader() : loader)
                    .getMethod("put", String.class, String.class)
                    .invoke(null, KEY, process);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // There is no SLF4J, or none that works: a record has the name of its thread.
        }
    }
}
