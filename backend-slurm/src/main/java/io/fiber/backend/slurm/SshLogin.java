// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.slurm.ssh.SshHost;
import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.backend.slurm.ssh.SshReaper;
import io.fiber.backend.support.PackedPath;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.backend.support.batch.NotedCommands;
import io.fiber.backend.support.batch.SharedFiles;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A login node, reached by one connection of SSH. Thread-safe. */
final class SshLogin implements BatchHost {

    private final SshHost host;
    private final SshOptions options;
    private final NotedCommands commands;
    private final Staging staging;

    private SshLogin(SshHost host, SshOptions options, SshCommands commands, Staging staging) {
        this.host = host;
        this.options = options;
        this.commands = new NotedCommands(commands, SlurmBackendProvider.SHOWN);
        this.staging = staging;
    }

    /**
     * Opens the connection and finds out whether Slurm can be used there.
     *
     * @param programs of Slurm that must be there
     * @throws BackendException FBR-150 to FBR-155, FBR-158 or FBR-210 to FBR-212; nothing stays open then
     */
    static SshLogin open(BackendContext context, SshOptions options, SiteOptions site, List<String> programs) {
        SshHost host = SshHost.of(options, context.environment(), context.directory());
        try {
            SshCommands commands = SshCommands.of(host, programs, site::leavesToTheUser);
            Staging.Place place = new Staging.Place(
                    SiteOptions.remoteDirectory(context.options(), commands.home()),
                    context.sessionId(),
                    site.java(),
                    new PackedPath(context.directory(), "FBR-159", "the login node"));
            return new SshLogin(host, options, commands, new Staging(host, place));
        } catch (RuntimeException e) {
            host.close();
            throw e;
        }
    }

    @Override
    public NotedCommands commands() {
        return commands;
    }

    @Override
    public SharedFiles files() {
        return new SshFiles(host);
    }

    @Override
    public Path directory() {
        return staging.directory();
    }

    @Override
    public List<String> atDeath(List<String> words) {
        return withoutUs("fiber", words);
    }

    @Override
    public void later(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(withoutUs("fiber-slurm-later", words));
        builder.environment().remove(JobSpec.BOOTSTRAP_VARIABLE);
        LocalCommands.startLast(builder);
    }

    /** Returns words of this host that have these run there, as a login shell has it: Slurm's programs may be on no other PATH. */
    private List<String> withoutUs(String name, List<String> words) {
        List<String> there = new ArrayList<>(List.of("bash", "-l", "-c", "exec \"$@\"", name));
        there.addAll(words);
        return SshReaper.words(options, there);
    }

    @Override
    public JobSpec sent(JobSpec spec) {
        host.tryNow();
        return staging.staged(spec);
    }

    @Override
    public JobSpec asSent(JobSpec spec) {
        return staging.asStaged(spec);
    }

    @Override
    public Optional<String> nearest() {
        return Optional.of(host.nearest());
    }

    @Override
    public void leave(Duration limit) {
        host.leave(limit);
    }

    @Override
    public void close() {
        staging.close();
        host.close();
    }
}
