// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.ConnectedManager;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberEngine;
import io.fiber.ManagerEndpoint;
import io.fiber.runtime.shared.ConnectedManagerClient;
import java.time.Duration;

/** The engine, as {@link io.fiber.Fiber} finds it. Thread-safe. */
public final class RuntimeEngine implements FiberEngine {

    @Override
    public FiberBuilder builder() {
        return new SessionBuilder();
    }

    @Override
    public Fiber current() {
        return Sessions.current();
    }

    @Override
    public ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
        return ConnectedManagerClient.connect(requireNonNull(endpoint, "endpoint"), requireNonNull(limit, "limit"));
    }
}
