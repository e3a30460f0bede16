// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.protocol.Payload;

/**
 * How much of an object graph may be read.
 *
 * @param depth how deep objects may be nested
 * @param references how many objects and references to objects there may be
 * @param arrayLength how many elements an array may have
 * @param bytes how many bytes the graph may take
 */
public record TypeLimits(long depth, long references, long arrayLength, long bytes) {

    /** The depth unless another is given: far from the end of a thread's stack of 1 MiB. */
    public static final long DEPTH = 200;

    /** The number of references unless another is given: as many as 1 GiB can hold at ten bytes each. */
    public static final long REFERENCES = 100_000_000;

    /** The array length unless another is given: the greatest that a Java array can have. */
    public static final long ARRAY_LENGTH = Integer.MAX_VALUE - 8;

    /** The number of bytes unless another is given: those of a payload. */
    public static final long BYTES = Payload.LIMIT_BYTES;

    /** Checks that all limits are positive. */
    public TypeLimits {
        if (depth <= 0 || references <= 0 || arrayLength <= 0 || bytes <= 0) {
            throw new IllegalArgumentException("Limits are " + depth + " levels, " + references + " references, "
                    + arrayLength + " elements and " + bytes + " bytes; all must be greater than 0.");
        }
    }

    /** Returns the limits that hold unless others are given. */
    public static TypeLimits standard() {
        return new TypeLimits(DEPTH, REFERENCES, ARRAY_LENGTH, BYTES);
    }
}
