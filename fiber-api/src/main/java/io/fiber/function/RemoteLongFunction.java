// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.Resources;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A function of a {@code long} that travels to another process. What it captures must be serializable; it runs on a thread
 * of the worker, on a copy of what was captured.
 *
 * @param <R> what it returns; must be serializable
 */
@FunctionalInterface
public interface RemoteLongFunction<R extends @Nullable Object> extends Serializable {

    /**
     * Runs the task.
     *
     * @param item what the caller gave
     * @throws Exception whatever went wrong; the caller gets it as the cause of a
     *     {@link io.fiber.RemoteTaskException}
     */
    R apply(long item) throws Exception;

    /**
     * Returns a function that does the same and says what it needs of its machine; it comes before {@link io.fiber.Meta}. Not
     * to be overridden.
     *
     * <pre>{@code pool.map(train.needing(Resources.cpus(2)), LongStream.range(0, 10)); }</pre>
     *
     * @param resources what it needs
     */
    default RemoteLongFunction<R> needing(Resources resources) {
        return new FunctionWithResources.ToLongFunction<>(this, requireNonNull(resources, "resources"));
    }
}
