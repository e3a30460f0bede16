// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteCallable;

/**
 * A process that hosts objects and answers calls on them with futures, so that one thread keeps many objects busy:
 *
 * <pre>{@code
 * try (AsyncManager envs = fiber.asyncManager()) {
 *     List<AsyncProxy<CartPole>> poles =
 *             Stream.generate(() -> envs.host(CartPole::new)).limit(4).toList();
 *     List<CompletableFuture<Step>> steps =
 *             poles.stream().map(pole -> pole.call(p -> p.step(1))).toList();
 * }
 * }</pre>
 *
 * <p>Objects live as long as the manager. Thread-safe. It ends by {@link #close()} and with its session.
 */
public interface AsyncManager extends AutoCloseable {

    /**
     * Makes an object in the manager's process. Waits until it is there.
     *
     * @param factory runs in the manager's process; what it returns stays there
     * @throws RemoteTaskException what the factory threw
     * @throws SerializationException when the factory cannot be serialized
     * @throws FiberException (FBR-400) when the manager's process is gone
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    <T> AsyncProxy<T> host(RemoteCallable<? extends T> factory);

    /** Returns the process that hosts the objects. */
    FiberProcess process();

    /**
     * Ends the manager's process, without waiting for calls. Blocks for a bounded time. May be called twice.
     */
    @Override
    void close();
}
