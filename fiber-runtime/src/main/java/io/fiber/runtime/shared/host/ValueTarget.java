// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One value. */
@SuppressWarnings({"unchecked", "NullAway"}) // arguments are what the proxy sends; the value may be null
final class ValueTarget implements Target {

    private @Nullable Object value;

    ValueTarget(@Nullable Object initial) {
        this.value = initial;
    }

    @Override
    public @Nullable Object call(ObjectOperation operation, @Nullable Object[] arguments) {
        Object before = value;
        switch (operation) {
            case GET -> {
                return before;
            }
            case SET, GET_AND_SET -> value = arguments[0];
            case COMPARE_AND_SET -> {
                if (!Objects.equals(before, arguments[0])) {
                    return false;
                }
                value = arguments[1];
                return true;
            }
            case UPDATE_AND_GET, GET_AND_UPDATE -> value = ((UnaryOperator<Object>) arguments[0]).apply(before);
            default -> throw Target.unknown(operation);
        }
        return operation == ObjectOperation.UPDATE_AND_GET ? value : before;
    }
}
