// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * The identity of the calling process within the program.
 *
 * @param name name in the program, for example {@code p1-sweep-3}; {@code main} for the process that opened the first
 *     session
 * @param id process id as counted by its own host or container
 * @param parent name of the process that started this one; empty for the main process
 */
public record CurrentProcess(String name, String id, Optional<String> parent) {

    /** Checks that no value is null. */
    public CurrentProcess {
        requireNonNull(name, "name");
        requireNonNull(id, "id");
        requireNonNull(parent, "parent");
    }
}
