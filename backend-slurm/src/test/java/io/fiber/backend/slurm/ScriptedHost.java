// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.batch.BatchBackend;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.backend.support.batch.BatchSystem;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.LocalFiles;
import io.fiber.backend.support.batch.NotedCommands;
import io.fiber.backend.support.batch.SharedFiles;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.tck.cluster.KitContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A host whose commands a test answers.
 *
 * @param left what was to be run later
 */
record ScriptedHost(NotedCommands commands, SharedFiles files, Path directory, List<List<String>> left)
        implements BatchHost {

    ScriptedHost(Commands commands, Path directory) {
        this(commands, directory, new ArrayList<>());
    }

    ScriptedHost(Commands commands, Path directory, List<List<String>> left) {
        this(new NotedCommands(commands, SlurmBackendProvider.SHOWN), new LocalFiles(), directory, left);
    }

    /** Opens a backend from here. */
    BatchBackend open(BatchSystem system, String sessionId) {
        return BatchBackend.open(
                system,
                new BatchBackend.Terms(
                        SlurmBackendProvider.SHOWN,
                        SlurmBackendProvider.CAPABILITIES,
                        CallerHost.sameHost(),
                        Duration.ofMillis(50)),
                this,
                new KitContext(sessionId, directory, Options.none(), Environment.of(Map.of(), Map.of())));
    }

    @Override
    public List<String> atDeath(List<String> words) {
        return words;
    }

    @Override
    public void later(List<String> words) {
        left.add(words);
    }
}
