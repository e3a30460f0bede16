// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The methods of a shared interface by the signatures that name them on the wire. Thread-safe. */
public final class SharedMethods {

    private static final ClassValue<SharedMethods> OF_TYPE = new ClassValue<>() {
        @Override
        protected SharedMethods computeValue(Class<?> type) {
            return new SharedMethods(type);
        }
    };

    private final Class<?> type;
    private final Map<String, Method> bySignature = new HashMap<>();
    private final Map<Method, String> signatures = new HashMap<>();

    private SharedMethods(Class<?> type) {
        this.type = type;
        for (Method method : type.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                String signature = method.getName()
                        + MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                .toMethodDescriptorString();
                signatures.put(method, signature);
                // An interface of another package need not be public.
                method.trySetAccessible();
                bySignature.put(signature, method);
            }
        }
    }

    public static SharedMethods of(Class<?> type) {
        return OF_TYPE.get(type);
    }

    public String signature(Method method) {
        return Objects.requireNonNull(signatures.get(method), method::toString);
    }

    Method method(String signature) {
        Method method = bySignature.get(signature);
        if (method == null) {
            throw new UnsupportedOperationException("FBR-436 " + type.getName() + " has no method " + signature
                    + " in the process that holds the object. Run the same version of this type in both processes.");
        }
        return method;
    }
}
