// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * The main class of the small JVM that does on the login node what is left to do when a program was killed: its own
 * session is gone with it.
 */
final class SshReaper {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Somewhat more than ten minutes. */
    private static final int ATTEMPTS = 150;

    private static final long PAUSE_S = 5;
    private static final int OWN_ARGUMENTS = 6;

    private SshReaper() {}

    /** Returns the arguments of {@link #main} that run these words on this login node. */
    static List<String> arguments(SshOptions options, List<String> words) {
        List<String> all = new ArrayList<>(List.of(
                options.host(),
                options.user().orElse(""),
                options.port().isPresent() ? String.valueOf(options.port().getAsInt()) : "",
                options.key().map(Path::toString).orElse(""),
                options.knownHosts().map(Path::toString).orElse(""),
                options.config().toString()));
        all.addAll(words);
        return all;
    }

    /** Runs words on a login node, again when it cannot be reached or they do not end well. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> all = List.of(arguments);
        SshOptions options = new SshOptions(
                all.get(0),
                text(all.get(1)),
                text(all.get(2)).map(Integer::parseInt).map(OptionalInt::of).orElse(OptionalInt.empty()),
                text(all.get(3)).map(Path::of),
                text(all.get(4)).map(Path::of),
                Path.of(all.get(5)));
        // As a login shell has it: Slurm's programs may be on no other PATH.
        List<String> words = new ArrayList<>(List.of("bash", "-l", "-c", "exec \"$@\"", "fiber"));
        words.addAll(all.subList(OWN_ARGUMENTS, all.size()));
        SshTarget target = SshTarget.of(options, Path.of(System.getProperty("user.home")), Environment.system());
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try (SshConnection connection = new SshConnection(target)) {
                if (new SshShell(connection)
                        .run("exec " + SshShell.line(words), new byte[0], LIMIT)
                        .isGood()) {
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
