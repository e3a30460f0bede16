// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.backend.support.batch.BatchName;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Provides the backend {@code slurm}, whose jobs are elements of Slurm's job arrays. Slurm's programs must be on the PATH:
 * this process runs on a login node, or in a job of its own; or a login node is named that is reached by SSH.
 * {@code docs/slurm.md} describes the options.
 *
 * <p>For a Java program the memory that is asked for is its heap ({@code -Xmx}), as on every backend; Slurm is asked for a
 * quarter more, at least for 192 MiB more.
 */
public final class SlurmBackendProvider implements BackendProvider {

    static final String NAME = "slurm";
    static final BatchName SHOWN = new BatchName(NAME, "Slurm", "MinJobAge and, where the site keeps books, sacct");

    private static final String JOB_ID = "SLURM_JOB_ID";

    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.of(
            Capability.LOGS,
            Capability.CONSOLE,
            Capability.CPU_LIMIT,
            Capability.MEMORY_LIMIT,
            Capability.GPU,
            Capability.LABELS,
            Capability.TIME_LIMIT,
            Capability.RESTARTS,
            Capability.WORKING_DIRECTORY,
            Capability.SHARED_FILES,
            Capability.PREEMPTION_NOTICE));

    private static final List<String> OF_SLURM =
            List.of("SLURM_", "SLURMD_", "SRUN_", "SBATCH_", "SQUEUE_", "SCANCEL_", "SACCT_");

    private static final String CONFIGURATION = "SLURM_CONF";

    /** A line of a shell after which no variable stands for an option of Slurm's programs: they may be set in any start-up file. */
    static final String UNSET_OPTIONS = "unset $(env | sed -nE '/^" + CONFIGURATION + "=/!s/^(("
            + String.join("|", OF_SLURM) + ")[A-Za-z0-9_]*)=.*/\\1/p'); ";

    private static final List<String> PROGRAMS = List.of("sbatch", "squeue", "scancel", "scontrol");

    /** Creates the provider; does nothing else. */
    public SlurmBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<OptionKey> options() {
        return SiteOptions.keys();
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Probe probe(Environment environment) {
        if (SshOptions.isNamedIn(environment)) {
            return new Probe.Usable("a login node is named by fiber.slurm.ssh-host");
        }
        return LocalCommands.probe(
                environment,
                PROGRAMS,
                JOB_ID,
                "run on a login node, name one by fiber.slurm.ssh-host, or put Slurm's programs on the PATH");
    }

    @Override
    public Backend create(BackendContext context) {
        SiteOptions site = SiteOptions.of(context.options());
        Optional<SshOptions> ssh = SshOptions.of(context.options());
        if (ssh.isPresent()) {
            SshLogin login = SshLogin.open(context, ssh.get(), site, PROGRAMS);
            try {
                return new SlurmBackend(context, login, Optional.empty(), site);
            } catch (RuntimeException e) {
                login.close();
                throw e;
            }
        }
        LocalCommands.require(SHOWN, PROGRAMS, context.environment());
        LocalCommands commands = localCommands(context, site);
        Optional<Steps.Starter> srun =
                LocalCommands.find("srun", context.environment()).map(file -> commands::start);
        return new SlurmBackend(context, BatchHost.here(commands, directory(context)), srun, site);
    }

    /** Returns the shared directory as this host has it. */
    static Path directory(BackendContext context) {
        return SiteOptions.directory(context.options(), Path.of(System.getProperty("user.home")));
    }

    /** Returns what runs Slurm's programs on this host. What is Slurm's must not reach a job: this process may be one itself. */
    static LocalCommands localCommands(BackendContext context, SiteOptions site) {
        Environment environment = context.environment();
        return new LocalCommands(
                SHOWN,
                context.directory(),
                new LocalCommands.Surroundings(
                        environment,
                        variable -> !isOfSlurm(variable) || site.leavesToTheUser(variable),
                        Set.of(CONFIGURATION)));
    }

    static boolean isOfSlurm(String variable) {
        return OF_SLURM.stream().anyMatch(variable::startsWith);
    }
}
