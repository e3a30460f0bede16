// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * The process that asks, and its place among the processes of the program.
 *
 * @param name in the program, for example {@code p1-sweep-3}; {@code main} for the process that opened the first
 *     session
 * @param id its process id, as its own host or container counts
 * @param parent name of the process that started this one; empty for the main one
 */
public record CurrentProcess(String name, String id, Optional<String> parent) {

    /** Checks that nothing is null. */
    public CurrentProcess {
        requireNonNull(name, "name");
        requireNonNull(id, "id");
        requireNonNull(parent, "parent");
    }
}
