// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import org.jspecify.annotations.Nullable;

/** What a part of a message belongs to; it is sent as its ordinal. */
public enum PartKind {
    /** An encoded object. */
    OBJECT,
    /** Bytes as they are. */
    BYTES,
    /** The sender sends nothing more. */
    END;

    private static final PartKind[] KINDS = values();

    @SuppressWarnings("EnumOrdinal") // the ordinal is the number
    public short number() {
        return (short) ordinal();
    }

    /** Returns the kind with this number; null if there is none. */
    public static @Nullable PartKind of(int number) {
        return number >= 0 && number < KINDS.length ? KINDS[number] : null;
    }
}
