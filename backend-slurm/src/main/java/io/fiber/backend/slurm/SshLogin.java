// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

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

    /** By which the process is known that does there what is left to do when this one is gone. */
    static final String LATER = "fiber-slurm-over-ssh";

    /** For somewhat more than ten minutes. */
    private static final String AGAIN =
            "trap '' INT TERM HUP QUIT; export SSH_ASKPASS=/bin/false SSH_ASKPASS_REQUIRE=force;"
                    + " left=150; until \"$@\" || [ $left -eq 0 ]; do left=$((left - 1)); sleep 5; done";

    private final SshShell shell;
    private final Staging staging;

    private SshLogin(SshShell shell, Staging staging) {
        this.shell = shell;
        this.staging = staging;
    }

    /**
     * Opens the connection and finds out whether Slurm can be used there.
     *
     * @param programs of Slurm that must be there
     * @throws BackendException FBR-150 to FBR-155, FBR-158, FBR-210 or FBR-212; nothing stays open then
     */
    static Login open(BackendContext context, SshOptions options, SiteOptions site, List<String> programs) {
        SshTarget target = SshTarget.of(options, context.environment());
        SshShell shell = new SshShell(target, context.directory());
        try {
            SshCommands commands = SshCommands.of(shell, programs, site::leavesToTheUser);
            Staging.Place place = new Staging.Place(
                    SiteOptions.remoteDirectory(context.options(), commands.home()),
                    context.sessionId(),
                    site.java(),
                    new PackedPath(context.directory(), "FBR-159", "the login node"));
            return new Login(
                    commands,
                    new SshFiles(shell),
                    commands.home(),
                    words -> withoutUs(target, words),
                    words -> LocalCommands.startLast(SshTarget.quiet(withoutUs(target, words))),
                    Optional.empty(),
                    Optional.of(new SshLogin(shell, new Staging(shell, place))));
        } catch (RuntimeException e) {
            shell.close();
            throw e;
        }
    }

    /** Returns words of this host that have these run there until they end well, by a connection of their own. */
    private static List<String> withoutUs(SshTarget target, List<String> words) {
        // As a login shell has it: Slurm's programs may be on no other PATH.
        List<String> there = new ArrayList<>(List.of("bash", "-l", "-c", "exec \"$@\"", "fiber"));
        there.addAll(words);
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", AGAIN, LATER));
        all.addAll(target.words(RemoteLine.of("exec " + SshShell.line(there) + " </dev/null"), List.of()));
        return all;
    }

    /** Returns the spec as nodes can run it, after files of this host were put where nodes see them. */
    JobSpec staged(JobSpec spec) {
        shell.tryNow();
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
        return shell.target().nearestHost();
    }

    /** From now on nothing is waited for when that host cannot be reached, and after this limit nothing at all. */
    void leave(Duration limit) {
        shell.leave(limit);
    }

    @Override
    public void close() {
        staging.close();
        shell.close();
    }
}
