// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.shared.host.ObjectOperation;
import io.fiber.runtime.shared.host.SharedMethods;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Calls the methods of a shared object at its host. Thread-safe. */
record SharedHandler(Class<?> type, RemoteObject remote) implements InvocationHandler, Serializable {

    static <T> T proxy(Class<T> type, RemoteObject remote) {
        ClassLoader loader = type.getClassLoader();
        return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, new SharedHandler(type, remote)));
    }

    @Override
    @SuppressWarnings("NullAway") // what the method returns, null where it may
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(method, arguments);
        }
        @Nullable Object[] sent = arguments == null ? new @Nullable Object[0] : arguments;
        return remote.callWith(ObjectOperation.INVOKE, SharedMethods.of(type).signature(method), sent);
    }

    /** A handle is equal to others of the same object. */
    private Object ofObject(Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "hashCode" -> remote.address().hashCode();
            case "equals" -> arguments != null && isSame(arguments[0]);
            default -> type.getSimpleName() + " " + remote.address();
        };
    }

    private boolean isSame(@Nullable Object other) {
        return other != null
                && Proxy.isProxyClass(other.getClass())
                && Proxy.getInvocationHandler(other) instanceof SharedHandler handler
                && handler.type == type
                && handler.remote.address().equals(remote.address());
    }
}
