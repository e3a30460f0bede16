// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.lang.reflect.Method;
import java.util.List;

/** Reads the options with which this JVM was started. Stateless and thread-safe. */
public final class JvmArguments {

    private JvmArguments() {}

    /**
     * Returns the options of this JVM in order, one string each: from the command line, argument files, {@code
     * JDK_JAVA_OPTIONS} and {@code JAVA_TOOL_OPTIONS}. Empty if the JVM does not report them.
     *
     * <p>The bean of {@code java.management} has the same list, but that module may be absent, and loading it takes 25
     * to 80 ms. The operating system's command line lacks options from files and variables. So the bean is used only
     * where {@link AgronaAccess} has not opened the package to Fiber.
     */
    public static List<String> read() {
        try {
            return List.of((String[]) Class.forName("jdk.internal.misc.VM")
                    .getMethod("getRuntimeArguments")
                    .invoke(null));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return ofBean();
        }
    }

    private static List<String> ofBean() {
        try {
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getRuntimeMXBean")
                    .invoke(null);
            Method arguments =
                    Class.forName("java.lang.management.RuntimeMXBean").getMethod("getInputArguments");
            return ((List<?>) arguments.invoke(bean))
                    .stream().map(String::valueOf).toList();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return List.of();
        }
    }
}
