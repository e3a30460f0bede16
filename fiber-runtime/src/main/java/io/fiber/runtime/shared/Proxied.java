// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.io.Serializable;

/** A proxy of a managed object: it is equal to others of the same object, and travels as a handle. */
abstract class Proxied implements Serializable {
    private static final long serialVersionUID = 1L;

    private final transient RemoteObject remote;
    private final transient ObjectHandle handle;

    Proxied(RemoteObject remote, ObjectHandle handle) {
        this.remote = remote;
        this.handle = handle;
    }

    final RemoteObject remote() {
        return remote;
    }

    final ObjectHandle handle() {
        return handle;
    }

    final Object writeReplace() {
        return handle;
    }

    @Override
    public final boolean equals(Object other) {
        return this == other || (other instanceof Proxied proxied && proxied.handle.equals(handle));
    }

    @Override
    public final int hashCode() {
        return handle.address().hashCode();
    }

    @Override
    public final String toString() {
        return handle.kind() + " " + handle.address();
    }
}
