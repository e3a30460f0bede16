// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What errors call a function: {@code com.acme.Model::score}, {@code a lambda in com.acme.Main.main}, or its class. It does
 * not hold the function. Thread-safe.
 */
public final class FunctionName {

    /** Functions of a class have the method behind them in common, so that it is looked for once. */
    private static final ClassValue<AtomicReference<FunctionName>> BY_CLASS = new ClassValue<>() {
        @Override
        protected AtomicReference<FunctionName> computeValue(Class<?> type) {
            return new AtomicReference<>();
        }
    };

    /** What the compiler begins the name of a lambda's method with. */
    private static final String LAMBDA = "lambda$";

    private final Class<?> type;
    private final Optional<Method> method;
    /** Kept here by {@link FunctionResources#of}; null as long as it was not asked. */
    volatile @Nullable FunctionResources needs;

    private FunctionName(Class<?> type, Optional<Method> method) {
        this.type = type;
        this.method = method;
    }

    /** Returns the name of a function of the program, also when a function of Fiber's carries it. */
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

    /** Returns the method that the function refers to, or that has the body of its lambda. */
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

    /** Returns the method in which a lambda was written; nothing for one of a field or a constructor. */
    private static String around(String lambda) {
        int end = lambda.indexOf('$', LAMBDA.length());
        String name = lambda.startsWith(LAMBDA) && end > 0 ? lambda.substring(LAMBDA.length(), end) : "";
        return name.isEmpty() || name.equals("new") || name.equals("static") ? "" : "." + name;
    }
}
