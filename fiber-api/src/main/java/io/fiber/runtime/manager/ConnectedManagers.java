// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.manager;

import io.fiber.ConnectedManager;
import io.fiber.ManagerEndpoint;
import io.fiber.runtime.guest.Visit;
import java.time.Duration;

/** Connects this program to managers of others. Thread-safe. */
public final class ConnectedManagers {

    private ConnectedManagers() {}

    /** Connects; waits for {@code limit} at most. */
    public static ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
        Visit visit = Visit.begin(endpoint, limit);
        return new ConnectedClient(endpoint, visit);
    }

    private static final class ConnectedClient extends ObjectsClient implements ConnectedManager {
        private final ManagerEndpoint endpoint;
        private final Visit visit;

        ConnectedClient(ManagerEndpoint endpoint, Visit visit) {
            super(new Remote(visit.here(), visit.object()));
            this.endpoint = endpoint;
            this.visit = visit;
        }

        @Override
        public ManagerEndpoint endpoint() {
            return endpoint;
        }

        @Override
        public void close() {
            visit.close();
        }

        @Override
        public String toString() {
            return "ConnectedManager[" + endpoint.address() + "]";
        }
    }
}
