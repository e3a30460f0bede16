// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import io.fiber.runtime.platform.Types;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The name of a function in errors: {@code com.acme.Model::score}, {@code a lambda in com.acme.Main.main}, or its
 * class. It does not refer to the function. Thread-safe.
 */
public final class FunctionName {

    /** The method of each class of functions, so that it is looked up once. */
    private static final ClassValue<AtomicReference<FunctionName>> BY_CLASS = new ClassValue<>() {
        @Override
        protected AtomicReference<FunctionName> computeValue(Class<?> type) {
            return new AtomicReference<>();
        }
    };

    /** The prefix that the compiler gives to the methods of lambdas. */
    private static final String LAMBDA = "lambda$";

    private final Class<?> type;
    private final Optional<Method> method;
    /** Cached by {@link FunctionResources#of}; null until it is asked. */
    volatile @Nullable FunctionResources needs;

    private FunctionName(Class<?> type, Optional<Method> method) {
        this.type = type;
        this.method = method;
    }

    /** Returns the name of a function of the program, even if a function of Fiber's carries it. */
    public static FunctionName of(Object function) {
        if (function instanceof FunctionResources.Carrier carrier) {
            return of(carrier.carried());
        }
        Class<?> type = function.getClass();
        AtomicReference<FunctionName> known = BY_CLASS.get(type);
        FunctionName found = known.get();
        if (found == null) {
            found = new FunctionName(type, ReferencedMethod.of(function));
            known.set(found);
        }
        return found;
    }

    Class<?> type() {
        return type;
    }

    /** Returns the method to which the function refers, or the method with the body of its lambda. */
    Optional<Method> method() {
        return method;
    }

    @Override
    public String toString() {
        if (method.isPresent()) {
            String holder = method.get().getDeclaringClass().getName();
            String name = method.get().getName();
            return method.get().isSynthetic() ? "a lambda in " + holder + around(name) : holder + "::" + name;
        }
        return Types.name(type.getName());
    }

    /** Returns the method in which a lambda was written; empty for a lambda of a field or a constructor. */
    private static String around(String lambda) {
        int end = lambda.indexOf('$', LAMBDA.length());
        String name = lambda.startsWith(LAMBDA) && end > 0 ? lambda.substring(LAMBDA.length(), end) : "";
        return name.isEmpty() || name.equals("new") || name.equals("static") ? "" : "." + name;
    }
}
