// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.function.RemoteFunction;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An object of the program, on which functions run or the methods of an interface are called. */
@SuppressWarnings({"unchecked", "NullAway"}) // arguments are what the caller sends
final class OwnTarget implements Target {

    private final Object object;
    private final @Nullable SharedMethods methods;

    /** Hosts an object with the interface whose methods can be called; null if only functions run. */
    OwnTarget(Object object, @Nullable Class<?> type) {
        this.object = object;
        this.methods = type == null ? null : SharedMethods.of(type);
    }

    @Override
    public @Nullable Object call(ObjectOperation operation, @Nullable Object[] arguments) throws Throwable {
        if (operation == ObjectOperation.CALL) {
            return ((RemoteFunction<Object, Object>) arguments[0]).apply(object);
        }
        if (operation != ObjectOperation.INVOKE || methods == null) {
            throw Target.unknown(operation);
        }
        try {
            return methods.method((String) arguments[0])
                    .invoke(object, Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
