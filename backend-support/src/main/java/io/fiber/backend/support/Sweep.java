// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.backend.Reaper;
import java.io.File;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes what is left of a session on the platform, in three cases. At the end of the session, this process does so.
 * If the program was killed, the reaper does so. If the platform did not answer at the end, a process does so that
 * outlives the program. The last two run the same command, a small JVM of its own. Thread-safe.
 */
public final class Sweep {

    /** Including the pauses, this takes ten minutes, and longer if each attempt takes long. */
    private static final int ATTEMPTS = 300;

    private static final long PAUSE_MS = 2_000;

    /** More than one, because the last objects that the program or the platform was creating may appear only now. */
    private static final int IDLE_ATTEMPTS = 2;

    private final Reaper reaper;
    private final List<String> command;
    private Reaper.@Nullable Registration registration;

    /**
     * Creates a sweep; nothing is registered yet.
     *
     * @param command removes what is left, see {@link #command}
     */
    public Sweep(Reaper reaper, List<String> command) {
        this.reaper = requireNonNull(reaper, "reaper");
        this.command = List.copyOf(command);
    }

    /**
     * Returns the command of a small JVM with the class path of this one.
     *
     * @param main its main class
     * @param heap its maximum heap, as for {@code -Xmx}
     * @param arguments must not contain secrets, because other users can read them
     */
    public static List<String> command(Class<?> main, String heap, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                classPath(),
                main.getName()));
        words.addAll(arguments);
        return List.copyOf(words);
    }

    private static String classPath() {
        List<String> entries = new ArrayList<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            Arrays.stream(System.getProperty(property, "").split(File.pathSeparator, -1))
                    .filter(entry -> !entry.isEmpty())
                    .map(entry -> Path.of(entry).toAbsolutePath().toString())
                    .forEach(entries::add);
        }
        return String.join(File.pathSeparator, entries);
    }

    /**
     * Removes repeatedly, for at least ten minutes or until nothing is left. The main class calls this.
     *
     * @param removal removes, and returns whether the platform answered that nothing was left to remove
     */
    public static void repeat(BooleanSupplier removal) throws InterruptedException {
        repeat(removal, PAUSE_MS);
    }

    static void repeat(BooleanSupplier removal, long pauseMs) throws InterruptedException {
        int idle = 0;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            idle = removal.getAsBoolean() ? idle + 1 : 0;
            if (idle == IDLE_ATTEMPTS) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(pauseMs);
        }
    }

    /** Registers the command to run if this process dies. Call it before anything is created on the platform. */
    public synchronized void prepare() {
        if (registration == null) {
            registration = reaper.onDeath(command);
        }
    }

    /**
     * Removes what is left at the end, if there ever was anything. If this does not succeed in time, the command is
     * started, and continues after this process has ended.
     *
     * @param removal removes, and returns whether the platform has confirmed it
     * @param warning is logged if it has not
     */
    public synchronized void finish(BooleanSupplier removal, String warning) {
        if (registration == null) {
            return;
        }
        if (!removal.getAsBoolean()) {
            System.getLogger(Sweep.class.getName()).log(Level.WARNING, warning);
            start();
        }
        registration.cancel();
    }

    /** Leaves the objects on the platform: neither the death of this process nor {@link #finish} removes them. */
    public synchronized void leave() {
        if (registration != null) {
            registration.cancel();
            registration = null;
        }
    }

    private void start() {
        try {
            new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .getOutputStream()
                    .close();
        } catch (IOException e) {
            System.getLogger(Sweep.class.getName())
                    .log(
                            Level.WARNING,
                            "The process that would remove the leftovers could not be started:" + " " + command,
                            e);
        }
    }
}
