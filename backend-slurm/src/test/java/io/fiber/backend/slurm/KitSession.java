// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobSpec;
import io.fiber.tck.cluster.BackendSession;
import io.fiber.tck.cluster.KitContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A backend on a real cluster with a session around it, and the commands that it ran. */
final class KitSession extends BackendSession {

    static final Duration LIMIT = Duration.ofMinutes(4);

    private final Login login;
    private final List<String> commands;

    /** Opens a session on this host, or on the login node that the values name. */
    KitSession(Path directory, Map<String, String> values) {
        this(directory, values, Environment.system());
    }

    /** Opens a session in an environment. */
    KitSession(Path directory, Map<String, String> values, Environment environment) {
        this(context(directory, values, environment));
    }

    private KitSession(KitContext context) {
        this(context, SiteOptions.of(context.options()));
    }

    private KitSession(KitContext context, SiteOptions site) {
        this(context, site, login(context, site), new CopyOnWriteArrayList<>());
    }

    private KitSession(KitContext context, SiteOptions site, Login login, List<String> commands) {
        super(context, new SlurmBackend(context, noting(login, commands), site), LIMIT);
        this.login = login;
        this.commands = commands;
    }

    /** Returns the same host, where the programs that are run are noted. */
    private static Login noting(Login login, List<String> programs) {
        return new Login(
                command -> {
                    programs.add(command.program());
                    return login.commands().run(command);
                },
                login.files(),
                login.home(),
                login.atDeath(),
                login.later(),
                login.srun(),
                login.remote());
    }

    private static KitContext context(Path directory, Map<String, String> values, Environment environment) {
        // Of its own: what an earlier one has left is cancelled by its name.
        String id = "kit" + UUID.randomUUID().toString().replace("-", "").substring(0, 9);
        Map<String, String> all = new TreeMap<>(values);
        all.putIfAbsent("directory", directory.resolve("shared").toString());
        all.putIfAbsent("memory", "64m");
        return new KitContext(id, directory, SlurmFixture.options(all), environment);
    }

    private static Login login(KitContext context, SiteOptions site) {
        LocalCommands local = SlurmBackendProvider.localCommands(context, site);
        return SshOptions.of(context.options())
                .map(ssh -> SshLogin.open(context, ssh, site, List.of("sbatch")))
                .orElseGet(() -> Login.here(local, Optional.of(local::start)));
    }

    /** Returns a spec of a script. */
    static JobSpec.Builder shell(String script) {
        return command("/bin/bash", "-c", script);
    }

    /** Runs a program where Slurm's programs run. */
    Commands.Answer run(String... words) {
        return login.commands().run(Commands.Command.of(LIMIT, List.of(words)));
    }

    /** Returns a spec as nodes can run it, after what they lack was sent to the login node. */
    JobSpec staged(JobSpec spec) {
        return login.remote().orElseThrow().staged(spec);
    }

    /** Returns what has gone wrong in opening a session. */
    static Throwable failureOfOpening(Path directory, Map<String, String> values) {
        return catchThrowable(() -> new KitSession(directory, values).close());
    }

    /** Returns how often a program of Slurm was run. */
    long calls(String program) {
        return commands.stream().filter(program::equals).count();
    }

    String sessionId() {
        return context().sessionId();
    }
}
