// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.AsyncManager;
import io.fiber.AsyncProxy;
import io.fiber.FiberProcess;
import io.fiber.function.RemoteCallable;

/** A manager whose calls answer with futures, as a program holds it. Thread-safe. */
final class AsyncManagerClient implements AsyncManager {

    private final ManagerProcess manager;

    AsyncManagerClient(ManagerProcess manager) {
        this.manager = manager;
    }

    @Override
    public <T> AsyncProxy<T> host(RemoteCallable<? extends T> factory) {
        return new AsyncObjectProxy<>(manager.registry().create(Kind.ASYNC, requireNonNull(factory, "factory")));
    }

    @Override
    public FiberProcess process() {
        return manager.process();
    }

    @Override
    public void close() {
        manager.end();
    }

    @Override
    public String toString() {
        return "AsyncManager[" + process().name() + ", " + process().state() + "]";
    }
}
