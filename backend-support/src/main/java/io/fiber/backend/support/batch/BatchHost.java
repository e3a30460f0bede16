// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The host from which a batch system is used: this one, or one that is reached by SSH. The methods with a default are
 * for the latter. Thread-safe.
 */
public interface BatchHost extends AutoCloseable {

    /** Runs the system's programs there. */
    NotedCommands commands();

    /** Reads and writes the shared directory there. */
    SharedFiles files();

    /** Returns a directory that this host and all nodes see, as that host names it. */
    Path directory();

    /** Converts words to run there into those that this host's reaper runs if this process is gone. */
    List<String> atDeath(List<String> words);

    /** Runs words there until they succeed, for some minutes, even if this process has ended by then. */
    void later(List<String> words);

    /** Returns a spec as nodes can run it, after sending the files that they lack. */
    default JobSpec sent(JobSpec spec) {
        return spec;
    }

    /** Returns a spec as {@link #sent} does; sends nothing. */
    default JobSpec asSent(JobSpec spec) {
        return spec;
    }

    /**
     * Returns the host by whose network this one is reached; empty if it is this host.
     *
     * @throws BackendException FBR-134 if only a command knows the way there
     */
    default Optional<String> nearest() {
        return Optional.empty();
    }

    /** Records that the session ends: from now on nothing there is waited for longer than this. */
    default void leave(Duration limit) {}

    @Override
    default void close() {}

    /** Returns this host, with a directory that nodes see under the same path. */
    static BatchHost here(LocalCommands commands, Path directory) {
        return new LocalHost(new NotedCommands(commands, commands.name()), commands, directory.toAbsolutePath());
    }
}
