// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A program of one argument that travels to another process and returns nothing. What it captures must be serializable; it
 * runs on a copy of what was captured.
 *
 * @param <T> what it takes
 */
@FunctionalInterface
public interface RemoteConsumer<T extends @Nullable Object> extends Serializable {

    /**
     * Runs the program.
     *
     * @throws Exception whatever went wrong; the caller gets it as a cause
     */
    void accept(T argument) throws Exception;
}
