// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.slurm.ssh.SshHost;
import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.backend.slurm.ssh.SshReaper;
import io.fiber.backend.support.PackedPath;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A login node, reached by one connection of SSH: what is different there from this host. Thread-safe. */
final class SshLogin implements AutoCloseable {

    private final SshHost host;
    private final Staging staging;

    private SshLogin(SshHost host, Staging staging) {
        this.host = host;
        this.staging = staging;
    }

    /**
     * Opens the connection and finds out whether Slurm can be used there.
     *
     * @param programs of Slurm that must be there
     * @throws BackendException FBR-150 to FBR-155, FBR-158 or FBR-210 to FBR-212; nothing stays open then
     */
    static Login open(BackendContext context, SshOptions options, SiteOptions site, List<String> programs) {
        SshHost host = SshHost.of(options, context.environment(), context.directory());
        try {
            SshCommands commands = SshCommands.of(host, programs, site::leavesToTheUser);
            Staging.Place place = new Staging.Place(
                    SiteOptions.remoteDirectory(context.options(), commands.home()),
                    context.sessionId(),
                    site.java(),
                    new PackedPath(context.directory(), "FBR-159", "the login node"));
            return new Login(
                    commands,
                    new SshFiles(host),
                    commands.home(),
                    words -> withoutUs(options, words),
                    words -> startLast(withoutUs(options, words)),
                    Optional.empty(),
                    Optional.of(new SshLogin(host, new Staging(host, place))));
        } catch (RuntimeException e) {
            host.close();
            throw e;
        }
    }

    /** Returns words of this host that have these run there, as a login shell has it: Slurm's programs may be on no other PATH. */
    private static List<String> withoutUs(SshOptions options, List<String> words) {
        List<String> there = new ArrayList<>(List.of("bash", "-l", "-c", "exec \"$@\"", "fiber"));
        there.addAll(words);
        return SshReaper.words(options, there);
    }

    private static void startLast(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().remove(JobSpec.BOOTSTRAP_VARIABLE);
        LocalCommands.startLast(builder);
    }

    /** Returns the spec as nodes can run it, after files of this host were put where nodes see them. */
    JobSpec staged(JobSpec spec) {
        host.tryNow();
        return staging.staged(spec);
    }

    /** Returns the spec as {@link #staged} does; nothing is put anywhere. */
    JobSpec asStaged(JobSpec spec) {
        return staging.asStaged(spec);
    }

    /**
     * Returns the host by whose network this one is reached.
     *
     * @throws BackendException FBR-134 when only a command knows the way there
     */
    String nearest() {
        return host.nearest();
    }

    /** From now on nothing is waited for when that host cannot be reached, and after this limit nothing at all. */
    void leave(Duration limit) {
        host.leave(limit);
    }

    @Override
    public void close() {
        staging.close();
        host.close();
    }
}
