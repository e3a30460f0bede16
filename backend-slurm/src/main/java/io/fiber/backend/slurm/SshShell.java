// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts of the standard shell on the login node, by shells that stay: they share one connection, which is opened at
 * the first use, and opened again when it has broken, after pauses that double while that fails. Thread-safe; blocks.
 */
final class SshShell implements AutoCloseable {

    private static final int MOST_IN_A_LINE = 8 * 1024;

    /** Servers allow ten sessions in a connection as a rule. */
    private static final int MOST_PROCESSES = 6;

    /** A shell that has rested for longer is asked first whether it is there: what is lost on the way may have been run. */
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);

    /** Of what the account's own start-up files do. */
    private static final Duration BEGIN_LIMIT = Duration.ofSeconds(20);

    private static final int LAST_CONNECT_SECONDS = 2;
    private static final long SHORTEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(8);
    private static final String SOCKET = "ssh";
    /** While ssh makes it, its name is longer. */
    private static final int LONGEST_SOCKET_BYTES = 85;

    private final SshTarget target;
    private final Path directory;
    private final Optional<Path> socket;
    private final Semaphore turns = new Semaphore(MOST_PROCESSES, true);
    private final ReentrantLock opening = new ReentrantLock(true);
    private final Set<SshProcess> processes = ConcurrentHashMap.newKeySet();
    private final Deque<SshProcess> resting = new ConcurrentLinkedDeque<>();

    /** The shell that the connection belongs to does nothing else: it is never given up for a script, and ends with this JVM. */
    private @Nullable SshProcess connection;

    private @Nullable BackendException lastFailure;
    private long pauseNs = SHORTEST_PAUSE_NS;
    private volatile long openAgainNs;
    private volatile boolean leaving;
    private volatile long endNs;
    private volatile boolean closed;

    /**
     * Creates it; nothing is opened.
     *
     * @param directory of this user alone, where it can make files
     */
    SshShell(SshTarget target, Path directory) {
        this.target = target;
        this.directory = directory;
        this.socket = Optional.of(directory.resolve(SOCKET))
                .filter(path ->
                        target.canShareConnection() && path.toString().getBytes(UTF_8).length <= LONGEST_SOCKET_BYTES);
    }

    SshTarget target() {
        return target;
    }

    /** Returns words as a line that a shell takes for these words. */
    static String line(List<String> words) {
        return words.stream().map(BatchScript::quoted).collect(Collectors.joining(" "));
    }

    /**
     * Runs a script to its end.
     *
     * @param input what it reads
     * @throws BackendUnavailableException when the host cannot be reached, does not run it (FBR-210), or it did not end
     *     in time
     */
    Commands.Answer run(String script, byte[] input, Duration limit) {
        // A connection that breaks would look like the end of an input that follows.
        return decoded(answer(script, fed(script, input), Optional.empty(), limit));
    }

    /** What reads little need not be the last one. */
    private static String fed(String script, byte[] input) {
        return input.length == 0
                ? script
                : "printf %b '" + RemoteLine.encoded(input) + "' 2>/dev/null | (\n" + script + "\n)";
    }

    private static Commands.Answer decoded(Commands.Answer answer) {
        return new Commands.Answer(
                answer.exitCode(), new String(answer.output().getBytes(ISO_8859_1), UTF_8), answer.errors());
    }

    /** Runs a script about files and returns what it wrote; an answer that is not good is an exception with what it said. */
    String script(String text, Duration limit) throws IOException {
        return new String(bytes(text, Optional.empty(), limit), UTF_8);
    }

    /** Does the same with a script that reads a few bytes. */
    String script(String text, byte[] input, Duration limit) throws IOException {
        return input.length <= MOST_IN_A_LINE
                ? script(fed(text, input), limit)
                : script(text, to -> to.write(input), limit);
    }

    /** Does the same with a script that reads more; the limit begins anew with each piece of it that is taken. */
    String script(String text, SshProcess.Input input, Duration limit) throws IOException {
        return new String(bytes(text, Optional.of(input), limit), UTF_8);
    }

    /** Does the same with a script that writes any bytes. */
    byte[] bytes(String script, Optional<SshProcess.Input> input, Duration limit) throws IOException {
        try {
            Commands.Answer answer = answer(script, script, input, limit);
            if (!answer.isGood()) {
                throw new IOException("the login node " + target.named() + " says: "
                        + decoded(answer).complaint() + " (exit code " + answer.exitCode() + ")");
            }
            return answer.output().getBytes(ISO_8859_1);
        } catch (BackendException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Commands.Answer answer(String shown, String sent, Optional<SshProcess.Input> input, Duration limit) {
        try {
            turns.acquire();
            try {
                return inTurn(shown, sent, input, limit);
            } finally {
                turns.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException(
                    "FBR-130 The wait for '" + shortened(shown) + "' was interrupted.", e);
        }
    }

    private Commands.Answer inTurn(String shown, String sent, Optional<SshProcess.Input> input, Duration limit)
            throws InterruptedException {
        SshProcess process = ready();
        boolean isGood = false;
        try {
            boolean isSent = process.send(sent, input, () -> late(limit));
            Optional<Commands.Answer> answer = isSent ? process.answer(late(limit)) : Optional.empty();
            if (answer.isPresent()) {
                isGood = input.isEmpty();
                return answer.get();
            }
            throw closed || isOver()
                    ? isClosed()
                    : isSent && !process.isAlive()
                            ? lost(shown)
                            : notInTime(shown, isSent ? "not ended within " : "read nothing more for ", limit);
        } catch (IOException e) {
            throw closed ? isClosed() : SshFailures.unreachable(target, e.toString());
        } finally {
            if (isGood) {
                resting.push(process);
            } else {
                drop(process);
            }
        }
    }

    private BackendUnavailableException notInTime(String script, String what, Duration limit) {
        return new BackendUnavailableException("FBR-130 Slurm does not answer: '" + shortened(script)
                + "' has " + what + limit.toMillis() + " ms on the login node " + target.named()
                + ". Running jobs go on; Fiber asks again.");
    }

    private BackendUnavailableException lost(String script) {
        dropResting();
        return SshFailures.lost(target, shortened(script));
    }

    /** They have the same connection as one that has failed. */
    private void dropResting() {
        for (SshProcess other = resting.poll(); other != null; other = resting.poll()) {
            drop(other);
        }
    }

    private BooleanSupplier late(Duration limit) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        return () -> closed || isOver() || System.nanoTime() - deadlineNs >= 0;
    }

    private boolean isOver() {
        return leaving && System.nanoTime() - endNs >= 0;
    }

    private SshProcess ready() throws InterruptedException {
        for (SshProcess process = resting.poll(); process != null; process = resting.poll()) {
            if (process.isAlive()) {
                if (process.restsNs() < FRESH_NS || isThere(process)) {
                    return process;
                }
                dropResting();
            }
            drop(process);
        }
        opening.lockInterruptibly();
        try {
            return open();
        } finally {
            opening.unlock();
        }
    }

    private boolean isThere(SshProcess process) throws InterruptedException {
        try {
            return process.send(":", Optional.empty(), () -> late(target.connectLimit()))
                    && process.answer(late(target.connectLimit())).isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private SshProcess open() throws InterruptedException {
        BackendException failure = lastFailure;
        if (closed || isOver()) {
            throw isClosed();
        }
        if (failure != null && (leaving || System.nanoTime() - openAgainNs < 0)) {
            throw again(failure);
        }
        try {
            SshProcess fresh = begin();
            lastFailure = null;
            pauseNs = SHORTEST_PAUSE_NS;
            return fresh;
        } catch (BackendException e) {
            lastFailure = e;
            openAgainNs = System.nanoTime() + pauseNs;
            pauseNs = Math.min(LONGEST_PAUSE_NS, pauseNs * 2);
            throw e;
        }
    }

    /** Of a connection that was there before it is not known whether it still is: where a shell cannot begin, it is given up. */
    private SshProcess begin() throws InterruptedException {
        SshProcess owner = connection;
        if (owner != null && owner.isAlive()) {
            try {
                return begin("no");
            } catch (BackendUnavailableException e) {
                if (closed || leaving || !SshFailures.isOfTheWay(e)) {
                    throw e;
                }
                drop(owner);
            }
        }
        if (socket.isPresent()) {
            connection = begin("auto");
        }
        return begin("no");
    }

    /** Where there is no place for a socket, each shell has a connection of its own. */
    private SshProcess begin(String isMaster) throws InterruptedException {
        List<String> more = new ArrayList<>();
        socket.ifPresent(path -> more.addAll(List.of(
                "-o",
                "ControlPath=\"" + SshOptions.escaped(path) + "\"",
                "-o",
                "ControlMaster=" + isMaster,
                "-o",
                "ControlPersist=no")));
        if (leaving && target.connectLimit().toSeconds() > LAST_CONNECT_SECONDS) {
            more.addAll(List.of("-o", "ConnectTimeout=" + LAST_CONNECT_SECONDS));
        }
        Duration limit = target.connectLimit().plus(BEGIN_LIMIT);
        try {
            SshProcess process = new SshProcess(target, more, directory);
            processes.add(process);
            boolean isGood = false;
            try {
                isGood = process.awaitBegin(late(limit)) && !closed;
                if (isGood) {
                    return process;
                }
                if (closed || isOver()) {
                    throw isClosed();
                }
                throw process.isAlive()
                        ? SshFailures.notBegun(target, limit)
                        : SshFailures.ofConnecting(target, process.said());
            } finally {
                if (!isGood) {
                    drop(process);
                }
            }
        } catch (IOException e) {
            throw closed ? isClosed() : SshFailures.unreachable(target, e.toString());
        }
    }

    private static BackendException again(BackendException failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof BackendUnavailableException
                ? new BackendUnavailableException(message, failure)
                : new BackendException(message, failure);
    }

    private BackendUnavailableException isClosed() {
        return new BackendUnavailableException(
                "FBR-150 The session with the login node " + target.named() + " is closed.");
    }

    private void drop(SshProcess process) {
        processes.remove(process);
        try {
            process.close();
        } catch (IOException e) {
            log("A file is not closed.", e);
        }
    }

    /** Ends the pause after a failure: a caller waits for an answer. */
    void tryNow() {
        openAgainNs = System.nanoTime();
    }

    /**
     * From now on a connection that breaks, and cannot be opened at once, is not waited for; after a limit nothing is waited
     * for any more.
     */
    void leave(Duration limit) {
        endNs = System.nanoTime() + limit.toNanos();
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    private static String shortened(String script) {
        String first = script.lines().findFirst().orElse("");
        return first.length() <= 80 ? first : first.substring(0, 80) + " ...";
    }

    @Override
    public void close() {
        closed = true;
        processes.forEach(this::drop);
        try {
            // It would be gone in a moment.
            Files.deleteIfExists(directory.resolve(SOCKET));
        } catch (IOException e) {
            log("A socket stays.", e);
        }
    }

    private static void log(String message, IOException cause) {
        System.getLogger(SshShell.class.getName()).log(System.Logger.Level.DEBUG, message, cause);
    }
}
