// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Callable} that travels to another process. What it captures must be serializable; it runs on a thread of the
 * worker, on a copy of what was captured. The caller gets what it throws as the cause of a
 * {@link io.fiber.RemoteTaskException}.
 *
 * @param <R> what it returns; must be serializable
 */
@FunctionalInterface
public interface RemoteCallable<R extends @Nullable Object> extends Callable<R>, Serializable {}
