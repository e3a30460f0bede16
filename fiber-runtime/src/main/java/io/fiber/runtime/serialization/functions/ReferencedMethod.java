// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the method of a method reference. Only serialization reveals it: the object's {@code writeReplace} is private,
 * and its package may be closed to us, but an object stream may call it.
 */
final class ReferencedMethod {

    private ReferencedMethod() {}

    /**
     * Returns the method to which a function refers; for a lambda expression, the synthetic method with its body. Empty
     * for any other object.
     */
    static Optional<Method> of(Object function) {
        SerializedLambda lambda = lambda(function);
        return lambda == null
                ? Optional.empty()
                : method(lambda, function.getClass().getClassLoader());
    }

    /** Returns the serialized form of a lambda expression or method reference; null for any other object. */
    static @Nullable SerializedLambda lambda(Object function) {
        return function.getClass().isSynthetic() ? Probe.replacementOf(function) : null;
    }

    static Optional<Method> method(SerializedLambda lambda, @Nullable ClassLoader loader) {
        try {
            Class<?> holder = Class.forName(lambda.getImplClass().replace('/', '.'), false, loader);
            Class<?>[] parameters = MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader)
                    .parameterArray();
            return declared(holder, lambda.getImplMethodName(), parameters);
        } catch (ClassNotFoundException | LinkageError | TypeNotPresentException e) {
            return Optional.empty();
        }
    }

    /** Returns the declared method. A reference may name a subclass of the class that declares the method. */
    static Optional<Method> declared(Class<?> holder, String name, Class<?>[] parameters) {
        for (Class<?> type = holder; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && Arrays.equals(method.getParameterTypes(), parameters)) {
                    return Optional.of(method);
                }
            }
        }
        return Optional.empty();
    }

    static String name(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    /** A stream that writes nothing and keeps the replacement that an object requests for itself. */
    private static final class Probe extends ObjectOutputStream {
        private @Nullable SerializedLambda replacement;

        private Probe() throws IOException {
            super(OutputStream.nullOutputStream());
            enableReplaceObject(true);
        }

        static @Nullable SerializedLambda replacementOf(Object object) {
            try (Probe probe = new Probe()) {
                probe.writeObject(object);
                return probe.replacement;
            } catch (IOException | RuntimeException e) {
                // Any error is reported when the function is sent.
                return null;
            }
        }

        @Override
        protected @Nullable Object replaceObject(Object object) {
            if (object instanceof SerializedLambda lambda) {
                replacement = lambda;
            }
            return null;
        }
    }
}
