// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import java.io.Serializable;

/**
 * How much is or was copied.
 *
 * @param files number of regular files
 * @param others number of directories and links
 * @param bytes bytes of all files together
 */
public record Totals(long files, long others, long bytes) implements Serializable {

    static Totals none() {
        return new Totals(0, 0, 0);
    }

    Totals plus(Entry entry) {
        return entry.kind() == Entry.Kind.FILE
                ? new Totals(files + 1, others, bytes + entry.size())
                : new Totals(files, others + 1, bytes);
    }
}
