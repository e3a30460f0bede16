// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.FiberException;
import io.fiber.runtime.platform.ProcessIdentity;
import io.fiber.runtime.platform.SessionDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The file beside a journal that says which process writes it. Locks of the operating system would not do: some network
 * file systems have none, or only between processes of one host.
 *
 * <p>The holder writes the file anew every {@link #BEAT}. A process of this host is known to be gone when its pid is; one
 * of another host, or of another container, when its file has not changed for {@link #STALE}, measured by the clock of the
 * process that waits.
 */
final class JournalLock {

    /** Each beat writes some hundred bytes. */
    static final Duration BEAT = Duration.ofSeconds(5);
    /** Several beats, because a busy file server may delay one. It is also what a program waits for after a lost node. */
    static final Duration STALE = Duration.ofSeconds(25);

    /** All beats have as many digits, so that each overwrites the one before. */
    private static final long FIRST_BEAT = 1_000_000_000L;

    private static final Duration LOOK = Duration.ofMillis(500);
    /** Of two processes that take over a lock at once, the first one sees the mark of the other after this. */
    private static final Duration SETTLE = Duration.ofMillis(300);

    private final Path file;
    /** Different for each holder, even in one process. */
    private final String token = SessionDirectory.newId();

    private long beats;

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
        return lock;
    }

    private boolean isTaken(Path journal) throws IOException, InterruptedException {
        try {
            Files.write(file, lines(), StandardOpenOption.CREATE_NEW);
            return true;
        } catch (FileAlreadyExistsException e) {
            return isTakenOver(journal);
        }
    }

    private boolean isTakenOver(Path journal) throws IOException, InterruptedException {
        List<String> seen = read();
        Optional<ProcessIdentity> holder = ProcessIdentity.of(seen);
        if (holder.isPresent() && holder.get().isOfThisHost() && !holder.get().isDead()) {
            throw held(journal, seen);
        }
        if (holder.isEmpty() || !holder.get().isOfThisHost()) {
            long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < STALE.toNanos()) {
                Thread.sleep(LOOK.toMillis());
                List<String> now = read();
                if (!now.equals(seen)) {
                    if (now.isEmpty()) {
                        return false;
                    }
                    throw held(journal, now);
                }
            }
        }
        Files.write(file, lines());
        Thread.sleep(SETTLE.toMillis());
        return isOurs();
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

    /** Tells the others that this process lives; returns false if another one has taken the lock over. */
    boolean beat() throws IOException {
        if (!isOurs()) {
            return false;
        }
        beats++;
        // In place: a full disk must not empty the file.
        Files.write(file, lines(), StandardOpenOption.WRITE);
        return true;
    }

    private boolean isOurs() throws IOException {
        List<String> now = read();
        return !now.isEmpty() && now.get(now.size() - 1).startsWith(token);
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

    void release() throws IOException {
        if (isOurs()) {
            Files.deleteIfExists(file);
        }
    }
}
