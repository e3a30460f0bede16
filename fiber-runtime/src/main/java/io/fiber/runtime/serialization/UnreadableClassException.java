// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.InvalidClassException;

/** Thrown if an object was written of whose class an object stream cannot create objects. */
final class UnreadableClassException extends InvalidClassException {
    private static final long serialVersionUID = 1L;

    private final transient ObjectPath.Node found;
    private final transient NoConstructor reason;

    UnreadableClassException(ObjectPath.Node found, NoConstructor reason) {
        super(found.object().getClass().getName(), "no valid constructor");
        this.found = found;
        this.reason = reason;
    }

    ObjectPath.Node found() {
        return found;
    }

    NoConstructor reason() {
        return reason;
    }
}
