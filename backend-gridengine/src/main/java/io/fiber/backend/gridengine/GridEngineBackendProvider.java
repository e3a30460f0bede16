// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import io.fiber.backend.support.batch.BatchBackend;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.backend.support.batch.BatchName;
import io.fiber.backend.support.batch.BatchOptions;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.backend.support.batch.LocalCommands.Surroundings;
import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Provides the backend {@code gridengine}, whose jobs are tasks of Grid Engine's array jobs. Its programs must be on the
 * PATH: this process runs on a submit host. {@code docs/gridengine.md} describes the options.
 */
public final class GridEngineBackendProvider implements BackendProvider {

    static final BatchName NAME =
            new BatchName("gridengine", "Grid Engine", "its records, which qacct reads on a host that sees them");

    private static final Set<Capability> CAPABILITIES = Set.of(
            Capability.CONSOLE,
            Capability.CPU_LIMIT,
            Capability.LOGS,
            Capability.MEMORY_LIMIT,
            Capability.SHARED_FILES,
            Capability.TIME_LIMIT,
            Capability.WORKING_DIRECTORY);

    /** PBS has a qsub, too, but only Grid Engine has qconf. */
    private static final List<String> PROGRAMS = List.of("qsub", "qstat", "qdel", "qconf");

    /** What leads to the server. The other variables of that kind belong to the job that this process may be. */
    private static final Set<String> CELL =
            Set.of("SGE_ROOT", "SGE_CELL", "SGE_QMASTER_PORT", "SGE_EXECD_PORT", "SGE_CLUSTER_NAME");

    /** Creates the provider; does nothing else. */
    public GridEngineBackendProvider() {}

    @Override
    public String name() {
        return NAME.backend();
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public List<OptionKey> options() {
        List<OptionKey> keys = new ArrayList<>(BatchOptions.keys(NAME));
        keys.add(text("queue", "any", "the queue of jobs").perJob());
        keys.add(text("project", "none", "the project of jobs").perJob());
        keys.add(text("parallel-environment", "smp", "grants more than one slot on one host")
                .perJob());
        keys.add(text("memory", "h_vmem", "the resource by which memory is requested, or none")
                .perJob());
        keys.add(OptionKey.of("time-limit", OptionType.DURATION, "the queue's", "time after which jobs are killed")
                .perJob());
        keys.add(text("qsub", "none", "further options of qsub, as in a line of #$")
                .perJob());
        keys.add(text("prologue", "none", "shell lines before the program, such as module load java")
                .perJob());
        keys.add(text("java", "this JVM's own", "java on the nodes").perJob());
        return List.copyOf(keys);
    }

    private static OptionKey text(String name, String usual, String description) {
        return OptionKey.of(name, OptionType.TEXT, usual, description);
    }

    @Override
    public Probe probe(Environment environment) {
        return LocalCommands.probe(
                environment,
                PROGRAMS,
                "SGE_TASK_ID",
                "run on a submit host, or put Grid Engine's programs on the PATH");
    }

    @Override
    public Backend create(BackendContext context) {
        LocalCommands.require(NAME, PROGRAMS, context.environment());
        Options options = context.options();
        Surroundings surroundings = new Surroundings(
                context.environment(), variable -> !variable.startsWith("SGE_") || CELL.contains(variable), CELL);
        BatchHost host = BatchHost.here(
                new LocalCommands(NAME, context.directory(), surroundings), BatchOptions.directory(NAME, options));
        return BatchBackend.open(
                new GridEngine(host.commands(), options, options(), context.sessionId()),
                new BatchBackend.Terms(
                        NAME,
                        CAPABILITIES,
                        BatchOptions.callerHost(NAME, options, server(context.environment())),
                        BatchOptions.pollInterval(options)),
                host,
                context);
    }

    /** The cell's files name the host of the server. */
    private static String server(Environment environment) {
        Path file = Path.of(environment.variable("SGE_ROOT").orElse("/var/lib/gridengine"))
                .resolve(environment.variable("SGE_CELL").orElse("default"))
                .resolve("common/act_qmaster");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new BackendException(
                    "FBR-134 '" + file + "', which names Grid Engine's server, cannot be read: " + e
                            + ". Source the settings.sh of the cell, or set SGE_ROOT and SGE_CELL.",
                    e);
        }
    }
}
