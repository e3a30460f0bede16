// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A session that the tests of a class share, and pools of it that no test closes. The first test that asks
 * for one opens it; the last one's end closes all. A test that changes more than its own pool opens a session of its own.
 */
final class SharedSession implements AfterEachCallback, AfterAllCallback {

    private final Supplier<FiberBuilder> builder;
    private final Map<Integer, Pool> pools = new TreeMap<>();
    private final Map<Integer, Pool> mortal = new TreeMap<>();
    private @Nullable Fiber fiber;

    SharedSession() {
        this(LocalFiber::builder);
    }

    /** Makes one of a session with other settings. */
    SharedSession(Supplier<FiberBuilder> builder) {
        this.builder = builder;
    }

    Fiber fiber() {
        Fiber opened = fiber;
        if (opened == null) {
            opened = builder.get().open();
            fiber = opened;
        }
        return opened;
    }

    /** Returns the pool of so many workers. Its statistics and its workers are those of all tests together. */
    Pool pool(int workers) {
        return pools.computeIfAbsent(workers, count -> fiber().pool(count));
    }

    /** Returns another pool of so many workers, which tests may end: it starts others in their place. */
    Pool mortalPool(int workers) {
        return mortal.computeIfAbsent(workers, count -> fiber().pool(count));
    }

    @Override
    public void afterEach(ExtensionContext test) {
        pools.values()
                .forEach(pool -> assertThat(pool.statistics().workersLost())
                        .as("workers lost of pool %s, which other tests use, too", pool.name())
                        .isZero());
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        if (fiber != null) {
            fiber.close();
        }
    }
}
