// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A login node: runs scripts of the standard shell there. Its connection is opened at the first use, and
 * opened again when it has broken, after pauses that double while that fails. Thread-safe; blocks.
 */
public final class SshHost implements AutoCloseable {

    /** OpenSSH's server allows ten sessions per connection by default; the rest is left to the user's own. */
    private static final int MOST_AT_ONCE = 6;

    /** Linux allows 128 KiB for one argument. A longer script is sent as input, which costs the far side two more programs. */
    private static final int LONGEST_LINE = 64 * 1024;

    /** How long the account's start-up files may take. Many load modules over a network; few hang. */
    private static final Duration BEGIN_LIMIT = Duration.ofSeconds(20);

    /**
     * How long a client may take to notice that its connection has broken: milliseconds, and longer on a busy host. A real
     * failure is reported later by this.
     */
    static final long NOTICE_NS = TimeUnit.SECONDS.toNanos(1);

    private static final Duration LAST_CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final long SHORTEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(8);
    static final long LONGEST_LOOK_MS = 20;
    private static final int PIECE_BYTES = 8 * 1024;
    private static final String READ_SCRIPT =
            "script=$(head -c %1$d) && [ ${#script} -eq %1$d ] && eval \"$(printf %%b \"$script\")\"";

    private final SshConfig target;
    private final Way way;
    private final Semaphore turns = new Semaphore(MOST_AT_ONCE, true);
    private final ReentrantLock opening = new ReentrantLock(true);
    private final Set<Way.Exec> running = ConcurrentHashMap.newKeySet();
    private volatile @Nullable BackendException lastFailure;
    private volatile long pauseNs = SHORTEST_PAUSE_NS;
    private volatile long openAgainNs;
    private volatile boolean leaving;
    private volatile long endNs;
    private volatile boolean closed;

    /** What a script reads. */
    public interface Input {
        /** Writes all of it. */
        void writeTo(OutputStream to) throws IOException;
    }

    private SshHost(SshConfig target, Way way) {
        this.target = target;
        this.way = way;
    }

    /**
     * Chooses the client of SSH; opens nothing.
     *
     * @param directory where the client can make files, of this user alone
     * @throws BackendException FBR-158, FBR-211 or FBR-212 if the login node cannot be reached like this
     */
    public static SshHost of(SshOptions options, Environment environment, Path directory) {
        SshConfig config = SshConfig.of(options, environment);
        if (!options.isBy("program")) {
            Optional<String> reason = config.needsProgram();
            if (reason.isEmpty()) {
                return new SshHost(config, new JschWay(config));
            }
            if (options.isBy("jsch") || config.program().isEmpty()) {
                throw SshFailures.notFollowed(config, reason.get());
            }
            System.getLogger(SshHost.class.getName())
                    .log(
                            Level.INFO,
                            "The SSH configuration has " + reason.get() + " for the way to the login node "
                                    + config.named() + ". Only the program ssh can follow that, so it is used.");
        }
        return new SshHost(config, new ProgramWay(config, directory));
    }

    /** Returns what error messages call it. */
    public SshConfig target() {
        return target;
    }

    /**
     * Returns the host by whose network it is reached.
     *
     * @throws BackendException FBR-134 if only a command knows the way there
     */
    public String nearest() {
        return target.nearest();
    }

    /** Returns words as a line that a shell takes for these words. */
    public static String line(List<String> words) {
        return words.stream().map(BatchScript::quoted).collect(Collectors.joining(" "));
    }

    /**
     * Runs a script to its end.
     *
     * @param input what it reads
     * @throws BackendUnavailableException if the host cannot be reached, does not run it (FBR-210), or it did not end
     *     in time
     */
    public Commands.Answer run(String script, byte[] input, Duration limit) {
        // A connection that breaks would look like the end of an input that follows.
        String fed = input.length == 0
                ? script
                : "printf %b '" + RemoteLine.encoded(input) + "' 2>/dev/null | (\n" + script + "\n)";
        return decoded(new Run(script, limit).answer(fed, Optional.empty()));
    }

    private static Commands.Answer decoded(Commands.Answer answer) {
        return new Commands.Answer(
                answer.exitCode(),
                new String(answer.output().getBytes(ISO_8859_1), UTF_8),
                new String(answer.errors().getBytes(ISO_8859_1), UTF_8));
    }

    /** Runs a script about files and returns what it wrote. Throws what it said if its exit code is not 0. */
    public String script(String text, Duration limit) throws IOException {
        return new String(bytes(text, Optional.empty(), limit), UTF_8);
    }

    /** Does the same with a script that reads. The limit begins again with each piece that is taken. */
    public String script(String text, Input input, Duration limit) throws IOException {
        return new String(bytes(text, Optional.of(input), limit), UTF_8);
    }

    /** Does the same with a script that writes any bytes. */
    public byte[] bytes(String script, Optional<Input> input, Duration limit) throws IOException {
        try {
            Commands.Answer answer = new Run(script, limit).answer(script, input);
            if (!answer.isGood()) {
                throw new IOException("the login node " + target.named() + " says: "
                        + decoded(answer).complaint() + " (exit code " + answer.exitCode() + ")");
            }
            return answer.output().getBytes(ISO_8859_1);
        } catch (BackendException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** One run of a script. */
    private final class Run {
        private final String what;
        private final Duration limit;

        Run(String script, Duration limit) {
            String first = script.lines().findFirst().orElse("");
            this.what = first.length() <= 80 ? first : first.substring(0, 80) + " ...";
            this.limit = limit;
        }

        Commands.Answer answer(String script, Optional<Input> input) {
            String line = RemoteLine.of(script);
            Optional<Input> all = input;
            if (line.length() > LONGEST_LINE) {
                byte[] encoded = RemoteLine.encoded(script.getBytes(UTF_8)).getBytes(UTF_8);
                line = RemoteLine.of(READ_SCRIPT.formatted(encoded.length));
                all = Optional.of(to -> {
                    to.write(encoded);
                    if (input.isPresent()) {
                        input.get().writeTo(to);
                    }
                });
            }
            try {
                turns.acquire();
                try {
                    try (Way.Exec exec = start(line)) {
                        running.add(exec);
                        return answer(exec, all);
                    }
                } finally {
                    running.removeIf(exec -> !exec.isAlive().getAsBoolean());
                    turns.release();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new BackendUnavailableException("FBR-130 The wait for '" + what + "' was interrupted.", e);
            } catch (IOException e) {
                throw closed ? isClosed() : SshFailures.lost(target, what);
            }
        }

        /**
         * Starts the script. If it cannot be started, the connection has just broken, which the client may notice a moment
         * later. Then a new one is opened.
         */
        private Way.Exec start(String line) throws IOException, InterruptedException {
            long dueNs = System.nanoTime() + NOTICE_NS;
            while (true) {
                connect();
                try {
                    return way.start(line, connectLimit());
                } catch (IOException e) {
                    if (isOver() || System.nanoTime() - dueNs >= 0) {
                        throw e;
                    }
                    TimeUnit.MILLISECONDS.sleep(LONGEST_LOOK_MS);
                }
            }
        }

        private Commands.Answer answer(Way.Exec exec, Optional<Input> input) throws IOException, InterruptedException {
            if (input.isEmpty()) {
                write(exec.input(), to -> {});
            }
            awaitBegin(exec);
            boolean isSent = input.isEmpty() || send(exec, input.get());
            Way.Look<Optional<Commands.Answer>> end = () -> isSent
                    ? RemoteLine.answer(exec.output().look(), exec.errors().look())
                    : Optional.empty();
            if (isSent && await(exec, () -> end.look().isPresent(), late(limit))) {
                return end.look().orElseThrow();
            }
            if (isOver()) {
                throw isClosed();
            }
            throw isSent && !exec.isAlive().getAsBoolean()
                    ? SshFailures.lost(target, what)
                    : new BackendUnavailableException("FBR-130 Slurm does not answer: '" + what + "' has "
                            + (isSent ? "not ended within " : "read nothing more for ") + limit.toMillis()
                            + " ms on the login node " + target.named() + ". Running jobs go on; Fiber asks again.");
        }

        private void awaitBegin(Way.Exec exec) throws IOException, InterruptedException {
            Duration beginLimit = target.connectLimit().plus(BEGIN_LIMIT);
            Way.Look<Boolean> begin = () -> RemoteLine.hasBegun(exec.output().look())
                    && RemoteLine.hasBegun(exec.errors().look());
            if (await(exec, begin, late(beginLimit))) {
                lastFailure = null;
                pauseNs = SHORTEST_PAUSE_NS;
                return;
            }
            if (isOver()) {
                throw isClosed();
            }
            if (exec.isAlive().getAsBoolean()) {
                throw SshFailures.notBegun(target, beginLimit);
            }
            throw way.notBegun(
                            exec.exitCode().getAsInt(),
                            exec.output().look(),
                            exec.errors().look())
                    .map(SshHost.this::failed)
                    .orElseGet(() -> SshFailures.lost(target, what));
        }

        /** A write that waits ends by nothing but the end of what should read. */
        private boolean send(Way.Exec exec, Input input) throws IOException, InterruptedException {
            Pieces pieces = new Pieces(exec.input());
            Thread sender = new Thread(() -> write(pieces, input), "fiber-ssh-sender");
            sender.setDaemon(true);
            sender.start();
            BooleanSupplier isLate = () -> isOver() || System.nanoTime() - pieces.takenNs >= limit.toNanos();
            return await(exec, () -> !sender.isAlive(), isLate)
                    || !exec.isAlive().getAsBoolean();
        }
    }

    private static void write(OutputStream to, Input input) {
        try (to) {
            input.writeTo(to);
        } catch (IOException e) {
            // How it has ended says more.
        }
    }

    /** Notes when something was taken. */
    private static final class Pieces extends FilterOutputStream {
        private volatile long takenNs = System.nanoTime();

        Pieces(OutputStream to) {
            super(to);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            for (int done = 0; done < count; done += PIECE_BYTES) {
                out.write(bytes, from + done, Math.min(PIECE_BYTES, count - done));
                takenNs = System.nanoTime();
            }
        }
    }

    private static boolean await(Way.Exec exec, Way.Look<Boolean> look, BooleanSupplier isLate)
            throws IOException, InterruptedException {
        long lookMs = 1;
        while (true) {
            boolean isLast = !exec.isAlive().getAsBoolean() || isLate.getAsBoolean();
            if (look.look()) {
                return true;
            }
            if (isLast) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(lookMs);
            lookMs = Math.min(LONGEST_LOOK_MS, lookMs * 2);
        }
    }

    private BooleanSupplier late(Duration limit) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        return () -> isOver() || System.nanoTime() - deadlineNs >= 0;
    }

    private boolean isOver() {
        return closed || (leaving && System.nanoTime() - endNs >= 0);
    }

    private Duration connectLimit() {
        Duration limit = target.connectLimit();
        return leaving && limit.compareTo(LAST_CONNECT_LIMIT) > 0 ? LAST_CONNECT_LIMIT : limit;
    }

    private void connect() throws InterruptedException {
        BackendException failure = lastFailure;
        if (failure != null && (leaving || System.nanoTime() - openAgainNs < 0)) {
            String message = String.valueOf(failure.getMessage());
            throw failure instanceof BackendUnavailableException
                    ? new BackendUnavailableException(message, failure)
                    : new BackendException(message, failure);
        }
        do {
            if (isOver()) {
                throw isClosed();
            }
            if (way.isOpen()) {
                return;
            }
        } while (!opening.tryLock(LONGEST_LOOK_MS, TimeUnit.MILLISECONDS));
        try {
            if (!way.isOpen()) {
                way.open(connectLimit());
                lastFailure = null;
            }
        } catch (BackendException e) {
            throw closed ? isClosed() : failed(e);
        } finally {
            opening.unlock();
        }
        if (closed) {
            way.close();
            throw isClosed();
        }
    }

    private BackendException failed(BackendException failure) {
        lastFailure = failure;
        openAgainNs = System.nanoTime() + pauseNs;
        pauseNs = Math.min(LONGEST_PAUSE_NS, pauseNs * 2);
        return failure;
    }

    private BackendUnavailableException isClosed() {
        return new BackendUnavailableException(
                "FBR-150 The session with the login node " + target.named() + " is closed.");
    }

    /** Ends the pause after a failure: a caller waits for an answer. */
    public void tryNow() {
        openAgainNs = System.nanoTime();
    }

    /**
     * From now on a connection that breaks, and cannot be opened at once, is not waited for; after a limit nothing is waited
     * for any more.
     */
    public void leave(Duration limit) {
        endNs = System.nanoTime() + limit.toNanos();
        leaving = true;
    }

    public boolean isLeaving() {
        return leaving;
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(Way.Exec::close);
        way.close();
    }

    static void log(String message, Throwable cause) {
        System.getLogger(SshHost.class.getName()).log(Level.DEBUG, message, cause);
    }
}
