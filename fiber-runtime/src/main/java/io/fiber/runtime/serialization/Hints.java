// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.TaskRunner;
import java.net.URL;
import java.security.CodeSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says what to do about an object that cannot travel. */
final class Hints {

    private static final String OWN_CLASS =
            "Let it implement java.io.Serializable, make the field transient, or create it inside the task.";

    private static final String METHOD_REFERENCE =
            "A method reference of this form captures the object: make the method static, or let the class implement"
                    + " java.io.Serializable.";

    private Hints() {}

    /** Returns what to do about an object that is not serializable, a sentence. */
    static String of(ObjectPath.Node found) {
        Class<?> type = found.object().getClass();
        if (found.isCapturedThis()) {
            return "The lambda captures `this` (" + Types.name(type) + "), which is not Serializable: "
                    + "copy the field it uses to a local variable, or make the method that it calls static.";
        }
        if (found.isOuterObject()) {
            return "An inner class holds the object around it: make it static, a record or a lambda.";
        }
        if (Types.isLambda(type)) {
            Class<?>[] interfaces = type.getInterfaces();
            return ofLambda(interfaces.length == 0 ? "Function" : interfaces[0].getSimpleName());
        }
        return ofClass(type, found);
    }

    /** Returns what to do about an object of which only the class's name is known, somewhere in a value. */
    static String of(String name, @Nullable Object value) {
        if (Types.isLambda(name)) {
            return ofLambda("Function");
        }
        try {
            ClassLoader loader = value == null ? null : value.getClass().getClassLoader();
            ClassLoader known = loader == null ? Thread.currentThread().getContextClassLoader() : loader;
            return ofClass(Class.forName(name, false, known), null);
        } catch (ClassNotFoundException | LinkageError e) {
            return OWN_CLASS;
        }
    }

    private static String ofLambda(String interfaceName) {
        return "Use io.fiber.function.RemoteFunction, or cast it to (" + interfaceName + " & Serializable).";
    }

    private static String ofClass(Class<?> type, ObjectPath.@Nullable Node found) {
        if (Fiber.class.isAssignableFrom(type)
                || TaskRunner.class.isAssignableFrom(type)
                || FiberProcess.class.isAssignableFrom(type)) {
            return "It stays in its process: a task starts its own by Fiber.current().";
        }
        if (Types.isOfJdk(type)) {
            return JdkHints.of(type);
        }
        if (JdkHints.staysInItsProcess(type)) {
            return JdkHints.INSIDE_TASK;
        }
        if (JdkHints.isLogger(type)) {
            return JdkHints.LOGGER;
        }
        return foreignJar(type, found)
                .map(Hints::ofLibrary)
                .orElse(found != null && found.isReceiver() ? METHOD_REFERENCE : OWN_CLASS);
    }

    private static String ofLibrary(String jar) {
        return "Its class is in " + jar + ": if you cannot change that, send what it is made from and create it inside "
                + "the task, or make the field transient. If you can, let it implement java.io.Serializable.";
    }

    /** Returns the name of the jar of a class, unless a class of the program that holds the object is in there too. */
    private static Optional<String> foreignJar(Class<?> type, ObjectPath.@Nullable Node found) {
        Optional<String> jar = location(type).filter(place -> place.endsWith(".jar"));
        for (ObjectPath.Node at = found == null ? null : found.parent(); at != null; at = at.parent()) {
            if (location(at.object().getClass()).equals(jar)) {
                return Optional.empty();
            }
        }
        return jar.map(place -> place.substring(place.lastIndexOf('/') + 1));
    }

    private static Optional<String> location(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL url = source == null ? null : source.getLocation();
        return url == null ? Optional.empty() : Optional.of(url.getPath());
    }

    /** Returns what to do about a class of the JDK that is not read, without the full stop. */
    static String insteadOf(Class<?> type) {
        return type == URL.class ? "send it as java.net.URI" : "put what it holds into a record of your own";
    }
}
