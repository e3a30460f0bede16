// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether objects of a class are functions, and where such a function holds captured functions. Immutable.
 *
 * @param capturing the fields of a lambda that may hold a function; null if they are closed to us
 */
record FunctionShape(boolean isFunction, @Nullable List<Field> capturing) {

    private static final ClassValue<FunctionShape> SHAPES = new ClassValue<>() {
        @Override
        protected FunctionShape computeValue(Class<?> type) {
            boolean isFunction = type.isHidden()
                    || FunctionResources.Carrier.class.isAssignableFrom(type)
                    || isOfFunctionInterface(type);
            return new FunctionShape(isFunction, type.isHidden() ? capturing(type) : List.of());
        }
    };

    static FunctionShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    private static boolean isOfFunctionInterface(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Class<?> implemented : each.getInterfaces()) {
                if (implemented.getName().startsWith("io.fiber.function.") || isOfFunctionInterface(implemented)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static @Nullable List<Field> capturing(Class<?> lambda) {
        List<Field> fields = new ArrayList<>();
        for (Field field : lambda.getDeclaredFields()) {
            if (mayHoldFunction(field.getType())) {
                if (!field.trySetAccessible()) {
                    return null;
                }
                fields.add(field);
            }
        }
        return List.copyOf(fields);
    }

    /**
     * Returns whether a field may hold a function. A lambda's class has no name, and no class can extend a final one.
     */
    private static boolean mayHoldFunction(Class<?> type) {
        boolean isFinal = Modifier.isFinal(type.getModifiers()) || type.isPrimitive() || type.isArray();
        return !isFinal || isOfFunctionInterface(type);
    }

    /** Returns the functions that a function captured. */
    List<Object> functionsIn(Object function) {
        if (function instanceof FunctionResources.Carrier carrier) {
            return List.of(carrier.carried());
        }
        if (capturing == null) {
            return functionsByForm(function);
        }
        List<Object> functions = List.of();
        for (Field field : capturing) {
            Object captured = valueOf(field, function);
            if (captured != null && of(captured.getClass()).isFunction()) {
                functions = functions.isEmpty() ? new ArrayList<>() : functions;
                functions.add(captured);
            }
        }
        return functions;
    }

    private static @Nullable Object valueOf(Field field, Object function) {
        try {
            return field.get(function);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field + " was open.", e);
        }
    }

    /**
     * Returns the captured functions through the serialized form. The JDK may look into lambdas of a package that is
     * closed to us, which takes some microseconds.
     */
    private static List<Object> functionsByForm(Object function) {
        SerializedLambda lambda = ReferencedMethod.lambda(function);
        List<Object> functions = new ArrayList<>();
        for (int i = 0; lambda != null && i < lambda.getCapturedArgCount(); i++) {
            Object captured = lambda.getCapturedArg(i);
            if (captured != null && of(captured.getClass()).isFunction()) {
                functions.add(captured);
            }
        }
        return functions;
    }
}
