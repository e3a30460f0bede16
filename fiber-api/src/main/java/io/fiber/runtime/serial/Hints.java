// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serial;

import io.fiber.Calls;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import java.io.Closeable;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

/** Says what to do about an object that cannot travel. */
final class Hints {

    static final String OWN_CLASS =
            "Let it implement java.io.Serializable, make the field transient, or create it inside the task.";

    static final String LAMBDA = "Use io.fiber.function.RemoteFunction, or cast it to (Function & Serializable).";

    private static final String INSIDE_TASK = "Create it inside the task.";

    private Hints() {}

    /** Returns what to do about an object that is not serializable, a sentence. */
    static String of(ObjectPath.Found found) {
        Object object = found.object();
        Class<?> type = object.getClass();
        if (found.isCapturedThis()) {
            return "The lambda captures `this` (" + Types.name(type) + "), which is not Serializable: "
                    + "copy the field it uses to a local variable.";
        }
        if (found.isOuterObject()) {
            return "An inner class holds the object around it: make it static, a record or a lambda.";
        }
        if (Types.isLambda(type)) {
            return "Use io.fiber.function.RemoteFunction, or cast it to (" + interfaceName(type) + " & Serializable).";
        }
        return type.getName().startsWith("java.") || type.getName().startsWith("sun.")
                ? ofJdk(object)
                : ofProgram(object);
    }

    private static String interfaceName(Class<?> lambda) {
        Class<?>[] interfaces = lambda.getInterfaces();
        return interfaces.length == 0 ? "Function" : interfaces[0].getSimpleName();
    }

    private static String ofJdk(Object object) {
        if (object instanceof List) {
            return "Copy it: new ArrayList<>(list).";
        }
        if (object instanceof Set) {
            return "Copy it: new HashSet<>(set).";
        }
        if (object instanceof Collection) {
            return "Copy it: new ArrayList<>(collection).";
        }
        if (object instanceof Map) {
            return "Copy it: new HashMap<>(map).";
        }
        if (object instanceof Map.Entry) {
            return "Copy it: new AbstractMap.SimpleImmutableEntry<>(entry), or use a record.";
        }
        if (object instanceof Optional || object.getClass().getName().startsWith("java.util.Optional")) {
            return "Send what is in it, or null.";
        }
        if (object instanceof BaseStream || object instanceof Iterator) {
            return "Collect it into a list first.";
        }
        if (object instanceof Path) {
            return "Send path.toString().";
        }
        return ofProgram(object);
    }

    private static String ofProgram(Object object) {
        if (object instanceof Fiber || object instanceof Calls || object instanceof FiberProcess) {
            return "It stays in its process: a task starts its own by Fiber.current().";
        }
        if (object instanceof Thread
                || object instanceof Executor
                || object instanceof Future
                || object instanceof Closeable
                || object instanceof ClassLoader
                || object instanceof ThreadLocal) {
            return INSIDE_TASK;
        }
        return OWN_CLASS;
    }

    /** Returns what to do about a class of the JDK that is not read, without the full stop. */
    static String insteadOf(Class<?> type) {
        return type == URL.class ? "send it as java.net.URI" : "put what it holds into a record of your own";
    }
}
