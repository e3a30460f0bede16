// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/**
 * The first byte of an answer in the payload of a {@code Result} that is not a value; the first byte of a value, its
 * tag, is less than all of these. If some answers are {@link #COMBINED}, one more follows the last: their combined
 * value, or the failure to write it.
 */
public final class ResultMark {

    /** An encoded failure follows. */
    public static final int FAILURE = 0x81;

    /** Nothing follows: the item ran longer than its deadline. */
    public static final int OVERDUE = 0x82;

    /** Nothing follows: the result is part of the value after the last answer. */
    public static final int COMBINED = 0x83;

    /** The lowest mark. */
    public static final int LEAST = FAILURE;

    private ResultMark() {}
}
