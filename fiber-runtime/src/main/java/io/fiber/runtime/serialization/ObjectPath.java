// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.platform.Types;
import java.io.Externalizable;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches an object graph, in the way of serialization, for the object that cannot be serialized. The search is
 * breadth-first, so it returns a shortest path. It looks at no more than 100,000 objects, and skips what it may not
 * open.
 */
final class ObjectPath {

    private static final int GREATEST_COUNT = 100_000;

    private final Deque<Node> open = new ArrayDeque<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private ObjectPath() {}

    /**
     * An object and how it was reached.
     *
     * @param step empty for the replacement that an object provides for itself
     */
    record Node(Object object, @Nullable Node parent, String step) {

        /** Returns the position as the continuation of a sentence; empty for the root. */
        String place() {
            List<String> steps = new ArrayList<>();
            for (Node at = this; at.parent() != null; at = at.parent()) {
                if (!at.step().isEmpty()) {
                    steps.add(0, at.step());
                }
            }
            return steps.isEmpty() ? "" : "; found at " + String.join(" > ", steps);
        }

        /** Returns whether this is the captured {@code this} of the method around a lambda. */
        boolean isCapturedThis() {
            return isCalledBy(ObjectPath::isLambdaBody);
        }

        /** Returns whether this is the object to which a method reference is bound. */
        boolean isReceiver() {
            return isCalledBy(reference -> !isLambdaBody(reference));
        }

        private boolean isCalledBy(Predicate<SerializedLambda> form) {
            return parent != null
                    && parent.object() instanceof SerializedLambda lambda
                    && form.test(lambda)
                    && lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic
                    && lambda.getCapturedArg(0) == object;
        }

        /** Returns whether this is the object around an inner class. */
        boolean isOuterObject() {
            return parent != null && step.contains(".this$");
        }
    }

    /** Returns the nearest object of a class that is not serializable; null if it is not found. */
    static @Nullable Node find(Object root, String className) {
        return find(
                root,
                object -> !(object instanceof Serializable)
                        && object.getClass().getName().equals(className));
    }

    /** Returns the nearest object of exactly this class; null if it is not found. */
    static @Nullable Node findInstance(Object root, Class<?> type) {
        return find(root, object -> object.getClass() == type);
    }

    private static @Nullable Node find(Object root, Predicate<Object> isMeant) {
        ObjectPath path = new ObjectPath();
        path.add(root, null, "");
        for (Node node = path.open.poll(); node != null; node = path.open.poll()) {
            Object object = node.object();
            if (isMeant.test(object)) {
                return node;
            }
            if (object instanceof Serializable) {
                path.expand(node);
            }
        }
        return null;
    }

    /**
     * Adds the objects that an object refers to. The program's code may throw anything here; then the search continues
     * elsewhere.
     */
    private void expand(Node node) {
        try {
            Object object = node.object();
            if (object instanceof SerializedLambda lambda) {
                expandLambda(lambda, node);
            } else if (object instanceof Object[] elements) {
                expandElements(Arrays.asList(elements), node);
            } else if (!(object instanceof Externalizable || object instanceof Enum || object instanceof Class)) {
                expandObject(object, node);
            }
        } catch (Exception | LinkageError | StackOverflowError closed) {
            return;
        }
    }

    private void expandObject(Object object, Node node) throws ReflectiveOperationException {
        Object replacement = replacement(object);
        if (replacement != null && replacement != object) {
            add(replacement, node, "");
            return;
        }
        expandContainer(object, node);
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            ObjectStreamClass description = Types.isOfJdk(type) ? null : ObjectStreamClass.lookup(type);
            if (description != null) {
                expandFields(object, description, node);
            }
        }
    }

    private void expandFields(Object object, ObjectStreamClass description, Node node) {
        Class<?> type = description.forClass();
        for (ObjectStreamField field : description.getFields()) {
            if (!field.isPrimitive()) {
                String name = field.getName();
                add(value(object, type, name), node, "field " + type.getTypeName() + "." + name);
            }
        }
    }

    /**
     * Adds the content of a container. The fields of the JDK's classes are closed, so the content is read from outside.
     */
    private void expandContainer(Object object, Node node) {
        if (!Types.isOfJdk(object.getClass())
                && !Types.isOfJdk(object.getClass().getSuperclass())) {
            return;
        }
        String name = object.getClass().getTypeName();
        if (object instanceof SortedSet<?> sorted) {
            add(sorted.comparator(), node, "the comparator of " + name);
        } else if (object instanceof SortedMap<?, ?> sorted) {
            add(sorted.comparator(), node, "the comparator of " + name);
        }
        if (object instanceof Collection<?> elements) {
            expandElements(elements, node);
        } else if (object instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                add(entry.getKey(), node, "a key of " + name);
                add(entry.getValue(), node, "a value of " + name);
            }
        } else if (object instanceof Map.Entry<?, ?> entry) {
            add(entry.getKey(), node, "the key of " + name);
            add(entry.getValue(), node, "the value of " + name);
        } else if (object instanceof AtomicReference<?> reference) {
            add(reference.get(), node, "the content of " + name);
        } else if (object instanceof Throwable thrown) {
            add(thrown.getCause(), node, "the cause of " + name);
            for (Throwable suppressed : thrown.getSuppressed()) {
                add(suppressed, node, "suppressed by " + name);
            }
        }
    }

    private void expandElements(Collection<?> elements, Node node) {
        String name = node.object().getClass().getTypeName();
        int index = 0;
        for (Object element : elements) {
            add(element, node, "element " + index++ + " of " + name);
            if (seen.size() >= GREATEST_COUNT) {
                return;
            }
        }
    }

    private void expandLambda(SerializedLambda lambda, Node node) {
        for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
            Object captured = lambda.getCapturedArg(i);
            if (captured != null) {
                String type = Types.name(captured.getClass());
                add(captured, node, "captured argument " + i + " (type " + type + ") of " + describe(lambda));
            }
        }
    }

    private void add(@Nullable Object object, @Nullable Node parent, String step) {
        if (object != null && !(object instanceof String) && seen.size() < GREATEST_COUNT && seen.add(object)) {
            open.add(new Node(object, parent, step));
        }
    }

    private static String describe(SerializedLambda lambda) {
        String host = lambda.getCapturingClass().replace('/', '.');
        if (!isLambdaBody(lambda)) {
            return "the method reference " + lambda.getImplClass().replace('/', '.') + "::" + lambda.getImplMethodName()
                    + " in " + host;
        }
        String[] parts = lambda.getImplMethodName().split("\\$", 0);
        return "a lambda in " + host + "." + (parts.length > 1 ? parts[1] : parts[0]);
    }

    private static boolean isLambdaBody(SerializedLambda lambda) {
        return lambda.getImplMethodName().startsWith("lambda$");
    }

    private static @Nullable Object value(Object object, Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException | RuntimeException closed) {
            return null;
        }
    }

    /** Returns the replacement that an object provides for itself; null if it provides none. */
    private static @Nullable Object replacement(Object object) throws ReflectiveOperationException {
        for (Class<?> type = object.getClass(); type != null && !Types.isOfJdk(type); type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals("writeReplace") && method.getParameterCount() == 0) {
                    method.setAccessible(true);
                    return method.invoke(object);
                }
            }
        }
        return null;
    }
}
