// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Callable} that travels to another process. What it captures must be serializable. It runs on a thread of the
 * worker, on a copy of the captured values. If it throws, the exception reaches the caller as the cause of a {@link
 * io.fiber.RemoteTaskException}.
 *
 * @param <R> type of the result; must be serializable
 */
@FunctionalInterface
public interface RemoteCallable<R extends @Nullable Object> extends Callable<R>, Serializable {}
