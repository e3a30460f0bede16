// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedEvent;
import io.fiber.runtime.protocol.SealedPayload;
import java.time.Duration;

/** A managed event as a program holds it. Thread-safe. */
final class EventProxy extends Proxied implements ManagedEvent {
    private static final long serialVersionUID = 1L;

    private final transient SyncRemote event;

    EventProxy(RemoteObject remote) {
        super(remote);
        this.event = new SyncRemote(remote, "event");
    }

    @Override
    ObjectHandle handle() {
        return ObjectHandle.of(Kind.EVENT, remote());
    }

    @Override
    public void set() {
        event.now(Operation.SET, 0);
    }

    @Override
    public void clear() {
        event.now(Operation.CLEAR, 0);
    }

    @Override
    public boolean isSet() {
        return event.now(Operation.IS_SET, 0).number() == 1;
    }

    @Override
    public void await() {
        event.await(Operation.WAIT, 0, SealedPayload.none());
    }

    @Override
    public boolean await(Duration timeout) {
        return event.await(Operation.WAIT, 0, SealedPayload.none(), timeout).isPresent();
    }
}
