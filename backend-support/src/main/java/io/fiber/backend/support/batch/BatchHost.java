// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The host from which a batch system is used: this one, or one that is reached by SSH, on which the {@link BatchSystem}
 * runs its {@link Commands}.
 *
 * @param files reads and writes the shared directory there
 * @param directory a directory that this host and all nodes see, as that host names it
 * @param atDeath converts words to run there into those that this host's reaper runs if this process is gone
 * @param later runs words there until they succeed, for some minutes, even if this process has ended by then
 */
public record BatchHost(
        SharedFiles files, Path directory, UnaryOperator<List<String>> atDeath, Consumer<List<String>> later) {

    /** Checks that no value is null. */
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
