// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import java.util.Optional;

/**
 * The name of a worker in error messages.
 *
 * @param host the worker's host, once the platform has reported it
 */
public record WorkerTitle(String name, Optional<String> host) {

    /** Creates the title of a worker whose host is unknown. */
    public WorkerTitle(String name) {
        this(name, Optional.empty());
    }

    /** Returns {@code worker 'p1-sweep-3' (host n17)}. */
    @Override
    public String toString() {
        return "worker '" + name + "'"
                + host.map(known -> " (host " + known + ")").orElse("");
    }
}
