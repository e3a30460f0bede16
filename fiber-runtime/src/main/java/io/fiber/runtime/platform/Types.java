// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

/** Names classes as source code does. */
public final class Types {

    private static final String LAMBDA = "$$Lambda";

    private Types() {}

    public static boolean isLambda(String name) {
        return name.contains(LAMBDA);
    }

    public static boolean isLambda(Class<?> type) {
        return type.isSynthetic() && type.getName().contains(LAMBDA);
    }

    /** Returns whether a class belongs to the JDK, even if the program's loader has loaded it. */
    public static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        String module = type.getModule().getName();
        return loader == null
                || loader == ClassLoader.getPlatformClassLoader()
                || (module != null && (module.startsWith("java.") || module.startsWith("jdk.")));
    }

    /** Returns the element type of arrays; any other type is returned as it is. */
    public static Class<?> element(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element;
    }

    /** Returns the readable name for a class name. */
    public static String name(String name) {
        return isLambda(name) ? "a lambda in " + host(name) : name;
    }

    public static String name(Class<?> type) {
        if (!isLambda(type)) {
            return type.getTypeName();
        }
        Class<?>[] interfaces = type.getInterfaces();
        return "a " + (interfaces.length == 0 ? "function" : interfaces[0].getTypeName()) + " (lambda in "
                + host(type.getName()) + ")";
    }

    private static String host(String lambda) {
        return lambda.substring(0, lambda.indexOf(LAMBDA));
    }
}
