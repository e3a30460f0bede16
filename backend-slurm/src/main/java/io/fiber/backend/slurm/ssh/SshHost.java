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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A login node: runs scripts of the standard shell there, and carries files. Its connection is opened at the first use, and
 * opened again when it has broken, after pauses that double while that fails. Thread-safe; blocks.
 */
public final class SshHost implements AutoCloseable {

    /** The name of the process that finishes what is left to do on the login node when this one is gone. */
    public static final String LATER = "fiber-slurm-over-ssh";

    /** Servers allow ten sessions in a connection as a rule, and one of them is for files. */
    private static final int MOST_AT_ONCE = 6;

    /** A shell takes 128 KiB as a word at most. */
    private static final int LONGEST_LINE = 64 * 1024;

    /** Of what the account's own start-up files do. */
    private static final Duration BEGIN_LIMIT = Duration.ofSeconds(20);

    private static final Duration LAST_CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final long SHORTEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(8);
    private static final long SHORTEST_LOOK_MS = 1;
    private static final long LONGEST_LOOK_MS = 20;
    private static final long PROGRESS_LOOK_MS = 250;
    private static final int PIECE_BYTES = 8 * 1024;
    private static final String READ_SCRIPT =
            "script=$(head -c %1$d) && [ ${#script} -eq %1$d ] && eval \"$(printf %%b \"$script\")\"";

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

    SshHost(Way way) {
        this.way = way;
    }

    /**
     * Chooses the client of SSH; opens nothing.
     *
     * @param directory where the client can make files, of this user alone
     * @throws BackendException FBR-158, FBR-211 or FBR-212 if the login node cannot be reached like this
     */
    public static SshHost of(SshOptions options, Environment environment, Path directory) {
        Optional<Path> program = ProgramWay.find(environment);
        if (options.client() != SshOptions.Client.PROGRAM) {
            SshConfig config = SshConfig.of(options, environment);
            Optional<String> reason = config.needsProgram();
            if (reason.isEmpty()) {
                return new SshHost(new JschWay(config));
            }
            if (options.client() == SshOptions.Client.JSCH || program.isEmpty()) {
                throw SshFailures.notFollowed(options, reason.get(), environment);
            }
            System.getLogger(SshHost.class.getName())
                    .log(
                            Level.INFO,
                            "The login node '" + options.host() + "' is reached by the program ssh, because of "
                                    + reason.get() + ".");
        }
        return new SshHost(new ProgramWay(
                options, program.orElseThrow(() -> SshFailures.withoutProgram(options, environment)), directory));
    }

    /** Returns what error messages call it. */
    public SshTarget target() {
        return way.target();
    }

    /**
     * Returns the host by whose network it is reached.
     *
     * @throws BackendException FBR-134 if only a command knows the way there
     */
    public String nearest() {
        return way.nearest();
    }

    /** Returns words of this host that have these run there until they succeed, without this process. */
    public List<String> untilDone(List<String> words) {
        return way.untilDone(words);
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
        return decoded(answer(script, fed, Optional.empty(), limit));
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

    byte[] bytes(String script, Optional<Input> input, Duration limit) throws IOException {
        try {
            Commands.Answer answer = answer(script, script, input, limit);
            if (!answer.isGood()) {
                throw new IOException("the login node " + target().named() + " says: "
                        + decoded(answer).complaint() + " (exit code " + answer.exitCode() + ")");
            }
            return answer.output().getBytes(ISO_8859_1);
        } catch (BackendException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns the sizes of the files of a directory by their names; none if there is no such directory. */
    public Map<String, Long> sizes(Path directory, Duration limit) throws IOException {
        Optional<Way.Reader> reader = reader();
        if (reader.isPresent()) {
            return reader.get().sizes(directory);
        }
        Map<String, Long> sizes = new TreeMap<>();
        String name = BatchScript.quoted(directory.toString());
        script(
                        "[ ! -d " + name + " ] || find " + name
                                + " -ignore_readdir_race -maxdepth 1 -type f -printf '%s %f\\n'",
                        limit)
                .lines()
                .map(line -> line.split(" ", 2))
                .forEach(line -> sizes.put(line[1], Long.valueOf(line[0])));
        return sizes;
    }

    /** Returns at most {@code most} bytes of a file; empty beyond its end, or if there is no such file. */
    public byte[] read(Path file, long from, int most, Duration limit) throws IOException {
        Optional<Way.Reader> reader = reader();
        if (reader.isPresent()) {
            return reader.get().read(file, from, most);
        }
        String name = BatchScript.quoted(file.toString());
        return bytes(
                "[ ! -e " + name + " ] || tail -c +" + (from + 1) + " -- " + name + " | head -c " + most,
                Optional.empty(),
                limit);
    }

    private Optional<Way.Reader> reader() throws IOException {
        try {
            connect();
        } catch (BackendException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("The wait for the login node " + target().named() + " was interrupted.", e);
        }
        return way.reader();
    }

    private Commands.Answer answer(String shown, String sent, Optional<Input> input, Duration limit) {
        String first = shown.lines().findFirst().orElse("");
        String what = first.length() <= 80 ? first : first.substring(0, 80) + " ...";
        String line = RemoteLine.of(sent);
        Optional<Input> all = input;
        if (line.length() > LONGEST_LINE) {
            byte[] script = RemoteLine.encoded(sent.getBytes(UTF_8)).getBytes(UTF_8);
            line = RemoteLine.of(READ_SCRIPT.formatted(script.length));
            all = Optional.of(to -> {
                to.write(script);
                if (input.isPresent()) {
                    input.get().writeTo(to);
                }
            });
        }
        try {
            turns.acquire();
            try {
                return new Run(what, limit).answer(line, all);
            } finally {
                turns.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("FBR-130 The wait for '" + what + "' was interrupted.", e);
        } catch (IOException e) {
            throw closed ? isClosed() : SshFailures.unreachable(target(), e.toString());
        }
    }

    /** One run of a line. */
    private final class Run {
        private final String what;
        private final Duration limit;

        Run(String what, Duration limit) {
            this.what = what;
            this.limit = limit;
        }

        Commands.Answer answer(String line, Optional<Input> input) throws IOException, InterruptedException {
            connect();
            try {
                return answer(way.start(line, connectLimit()), input);
            } catch (Way.BrokenException e) {
                // The connection had broken before, and the line was not sent.
                connect();
                try {
                    return answer(way.start(line, connectLimit()), input);
                } catch (Way.BrokenException again) {
                    throw SshFailures.lost(target(), what);
                }
            }
        }

        private Commands.Answer answer(Way.Exec exec, Optional<Input> input) throws IOException, InterruptedException {
            running.add(exec);
            try {
                if (input.isEmpty()) {
                    close(exec.input());
                }
                awaitBegin(exec);
                boolean isSent = input.isEmpty() || send(exec, input.get());
                if (isSent
                        && await(
                                exec,
                                () -> RemoteLine.answer(exec.output(), exec.errors())
                                        .isPresent(),
                                late(limit))) {
                    return RemoteLine.answer(exec.output(), exec.errors()).orElseThrow();
                }
                if (closed || isOver()) {
                    throw isClosed();
                }
                throw isSent && !exec.isAlive()
                        ? SshFailures.lost(target(), what)
                        : notInTime(isSent ? "not ended within " : "read nothing more for ");
            } finally {
                running.remove(exec);
                exec.close();
            }
        }

        private void awaitBegin(Way.Exec exec) throws IOException, InterruptedException {
            Duration beginLimit = target().connectLimit().plus(BEGIN_LIMIT);
            if (await(
                    exec,
                    () -> RemoteLine.hasBegun(exec.output()) && RemoteLine.hasBegun(exec.errors()),
                    late(beginLimit))) {
                lastFailure = null;
                pauseNs = SHORTEST_PAUSE_NS;
                return;
            }
            if (closed || isOver()) {
                throw isClosed();
            }
            if (exec.isAlive()) {
                throw SshFailures.notBegun(target(), beginLimit);
            }
            throw way.notBegun(exec).map(SshHost.this::failed).orElseGet(() -> SshFailures.lost(target(), what));
        }

        private boolean send(Way.Exec exec, Input input) throws IOException {
            Sending to = new Sending(exec, () -> late(limit));
            try (to) {
                input.writeTo(to);
            } catch (IOException e) {
                // How it has ended says more.
            } finally {
                to.isOver = true;
            }
            return !to.isStuck;
        }

        private BackendUnavailableException notInTime(String how) {
            return new BackendUnavailableException("FBR-130 Slurm does not answer: '" + what + "' has " + how
                    + limit.toMillis() + " ms on the login node " + target().named()
                    + ". Running jobs go on; Fiber asks again.");
        }
    }

    private static void close(OutputStream input) {
        try (input) {
            input.flush();
        } catch (IOException e) {
            // How it has ended says more.
        }
    }

    /** Something that can be found in what has come. */
    private interface Look {
        boolean isFound() throws IOException;
    }

    private static boolean await(Way.Exec exec, Look look, BooleanSupplier isLate)
            throws IOException, InterruptedException {
        long lookMs = SHORTEST_LOOK_MS;
        while (true) {
            boolean isLast = !exec.isAlive() || isLate.getAsBoolean();
            if (look.isFound()) {
                return true;
            }
            if (isLast) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(lookMs);
            lookMs = Math.min(LONGEST_LOOK_MS, lookMs * 2);
        }
    }

    /** The input of a line, which is given up if a piece is not taken in time: a write that waits ends by nothing else. */
    private static final class Sending extends FilterOutputStream {
        private final Way.Exec exec;
        private final Supplier<BooleanSupplier> patience;
        private volatile BooleanSupplier isLate;
        private volatile boolean isOver;
        private volatile boolean isStuck;

        Sending(Way.Exec exec, Supplier<BooleanSupplier> patience) throws IOException {
            super(exec.input());
            this.exec = exec;
            this.patience = patience;
            this.isLate = patience.get();
            lookLater();
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            for (int done = 0; done < count; done += PIECE_BYTES) {
                out.write(bytes, from + done, Math.min(PIECE_BYTES, count - done));
                isLate = patience.get();
            }
        }

        private void lookLater() {
            CompletableFuture.delayedExecutor(PROGRESS_LOOK_MS, TimeUnit.MILLISECONDS, Runnable::run)
                    .execute(this::look);
        }

        private void look() {
            if (isOver) {
                return;
            }
            if (isLate.getAsBoolean()) {
                isStuck = true;
                exec.close();
            } else {
                lookLater();
            }
        }
    }

    private BooleanSupplier late(Duration limit) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        return () -> closed || isOver() || System.nanoTime() - deadlineNs >= 0;
    }

    private boolean isOver() {
        return leaving && System.nanoTime() - endNs >= 0;
    }

    private Duration connectLimit() {
        Duration limit = target().connectLimit();
        return leaving && limit.compareTo(LAST_CONNECT_LIMIT) > 0 ? LAST_CONNECT_LIMIT : limit;
    }

    private void connect() throws InterruptedException {
        do {
            if (closed || isOver()) {
                throw isClosed();
            }
            if (way.isOpen()) {
                return;
            }
        } while (!opening.tryLock(LONGEST_LOOK_MS, TimeUnit.MILLISECONDS));
        try {
            if (!way.isOpen()) {
                open();
            }
        } finally {
            opening.unlock();
        }
    }

    private void open() {
        BackendException failure = lastFailure;
        if (failure != null && (leaving || System.nanoTime() - openAgainNs < 0)) {
            String message = String.valueOf(failure.getMessage());
            throw failure instanceof BackendUnavailableException
                    ? new BackendUnavailableException(message, failure)
                    : new BackendException(message, failure);
        }
        try {
            way.open(connectLimit());
        } catch (BackendException e) {
            throw closed ? isClosed() : failed(e);
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
                "FBR-150 The session with the login node " + target().named() + " is closed.");
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
