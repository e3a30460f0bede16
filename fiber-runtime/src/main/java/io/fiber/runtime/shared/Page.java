// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Values of which as many are sent as a page takes. Groups stay together.
 *
 * @param values all that are left
 * @param group how many of them belong together
 */
record Page(Iterator<? extends @Nullable Object> values, int group) {

    /** How many bytes a page takes before it is full. */
    static final int FULL_BYTES = 1 << 16;
}
