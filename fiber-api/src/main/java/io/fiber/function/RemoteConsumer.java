// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A function of one argument that travels to another process and returns nothing. What it captures must be
 * serializable. It runs on a copy of the captured values.
 *
 * @param <T> type of the argument
 */
@FunctionalInterface
public interface RemoteConsumer<T extends @Nullable Object> extends Serializable {

    /**
     * Runs the function.
     *
     * @throws Exception anything; the caller gets it as a cause
     */
    void accept(T argument) throws Exception;
}
