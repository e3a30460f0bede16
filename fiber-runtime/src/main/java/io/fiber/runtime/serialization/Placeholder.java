// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.Serializable;

/**
 * Stands in the written form of an exception for an object that is written separately.
 *
 * @param index that of another exception, or {@link #FRAMES} for the exception's own stack trace
 */
record Placeholder(int index) implements Serializable {

    static final int FRAMES = -1;

    static final String NAME = Placeholder.class.getName();
}
