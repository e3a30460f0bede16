// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.eventloop.Waiter;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.UnderWay;
import io.fiber.runtime.shared.host.ObjectOperation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a call, when it comes. A thread that waits for it may read the answer itself; when no thread waits, another one reads it. Thread-safe.
 */
@SuppressWarnings({"unchecked", "NullAway"}) // the result is what the function returned, null where it may be
final class RemoteFuture<R extends @Nullable Object> extends CompletableFuture<R> implements Consumer<Reply> {

    /** Reads answers for which no thread waits, and runs the program's callbacks, which may wait for other answers. */
    private static final ExecutorService READERS = SessionThreads.callbacks(RemoteFuture::logFault);

    private final RemoteObject remote;
    private volatile @Nullable Runnable abandon;
    private volatile @Nullable Reply reply;
    private volatile @Nullable Waiter waiter;

    RemoteFuture(RemoteObject remote) {
        this.remote = remote;
    }

    private static void logFault(Throwable thrown) {
        Logs.of(RemoteFuture.class).log(System.Logger.Level.ERROR, "An answer could not be read.", thrown);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the waiting thread looks again
    void send(Request request) {
        abandon = remote.process().router().call(remote.address(), request, this);
        whenComplete((result, thrown) -> wakeWaiter());
        remote.process().underWay().add(UnderWay.Kind.CALL, this);
    }

    @Override
    public void accept(Reply newReply) {
        reply = newReply;
        if (!wakeWaiter()) {
            READERS.execute(this::read);
        }
    }

    private boolean wakeWaiter() {
        Waiter waiting = waiter;
        if (waiting != null) {
            waiting.end();
        }
        return waiting != null;
    }

    private void read() {
        Reply came = reply;
        if (came == null || isDone()) {
            return;
        }
        try {
            if (came instanceof Reply.Answer answer) {
                complete((R) remote.value(answer.payload()));
            } else {
                completeExceptionally(remote.failure(came, ObjectOperation.CALL));
            }
        } catch (Throwable thrown) {
            Faults.fail(this, thrown);
        }
    }

    /**
     * Waits until there is something to read, and reads it. One thread does so; others wait for that one. A thread of a
     * ForkJoinPool leaves it to others: the pool replaces it while it waits as the JDK lets it.
     */
    private void help(long limitNs) throws InterruptedException {
        if (isDone() || ForkJoinTask.inForkJoinPool()) {
            return;
        }
        Waiter mine = new Waiter();
        synchronized (this) {
            if (waiter != null) {
                return;
            }
            waiter = mine;
        }
        try {
            if (reply == null && !isDone()) {
                remote.process().router().conductor().await(() -> {}, mine, limitNs);
            }
        } finally {
            waiter = null;
            read();
        }
    }

    @Override
    public R join() {
        boolean interrupted = false;
        while (!isDone()) {
            try {
                help(Long.MAX_VALUE);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return super.join();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        help(Long.MAX_VALUE);
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long startNs = System.nanoTime();
        long limitNs = unit.toNanos(timeout);
        help(limitNs);
        return super.get(Math.max(0, limitNs - (System.nanoTime() - startNs)), TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Runnable sent = abandon;
        if (cancelled && mayInterruptIfRunning && sent != null) {
            sent.run();
        }
        return cancelled;
    }
}
