// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.NotedCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobSpec;
import io.fiber.tck.cluster.BackendSession;
import io.fiber.tck.cluster.KitContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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

    private final BatchHost host;
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
        this(context, site, host(context, site), new CopyOnWriteArrayList<>());
    }

    private KitSession(KitContext context, SiteOptions site, BatchHost host, List<String> commands) {
        super(context, new SlurmBackend(context, noting(host, commands), srun(context, site, host), site), LIMIT);
        this.host = host;
        this.commands = commands;
    }

    /** Returns the same host, where the programs that are run are noted. */
    private static BatchHost noting(BatchHost host, List<String> programs) {
        Commands noted = command -> {
            programs.add(command.program());
            return host.commands().run(command);
        };
        NotedCommands commands = new NotedCommands(noted, SlurmBackendProvider.SHOWN);
        return (BatchHost) Proxy.newProxyInstance(
                BatchHost.class.getClassLoader(), new Class<?>[] {BatchHost.class}, (self, method, words) -> {
                    try {
                        return method.getName().equals("commands") ? commands : method.invoke(host, words);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static KitContext context(Path directory, Map<String, String> values, Environment environment) {
        // Of its own: what an earlier one has left is cancelled by its name.
        String id = "kit" + UUID.randomUUID().toString().replace("-", "").substring(0, 9);
        Map<String, String> all = new TreeMap<>(values);
        all.putIfAbsent("directory", directory.resolve("shared").toString());
        all.putIfAbsent("memory", "64m");
        return new KitContext(id, directory, SlurmFixture.options(all), environment);
    }

    private static BatchHost host(KitContext context, SiteOptions site) {
        return SshOptions.of(context.options())
                .<BatchHost>map(ssh -> SshLogin.open(context, ssh, site, List.of("sbatch")))
                .orElseGet(() -> BatchHost.here(
                        SlurmBackendProvider.localCommands(context, site), SlurmBackendProvider.directory(context)));
    }

    private static Optional<Steps.Starter> srun(KitContext context, SiteOptions site, BatchHost host) {
        return Optional.<Steps.Starter>of(SlurmBackendProvider.localCommands(context, site)::start)
                .filter(any -> host.files().isHere());
    }

    /** Returns a spec of a script. */
    static JobSpec.Builder shell(String script) {
        return command("/bin/bash", "-c", script);
    }

    /** Runs a program where Slurm's programs run. */
    Commands.Answer run(String... words) {
        return host.commands().run(Commands.Command.of(LIMIT, List.of(words)));
    }

    /** Returns a spec as nodes can run it, after what they lack was sent to the login node. */
    JobSpec staged(JobSpec spec) {
        return host.sent(spec);
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
