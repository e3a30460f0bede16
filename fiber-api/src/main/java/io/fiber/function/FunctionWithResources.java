// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import io.fiber.spi.Resources;
import org.jspecify.annotations.Nullable;

/** A function to which the program has tied its needs; it does what the function does. */
public sealed interface FunctionWithResources {

    /** Returns the function. */
    Object function();

    /** Returns what it needs. */
    Resources resources();

    /** A function of one object. */
    record ToFunction<T extends @Nullable Object, R extends @Nullable Object>(
            RemoteFunction<T, R> function, Resources resources) implements FunctionWithResources, RemoteFunction<T, R> {
        @Override
        public R apply(T item) throws Exception {
            return function.apply(item);
        }
    }

    /** A function of an int. */
    record ToIntFunction<R extends @Nullable Object>(RemoteIntFunction<R> function, Resources resources)
            implements FunctionWithResources, RemoteIntFunction<R> {
        @Override
        public R apply(int item) throws Exception {
            return function.apply(item);
        }
    }

    /** A function of a long. */
    record ToLongFunction<R extends @Nullable Object>(RemoteLongFunction<R> function, Resources resources)
            implements FunctionWithResources, RemoteLongFunction<R> {
        @Override
        public R apply(long item) throws Exception {
            return function.apply(item);
        }
    }

    /** A task with a result. */
    record ToCallable<R extends @Nullable Object>(RemoteCallable<R> function, Resources resources)
            implements FunctionWithResources, RemoteCallable<R> {
        @Override
        public R call() throws Exception {
            return function.call();
        }
    }

    /** A program. */
    record ToRunnable(RemoteRunnable function, Resources resources) implements FunctionWithResources, RemoteRunnable {
        @Override
        public void run() throws Exception {
            function.run();
        }
    }
}
