// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** The main class of a small JVM that does on the login node what is left to do after the end of a program. */
final class SshReaper {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** For somewhat more than ten minutes. */
    private static final int ATTEMPTS = 150;

    private static final long PAUSE_S = 5;
    private static final int OWN_ARGUMENTS = 6;

    private SshReaper() {}

    /** Returns the arguments of {@link #main} that have these words run. */
    static List<String> arguments(SshOptions options, List<String> words) {
        List<String> all = new ArrayList<>(List.of(
                options.host(),
                options.user().orElse(""),
                options.port().isPresent() ? String.valueOf(options.port().getAsInt()) : "",
                options.key().map(Path::toString).orElse(""),
                options.knownHosts().map(Path::toString).orElse(""),
                options.config().map(Path::toString).orElse("")));
        all.addAll(words);
        return all;
    }

    /** Runs words on the login node until they succeed. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> all = List.of(arguments);
        SshOptions options = new SshOptions(
                SshOptions.Client.JSCH,
                all.get(0),
                text(all.get(1)),
                text(all.get(2)).map(Integer::parseInt).map(OptionalInt::of).orElse(OptionalInt.empty()),
                text(all.get(3)).map(Path::of),
                text(all.get(4)).map(Path::of),
                text(all.get(5)).map(Path::of));
        List<String> words = all.subList(OWN_ARGUMENTS, all.size());
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try (SshHost host = new SshHost(new JschWay(SshConfig.of(options, Environment.system())))) {
                if (host.run("exec " + SshHost.line(words), new byte[0], LIMIT).isGood()) {
                    return;
                }
            } catch (BackendException e) {
                // It is tried again.
            }
            TimeUnit.SECONDS.sleep(PAUSE_S);
        }
    }

    private static Optional<String> text(String argument) {
        return Optional.of(argument).filter(text -> !text.isEmpty());
    }
}
