// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

/**
 * A value that holds, and where it came from.
 *
 * @param value the value, read as the type of its key
 * @param origin where it was written
 */
public record Setting<T>(T value, Origin origin) {

    /** Returns a value that holds because none was written. */
    public static <T> Setting<T> ofDefault(T value) {
        return new Setting<>(value, Origin.OF_DEFAULT);
    }

    /** Returns another reading of the value, of the same origin. */
    <R> Setting<R> as(R reading) {
        return new Setting<>(reading, origin);
    }
}
