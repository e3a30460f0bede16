// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.shared.host.Kind;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What travels instead of a proxy: an address, which becomes a proxy of the process that reads it.
 *
 * @param kind what it is
 * @param number what else a proxy must know: a condition's number, an array's length, a barrier's parties
 * @param action a barrier's action; null when there is none
 */
record ObjectHandle(
        Kind kind,
        ObjectAddress address,
        long number,
        @Nullable RemoteRunnable action) implements Serializable {

    /** Returns the handle of an object about which no more is to be known. */
    static ObjectHandle of(Kind kind, RemoteObject remote) {
        return new ObjectHandle(kind, remote.address(), 0, null);
    }

    private Object readResolve() {
        RemoteObject remote = new RemoteObject(ProcessContext.current(), address);
        return switch (kind) {
            case LIST -> new ListProxy<>(remote);
            case MAP -> new MapProxy<>(remote);
            case NAMESPACE -> new NamespaceProxy(remote);
            case VALUE -> new ValueProxy<>(remote);
            case ARRAY -> new ArrayProxy<>(remote, (int) number);
            case QUEUE -> new QueueProxy<>(remote, Kind.QUEUE);
            case JOINABLE_QUEUE -> new JoinableQueueProxy<>(remote);
            case LOCK, REENTRANT_LOCK -> new LockProxy(remote, kind);
            case CONDITION -> new ConditionProxy(remote, number);
            case SEMAPHORE -> new SemaphoreProxy(remote);
            case EVENT -> new EventProxy(remote);
            case BARRIER, BARRIER_WITH_ACTION -> new BarrierProxy(remote, (int) number, action);
            case ASYNC -> new AsyncObjectProxy<>(remote);
            case SHARED -> throw new IllegalArgumentException("A shared object is sent with its interface.");
        };
    }
}
