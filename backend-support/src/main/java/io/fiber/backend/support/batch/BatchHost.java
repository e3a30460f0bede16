// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The host that a batch system is used from: this one, or one that is reached by SSH, whose {@link Commands} its {@link BatchSystem}
 * runs.
 *
 * @param files reads and writes the shared directory there
 * @param directory which it and all nodes see, as that host names it
 * @param atDeath turns words to be run there into those that this host's reaper runs when this process is gone
 * @param later has words run there until they end well, for some minutes, also when this process has ended by then
 */
public record BatchHost(
        SharedFiles files, Path directory, UnaryOperator<List<String>> atDeath, Consumer<List<String>> later) {

    /** Checks that all are there. */
    public BatchHost {
        requireNonNull(files, "files");
        requireNonNull(directory, "directory");
        requireNonNull(atDeath, "atDeath");
        requireNonNull(later, "later");
    }

    /** Returns this host, with a directory that nodes see under the same path. */
    public static BatchHost here(LocalCommands commands, Path directory) {
        return new BatchHost(new LocalFiles(), directory.toAbsolutePath(), commands::resolved, commands::runLater);
    }
}
