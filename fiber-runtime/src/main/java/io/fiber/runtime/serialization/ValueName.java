// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/**
 * The name of a value in error messages: {@code the function of map}, {@code argument 17 of map}.
 *
 * @param role such as {@code argument}, {@code result} or {@code the function}
 * @param operation such as {@code map}
 */
public record ValueName(String role, String operation) {

    /** A value about which nothing else is known. */
    static final ValueName VALUE = new ValueName("a value", "a message");

    /** The index of a value that is alone in its role. */
    static final long ALONE = -1;

    public String describe() {
        return role + " of " + operation;
    }

    public String describe(long index) {
        return index == ALONE ? describe() : role + " " + index + " of " + operation;
    }
}
