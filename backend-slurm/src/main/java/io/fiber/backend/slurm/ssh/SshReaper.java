// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import com.jcraft.jsch.JSch;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The main class of a small JVM that does on the login node what is left to do after the end of a program. */
public final class SshReaper {

    /** The name of that JVM among the processes of this host. */
    public static final String NAME = "fiber-slurm-over-ssh";

    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** For somewhat more than ten minutes. */
    private static final int ATTEMPTS = 150;

    private static final long PAUSE_S = 5;
    private static final String END = "--";

    private SshReaper() {}

    /** Returns words of this host that have these run on the login node until they succeed, for some minutes. */
    public static List<String> words(SshOptions options, List<String> words) {
        String classPath = Stream.of(SshReaper.class, Commands.class, BackendException.class, JSch.class)
                .map(SshReaper::origin)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
        List<String> all = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                "trap '' INT TERM HUP QUIT; exec \"$@\"",
                NAME,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + NAME,
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                SshReaper.class.getName()));
        options.texts().forEach((name, text) -> all.add(name + "=" + text));
        all.add(END);
        all.addAll(words);
        return all;
    }

    private static String origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs words on the login node until they succeed. */
    public static void main(String[] arguments) throws Exception {
        List<String> all = List.of(arguments);
        int end = all.indexOf(END);
        SshOptions options = new SshOptions(all.subList(0, end).stream()
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1])));
        List<String> words = all.subList(end + 1, all.size());
        Path directory = Files.createTempDirectory("fiber-ssh");
        try {
            for (int attempt = 1; attempt <= ATTEMPTS && !isDone(options, directory, words); attempt++) {
                TimeUnit.SECONDS.sleep(PAUSE_S);
            }
        } finally {
            directory.toFile().delete();
        }
    }

    private static boolean isDone(SshOptions options, Path directory, List<String> words) {
        try (SshHost host = SshHost.of(options, Environment.system(), directory)) {
            return host.run("exec " + SshHost.line(words), new byte[0], LIMIT).isGood();
        } catch (BackendException e) {
            return false;
        }
    }
}
