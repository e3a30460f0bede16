// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.runtime.logging.Logs;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.Reaper;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Class-data archives, made once for each JVM, class path and set of options. They are kept between sessions in {@code
 * ${XDG_CACHE_HOME:-~/.cache}/fiber/cds} or a directory from the settings. With an archive, a JVM starts faster and
 * computes less.
 *
 * <p>A JVM that runs only for this purpose writes the archive, because writing would delay a worker's exit by a second.
 * Failures cost only time: they are logged for debugging, and workers start without an archive.
 *
 * <p>Thread-safe. Only {@link #awaitTraining} and {@link #close} block for longer than a few file operations.
 */
public final class ClassDataArchive implements AutoCloseable {

    private static final System.Logger LOG = Logs.of(ClassDataArchive.class);

    /** An archive that does not fit is never fatal, but a JVM prints warnings about it on standard output. */
    private static final List<String> QUIET = List.of("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off");

    /** Options of this JVM must not apply to the training run, which may find a debugger's port in use. */
    private static final List<String> VARIABLES_OF_JVMS =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private static final int TRAINING_LIMIT_SECONDS = 120;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final Path NICE = Path.of("/usr/bin/nice");
    /**
     * At this niceness, a pool that keeps all processors busy leaves a tenth of one to the training run. At 19 it would
     * leave nothing, and a program that computes from its first to its last second would never have its archive.
     */
    private static final String TRAINING_NICENESS = "5";

    private final ArchiveStore store;
    /** Whether the directory existed before this object. */
    private final boolean lasting;

    private final Reaper reaper;
    private @Nullable Thread trainer;
    private boolean closed;
    /** Whether an archive was found for a launch. */
    private volatile boolean found;
    /** Whether a program has waited for the archive in vain. */
    private volatile boolean overdue;

    /** The parts of this JVM's command line on which an archive depends. The archive contains classes of the jars. */
    public record Launch(List<String> jvmOptions, List<String> jars) {
        public Launch {
            jvmOptions = List.copyOf(jvmOptions);
            jars = List.copyOf(jars);
        }
    }

    private ClassDataArchive(ArchiveStore store, boolean lasting, Reaper reaper) {
        this.store = store;
        this.lasting = lasting;
        this.reaper = reaper;
    }

    /**
     * Opens the archives of this user; empty if their directory cannot be made, or others can write to it.
     *
     * @param named directory of the archives; empty for the one in the user's cache
     * @param reaper ends a training run when this process is killed
     */
    public static Optional<ClassDataArchive> open(Optional<Path> named, Environment environment, Reaper reaper) {
        Optional<Path> chosen = named.isPresent()
                ? named
                : UserDirectory.CACHE
                        .find(environment)
                        .map(cache -> cache.resolve("fiber").resolve("cds"));
        if (chosen.isEmpty()) {
            LOG.log(
                    Level.DEBUG,
                    "No class-data archives are kept: this user has no home. The setting cds.directory or the variable"
                            + " XDG_CACHE_HOME names a directory for them.");
            return Optional.empty();
        }
        Path directory = chosen.get().toAbsolutePath();
        try {
            Path parent = directory.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            boolean lasting = Files.exists(directory);
            return Optional.of(
                    new ClassDataArchive(new ArchiveStore(PrivateDirectory.createOrCheck(directory)), lasting, reaper));
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "No class-data archives are kept in '" + directory + "': " + e);
            return Optional.empty();
        }
    }

    /**
     * Returns the JVM options for using the archive of this launch; none if there is no archive. They belong before the
     * launch's own options, and its jars at the front of the class path. The JVM prints nothing if the archive turns
     * out not to fit.
     */
    public List<String> optionsFor(Launch launch) {
        try {
            Optional<ArchiveKey> key = ArchiveKey.of(launch);
            Optional<Path> archive = key.isPresent() ? store.find(key.get()) : Optional.empty();
            if (archive.isEmpty()) {
                return List.of();
            }
            found = true;
            List<String> options = new ArrayList<>(QUIET);
            options.add("-XX:SharedArchiveFile=" + archive.get());
            return List.copyOf(options);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "The archive of " + launch + " cannot be used: " + e);
            return List.of();
        }
    }

    /**
     * Makes the archive of a launch, unless it exists, this object or another process makes it, this object has made
     * it, or it could not be made in the last 24 hours. A JVM of low priority runs {@code main}, which should do what a
     * worker does at its start, and end. The classes that it loads are archived. Its output is discarded and its input
     * is empty.
     *
     * @param main a class of the launch's jars
     * @param arguments of the main class; no secrets
     */
    public synchronized void trainInBackground(Launch launch, String main, List<String> arguments) {
        if (closed || found || trainer != null) {
            return;
        }
        List<String> words = List.copyOf(arguments);
        Thread thread = new Thread(() -> train(launch, main, words), "fiber-cds");
        thread.setDaemon(true);
        trainer = thread;
        thread.start();
    }

    /**
     * Waits until the archive is complete, so that a short program has one the next time. Returns early after an
     * interrupt. Does not wait if this object created the directory, because a container that is new each time would
     * wait each time. An archive that takes longer than the limit is not tried again before the next day.
     */
    public void awaitTraining(Duration limit) {
        Thread running = trainer();
        if (running != null && lasting) {
            join(running, limit);
            overdue = running.isAlive() && !Thread.currentThread().isInterrupted();
        }
    }

    private synchronized @Nullable Thread trainer() {
        return trainer;
    }

    private static void join(Thread thread, Duration limit) {
        try {
            thread.join(limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void train(Launch launch, String main, List<String> arguments) {
        try {
            Optional<ArchiveKey> key = ArchiveKey.of(launch);
            if (key.isPresent() && store.find(key.get()).isEmpty() && store.claim(key.get())) {
                try {
                    Path written = store.temporary(key.get());
                    makeArchive(key.get(), written, command(launch, written, main, arguments));
                } finally {
                    store.release(key.get());
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "The archive of " + launch + " cannot be made: " + e);
        }
    }

    private void makeArchive(ArchiveKey key, Path written, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD);
        builder.environment().keySet().removeAll(VARIABLES_OF_JVMS);
        Process process = builder.start();
        process.getOutputStream().close();
        Reaper.Registration registration = reaper.onDeath(List.of("kill", "-KILL", Long.toString(process.pid())));
        try {
            boolean ended = process.waitFor(TRAINING_LIMIT_SECONDS, TimeUnit.SECONDS);
            if (ended && process.exitValue() == 0 && Files.exists(written)) {
                store.publish(key, written);
            } else {
                LOG.log(Level.DEBUG, "The training run failed or took too long: " + command);
                store.markFailed(key);
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "The training run was given up, because the session ends.");
            if (overdue) {
                store.markFailed(key);
            }
        } finally {
            endNow(process);
            registration.cancel();
            Files.deleteIfExists(written);
        }
    }

    private static void endNow(Process process) {
        process.destroyForcibly();
        try {
            process.waitFor(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> command(Launch launch, Path written, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(NICE)) {
            command.addAll(List.of(NICE.toString(), "-n", TRAINING_NICENESS));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUIET);
        command.add("-XX:ArchiveClassesAtExit=" + written);
        command.addAll(launch.jvmOptions());
        command.addAll(List.of("-cp", String.join(File.pathSeparator, launch.jars()), main));
        command.addAll(arguments);
        return command;
    }

    /** Aborts an unfinished training run, and blocks until its JVM has ended. Idempotent. */
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = trainer;
        }
        if (running != null) {
            running.interrupt();
            join(running, CLOSE_LIMIT);
        }
    }
}
