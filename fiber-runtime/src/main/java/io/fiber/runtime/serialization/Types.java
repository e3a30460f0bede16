// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/** Names classes as a reader of the program knows them. */
public final class Types {

    private static final String LAMBDA = "$$Lambda";

    private Types() {}

    static boolean isLambda(String name) {
        return name.contains(LAMBDA);
    }

    static boolean isLambda(Class<?> type) {
        return type.isSynthetic() && type.getName().contains(LAMBDA);
    }

    /** Returns whether a class is the JDK's, also one that the loader of the program has loaded. */
    public static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        String module = type.getModule().getName();
        return loader == null
                || loader == ClassLoader.getPlatformClassLoader()
                || (module != null && (module.startsWith("java.") || module.startsWith("jdk.")));
    }

    /** Returns what the arrays of a type have for elements; a type that is no array, itself. */
    static Class<?> element(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element;
    }

    /** Returns the name for a class that is known by its name alone. */
    static String name(String name) {
        return isLambda(name) ? "a lambda in " + host(name) : name;
    }

    static String name(Class<?> type) {
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
