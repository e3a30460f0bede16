// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import io.fiber.runtime.logging.Faults;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What threads want to be run: commands, by any thread that has the turn, and later calls, by the I/O thread. */
final class Commands {

    /** How many commands of threads without the turn may wait. */
    private static final int ROOM = 1 << 14;

    private final BlockingQueue<Runnable> commands = new ArrayBlockingQueue<>(ROOM);
    /** Commands of the thread that has the turn. They have no limit, because it cannot wait for itself. */
    private final ArrayDeque<Runnable> ownCommands = new ArrayDeque<>();

    private final Queue<Runnable> laterCalls = new ConcurrentLinkedQueue<>();

    private record LaterCall<T>(Callable<T> action, CompletableFuture<T> result) implements Runnable {
        @Override
        public void run() {
            try {
                result.complete(action.call());
            } catch (Throwable e) {
                Faults.fail(result, e);
            }
        }

        void end(@Nullable Throwable fault) {
            if (fault == null) {
                result.cancel(false);
            } else {
                result.completeExceptionally(fault);
            }
        }
    }

    /** Adds a command of a thread without the turn, which waits for room even if interrupted; false if the conductor closes first. */
    boolean put(Runnable command, BooleanSupplier isClosed) {
        boolean isInterrupted = false;
        boolean isPut = false;
        while (!isPut && !isClosed.getAsBoolean()) {
            try {
                commands.put(command);
                isPut = true;
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return isPut;
    }

    void addOwn(Runnable command) {
        ownCommands.add(command);
    }

    boolean hasOwn() {
        return !ownCommands.isEmpty();
    }

    /**
     * Runs the commands that wait now; called with the turn. What other threads add meanwhile may be left to the I/O thread,
     * which they have woken: a caller must not be kept busy by others.
     */
    int run() {
        int count = runOwn();
        for (int left = commands.size(); left > 0; left--) {
            Runnable next = commands.poll();
            if (next != null) {
                run(next);
                count += 1 + runOwn();
            }
        }
        return count;
    }

    private int runOwn() {
        int count = 0;
        for (Runnable next = ownCommands.poll(); next != null; next = ownCommands.poll()) {
            run(next);
            count++;
        }
        return count;
    }

    private static void run(Runnable command) {
        Faults.conducted(Conductor.class, "A command of the conductor failed.", command);
    }

    void addLater(Runnable action) {
        laterCalls.add(action);
    }

    <T> CompletableFuture<T> addLater(Callable<T> action) {
        LaterCall<T> call = new LaterCall<>(action, new CompletableFuture<>());
        laterCalls.add(call);
        return call.result;
    }

    boolean hasLater() {
        return !laterCalls.isEmpty();
    }

    /** Runs all later calls; called by the I/O thread. */
    int runLater() {
        int count = 0;
        for (Runnable next = laterCalls.poll(); next != null; next = laterCalls.poll()) {
            run(next);
            count++;
        }
        return count;
    }

    /** Ends the results of later calls that will not run. Called again if there was no memory for it. */
    void endLater(@Nullable Throwable fault) {
        for (Runnable next = laterCalls.peek(); next != null; next = laterCalls.peek()) {
            if (next instanceof LaterCall<?> call) {
                call.end(fault);
            }
            laterCalls.remove(next);
        }
    }
}
