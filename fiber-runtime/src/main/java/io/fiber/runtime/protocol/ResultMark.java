// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/** The byte in front of each answer in the payload of a {@code Result}. */
public final class ResultMark {

    /** A serialized value follows. */
    public static final int VALUE = 0;

    /** An encoded failure follows. */
    public static final int FAILURE = 1;

    /** Nothing follows: the item ran longer than its deadline. */
    public static final int OVERDUE = 2;

    private ResultMark() {}
}
