// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/**
 * The byte in front of each answer in the payload of a {@code Result}. When some are {@link #COMBINED}, one more stands behind
 * the last: the value that they were combined to, or the failure to write it.
 */
public final class ResultMark {

    /** A serialized value follows. */
    public static final int VALUE = 0;

    /** An encoded failure follows. */
    public static final int FAILURE = 1;

    /** Nothing follows: the item ran longer than its deadline. */
    public static final int OVERDUE = 2;

    /** Nothing follows: the result is part of the value behind the last answer. */
    public static final int COMBINED = 3;

    private ResultMark() {}
}
