// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

/** Gives the records of a program's own loggers the name of the process, by SLF4J's context of a thread. */
public final class LogContext {

    /** The name under which a pattern finds the worker: {@code %X{fiber.process}}. */
    private static final String KEY = "fiber.process";

    private LogContext() {}

    /**
     * Names the process in the SLF4J context of the calling thread, if the class path of its loader has SLF4J with a
     * provider. This starts the program's logging unless something has started it already. SLF4J without a provider is left
     * alone: it would print a warning in each worker of a program that logs nothing.
     */
    public static void enter(String process) {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = ofThread == null ? ClassLoader.getSystemClassLoader() : ofThread;
        try {
            if (hasProvider(loader)) {
                Class.forName("org.slf4j.MDC", true, loader)
                        .getMethod("put", String.class, String.class)
                        .invoke(null, KEY, process);
            }
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // Without a working SLF4J a record has the name of its thread, which names the worker.
        }
    }

    private static boolean hasProvider(ClassLoader loader) {
        String service = "org.slf4j.spi.SLF4JServiceProvider";
        if (loader.getResource(service.replace('.', '/') + ".class") == null) {
            // SLF4J before 2.0 links this class by name, and so do its providers.
            return loader.getResource("org/slf4j/impl/StaticMDCBinder.class") != null;
        }
        String named = System.getProperty("slf4j.provider");
        return named == null
                ? loader.getResource("META-INF/services/" + service) != null
                : loader.getResource(named.replace('.', '/') + ".class") != null;
    }
}
