// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import org.jspecify.annotations.Nullable;

/** What a part of a message belongs to. */
public enum PartKind {
    /** An encoded object. */
    OBJECT(0),
    /** Bytes as they are. */
    BYTES(1),
    /** The sender sends nothing more. */
    END(2);

    private static final PartKind[] KINDS = values();

    private final short number;

    PartKind(int number) {
        this.number = (short) number;
    }

    /** Returns the number that travels. */
    public short number() {
        return number;
    }

    /** Returns the kind of this number; null when there is none. */
    public static @Nullable PartKind of(int number) {
        for (PartKind kind : KINDS) {
            if (kind.number == number) {
                return kind;
            }
        }
        return null;
    }
}
