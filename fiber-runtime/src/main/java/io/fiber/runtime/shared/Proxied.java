// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.io.Serializable;

/** A handle of a managed object: it is equal to others of the same object, and travels as an address. */
abstract class Proxied implements Serializable {
    private static final long serialVersionUID = 1L;

    private final transient RemoteObject remote;

    Proxied(RemoteObject remote) {
        this.remote = remote;
    }

    RemoteObject remote() {
        return remote;
    }

    /** Returns what travels. */
    abstract ObjectHandle handle();

    final Object writeReplace() {
        return handle();
    }

    @Override
    public final boolean equals(Object other) {
        return this == other
                || (other instanceof Proxied proxied && proxied.handle().equals(handle()));
    }

    @Override
    public final int hashCode() {
        return remote.address().hashCode();
    }

    @Override
    public final String toString() {
        return handle().kind() + " " + remote.address();
    }
}
