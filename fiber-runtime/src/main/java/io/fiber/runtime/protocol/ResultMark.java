// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/**
 * The first byte of an answer in the payload of a {@code Result} that is no value; the first byte of a value, its tag, is
 * less than all of these. When some are {@link #COMBINED}, one more stands behind the last: the value that they were
 * combined to, or the failure to write it.
 */
public final class ResultMark {

    /** An encoded failure follows. */
    public static final int FAILURE = 0x81;

    /** Nothing follows: the item ran longer than its deadline. */
    public static final int OVERDUE = 0x82;

    /** Nothing follows: the result is part of the value behind the last answer. */
    public static final int COMBINED = 0x83;

    /** The least of them. */
    public static final int LEAST = FAILURE;

    private ResultMark() {}
}
