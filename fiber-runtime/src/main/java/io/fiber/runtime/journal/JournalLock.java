// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.FiberException;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.ProcessIdentity;
import io.fiber.runtime.platform.SessionDirectory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The file beside a journal that says which process writes it. Locks of the operating system would not do: some network
 * file systems have none, or only between processes of one host. Thread-safe.
 *
 * <p>A thread of the holder writes the file anew every {@link #BEAT}. A process of this host counts as gone when its pid is.
 * One of another host or container counts as gone when its file has not changed for {@link #STALE}, measured by the clock
 * of the process that waits.
 */
final class JournalLock {

    /** Each beat writes some hundred bytes. */
    private static final Duration BEAT = Duration.ofSeconds(5);
    /** Several beats, because a busy file server may delay one. It is also how long a program waits for a lost node. */
    static final Duration STALE = Duration.ofSeconds(25);

    /** All beats have as many digits, so that each overwrites the one before. */
    private static final long FIRST_BEAT = 1_000_000_000L;

    private static final Duration LOOK = Duration.ofMillis(500);

    private final Path file;
    /** Different for each holder, even in one process. */
    private final String token = SessionDirectory.newId();

    private final ScheduledThreadPoolExecutor beating = new ScheduledThreadPoolExecutor(1, work -> {
        Thread made = new Thread(work, "fiber-journal-lock");
        made.setDaemon(true);
        return made;
    });

    private long beats;
    /** By the clock that also counts while a host sleeps. */
    private long confirmedMs;

    private boolean isLost;

    private JournalLock(Path file) {
        this.file = file;
    }

    /**
     * Takes the lock of a journal. Waits for a holder on another host until it is known to live or to be gone.
     *
     * @throws FiberException FBR-580 if another process has it, or this one
     */
    static JournalLock take(Path journal) throws IOException, InterruptedException {
        JournalLock lock = new JournalLock(journal.resolveSibling(journal.getFileName() + ".lock"));
        while (!lock.isTaken(journal)) {
            Thread.sleep(LOOK.toMillis());
        }
        lock.confirmedMs = System.currentTimeMillis();
        var unused = lock.beating.scheduleWithFixedDelay(
                lock::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
        return lock;
    }

    private boolean isTaken(Path journal) throws IOException, InterruptedException {
        try {
            Files.write(file, lines(), StandardOpenOption.CREATE_NEW);
            return true;
        } catch (FileAlreadyExistsException e) {
            List<String> seen = read();
            return !seen.isEmpty() && isGone(seen, journal) && isTakenOver(seen);
        }
    }

    /** Returns whether the holder is gone; false if the file has changed hands meanwhile. */
    private boolean isGone(List<String> seen, Path journal) throws IOException, InterruptedException {
        Optional<ProcessIdentity> holder = ProcessIdentity.of(seen);
        if (holder.isPresent() && holder.get().isOfThisBoot()) {
            if (!holder.get().isDead()) {
                throw held(journal, seen);
            }
            return true;
        }
        Logs.of(JournalLock.class)
                .log(
                        Level.INFO,
                        "Waits up to " + STALE.toSeconds() + " s to see whether the holder of '" + file
                                + "' still lives: "
                                + holder.map(ProcessIdentity::host).orElse("an unknown host") + ".");
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < STALE.toNanos()) {
            Thread.sleep(LOOK.toMillis());
            List<String> now = read();
            if (now.isEmpty()) {
                return false;
            }
            if (!now.equals(seen)) {
                throw held(journal, now);
            }
        }
        return true;
    }

    /** Several processes may see that a holder is gone. One of them creates a file named after it, and may take over. */
    private boolean isTakenOver(List<String> seen) throws IOException {
        Path claim = file.resolveSibling(file.getFileName() + "." + tokenIn(seen));
        try {
            Files.createFile(claim);
        } catch (FileAlreadyExistsException e) {
            // A process that was killed here leaves its claim to the next one.
            Duration age = Duration.ofMillis(System.currentTimeMillis()
                    - Files.getLastModifiedTime(claim).toMillis());
            if (age.compareTo(STALE) > 0) {
                Files.deleteIfExists(claim);
            }
            return false;
        }
        try {
            boolean isStill = read().equals(seen);
            if (isStill) {
                Files.write(file, lines());
            }
            return isStill;
        } finally {
            Files.deleteIfExists(claim);
        }
    }

    private static String tokenIn(List<String> lines) {
        String last = lines.get(lines.size() - 1);
        return last.replaceFirst(" .*", "").replaceAll("[^a-z0-9]", "");
    }

    private static FiberException held(Path journal, List<String> lines) {
        String holder = ProcessIdentity.of(lines)
                .map(process -> "process " + process.pid() + " of host " + process.host())
                .orElse("another process");
        return new FiberException(
                "FBR-580",
                "The journal '" + journal + "' (from CallOptions.journal) is used by " + holder
                        + ". Only one session at a time may write a journal. Wait until that one has ended, or name"
                        + " another file.");
    }

    /** Returns whether this process certainly has the lock. Looks at the file if that was not done lately. */
    synchronized boolean isHeld() {
        if (System.currentTimeMillis() - confirmedMs > 2 * BEAT.toMillis()) {
            beat();
        }
        return !isLost;
    }

    /** Renews the lock, so that others see that this process lives. */
    private synchronized void beat() {
        try {
            isLost |= !isOurs();
            if (!isLost) {
                beats++;
                // In place: a full disk must not empty the file.
                Files.write(file, lines(), StandardOpenOption.WRITE);
                confirmedMs = System.currentTimeMillis();
            }
        } catch (IOException e) {
            Logs.of(JournalLock.class).log(Level.WARNING, "The lock '" + file + "' cannot be renewed: " + e);
        }
    }

    private boolean isOurs() throws IOException {
        List<String> now = read();
        return !now.isEmpty() && tokenIn(now).equals(token);
    }

    /** Returns the content of the file; nothing if it is gone. */
    private List<String> read() throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>(ProcessIdentity.current().lines());
        lines.add(token + " " + (FIRST_BEAT + beats));
        return lines;
    }

    synchronized void release() throws IOException {
        beating.shutdownNow();
        if (isOurs()) {
            Files.deleteIfExists(file);
        }
    }
}
