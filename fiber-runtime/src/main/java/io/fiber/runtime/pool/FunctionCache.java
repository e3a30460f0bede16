// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.pool.scheduling.TaskFunction;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.worker.SubmittedTask;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Functions by their bytes: one that is submitted again travels no more, and what was measured of it still holds. Bounded;
 * thread-safe.
 */
final class FunctionCache {

    /** With {@link #GREATEST_BYTES}, at most 4 MiB are kept. */
    private static final int GREATEST_COUNT = 64;

    private static final long GREATEST_BYTES = 1 << 16;

    private final AtomicInteger nextId = new AtomicInteger();
    private final Consumer<TaskFunction> evicted;
    /** A key is the bytes, one in each character: a string is compared by content and keeps its hash. */
    private final Map<String, TaskFunction> functions = new LinkedHashMap<>(16, 0.75f, true);
    /** Functions of this library, which are not forgotten. */
    private final Map<SubmittedTask, TaskFunction> ofTasks = new ConcurrentHashMap<>();

    /** Creates a cache; {@code evicted} is told of functions that no later call will get. */
    FunctionCache(Consumer<TaskFunction> evicted) {
        this.evicted = evicted;
    }

    /** Returns a function of these bytes, claimed for one call. */
    TaskFunction of(Payload bytes, Seals seals) {
        if (bytes.length() > GREATEST_BYTES) {
            TaskFunction once = claimed(bytes, seals);
            evicted.accept(once);
            return once;
        }
        String key = new String(bytes.toArray(), StandardCharsets.ISO_8859_1);
        int unused = key.hashCode(); // a string keeps it: of many bytes it takes long, and others wait for the lock
        synchronized (functions) {
            TaskFunction known = functions.get(key);
            if (known != null) {
                known.claim();
                return known;
            }
            TaskFunction function = claimed(bytes, seals);
            functions.put(key, function);
            if (functions.size() > GREATEST_COUNT) {
                String eldest = functions.keySet().iterator().next();
                evicted.accept(functions.remove(eldest));
            }
            return function;
        }
    }

    /** Returns a function of this library, claimed for one call; its bytes are asked for once. */
    TaskFunction of(SubmittedTask task, Supplier<Payload> bytes, Seals seals) {
        TaskFunction known = ofTasks.computeIfAbsent(
                task, first -> new TaskFunction(nextId.incrementAndGet(), seals.close(bytes.get())));
        known.claim();
        return known;
    }

    private TaskFunction claimed(Payload bytes, Seals seals) {
        TaskFunction function = new TaskFunction(nextId.incrementAndGet(), seals.close(bytes));
        function.claim();
        return function;
    }
}
