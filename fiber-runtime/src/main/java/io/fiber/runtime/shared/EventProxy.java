// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedEvent;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.machines.Operation;
import java.time.Duration;

/** A managed event as a program holds it. Thread-safe. */
final class EventProxy extends SyncProxy implements ManagedEvent {
    private static final long serialVersionUID = 1L;

    EventProxy(RemoteObject remote) {
        super(remote, ObjectHandle.of(Kind.EVENT, remote), "event");
    }

    @Override
    public void set() {
        now(Operation.SET, 0);
    }

    @Override
    public void clear() {
        now(Operation.CLEAR, 0);
    }

    @Override
    public boolean isSet() {
        return now(Operation.IS_SET, 0).number() == 1;
    }

    @Override
    public void await() {
        call(Operation.WAIT, 0);
    }

    @Override
    public boolean await(Duration timeout) {
        return call(Operation.WAIT, 0, timeout).isPresent();
    }
}
