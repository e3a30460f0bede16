// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.pbs;

import io.fiber.backend.support.CallerAddress;
import io.fiber.backend.support.batch.BatchBackend;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.backend.support.batch.BatchName;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What ServiceLoader finds. */
public final class PbsBackendProvider implements BackendProvider {

    static final BatchName NAME = new BatchName("pbs", "PBS", "keep_completed");
    static final Set<Capability> CAPABILITIES = Set.of(
            Capability.CONSOLE,
            Capability.CPU_LIMIT,
            Capability.LOGS,
            Capability.MEMORY_LIMIT,
            Capability.SHARED_FILES,
            Capability.TIME_LIMIT,
            Capability.WORKING_DIRECTORY);

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
        return List.of(
                OptionKey.of("directory", OptionType.PATH, "~/.fiber/pbs", "a directory that all nodes see"),
                OptionKey.of("queue", OptionType.TEXT, "the default one", "the queue of all jobs"),
                OptionKey.of("address", OptionType.TEXT, "found", "address or name of this host that nodes dial"),
                OptionKey.of("poll-interval", OptionType.DURATION, "2s", "shortest time between two questions"));
    }

    @Override
    public Probe probe(Environment environment) {
        for (String program : List.of("qsub", "qstat", "qsig", "qdel")) {
            Optional<Path> file = LocalCommands.find(program, environment);
            if (file.isEmpty()) {
                return new Probe.Unusable(program + " is not on PATH="
                        + environment.variable("PATH").orElse("") + "; run on a login node");
            }
        }
        return environment.variable("PBS_JOBID").isPresent()
                ? new Probe.Inside(
                        "PBS_JOBID=" + environment.variable("PBS_JOBID").get())
                : new Probe.Usable("qsub is on the PATH");
    }

    @Override
    public Backend create(BackendContext context) {
        Path inHome = Path.of(System.getProperty("user.home"), ".fiber/pbs");
        Duration pollInterval = context.options().duration("poll-interval").orElse(Duration.ofSeconds(2));
        LocalCommands commands = new LocalCommands(
                NAME, context.directory(), LocalCommands.Surroundings.without(context.environment(), "PBS_"));
        BatchHost host =
                BatchHost.here(commands, context.options().path("directory").orElse(inHome));
        return BatchBackend.open(
                new Pbs(host.commands(), context.options().text("queue")),
                new BatchBackend.Terms(NAME, CAPABILITIES, callerHost(context), pollInterval),
                host,
                context);
    }

    /** Nodes reach this host by its network: by the address that the user names, or else by its first one. */
    private static CallerHost callerHost(BackendContext context) {
        return context.options()
                .text("address")
                .map(CallerAddress::named)
                .orElseGet(() -> CallerAddress.own().stream()
                        .findFirst()
                        .map(CallerAddress::at)
                        .orElseThrow(() ->
                                new BackendException("This host has no address but loopback; set fiber.pbs.address.")));
    }
}
