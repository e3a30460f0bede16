// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.backend.support.batch.Commands;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shell on the login node that runs one script after the other, and the {@code ssh} that leads to it. What it writes goes
 * to files, so that no thread has to empty pipes. Used by one thread at a time; {@link #close} by any.
 */
final class SshProcess implements AutoCloseable {

    private static final long SHORTEST_LOOK_MS = 1;
    private static final long LONGEST_LOOK_MS = 20;
    private static final long PROGRESS_LOOK_MS = 250;
    private static final int PIECE_BYTES = 8 * 1024;
    private static final int LONGEST_MARK = 64;
    private static final int MOST_SAID = 64 * 1024;

    /** Reads a word, a mark and a script from each line. A script that is the last one reads what comes behind its line. */
    private static final String LOOP = """
            while read -r kind mark script; do
              case $kind in
                more) (eval "$(printf %b "$script")") </dev/null ;;
                *) (eval "$(printf %b "$script")") ;;
              esac
              printf '\\001%s %s\\001' "$mark" $?
              printf '\\001%s 0\\001' "$mark" >&2
              [ "$kind" = more ] || exit 0
            done
            """;

    private final String marks = UUID.randomUUID().toString().substring(0, 8);
    private final Stream output;
    private final Stream errors;
    private final Process process;
    private int sent;
    private long restsSinceNs;

    /** What a script reads. */
    interface Input {
        void writeTo(OutputStream to) throws IOException;
    }

    /**
     * Starts the program.
     *
     * @param more options of ssh that go before all others
     * @param directory where it can make files
     */
    SshProcess(SshTarget target, List<String> more, Path directory) throws IOException {
        output = new Stream(Files.createTempFile(directory, "ssh", ".out"));
        errors = new Stream(Files.createTempFile(directory, "ssh", ".err"));
        try {
            process = target.running(RemoteLine.of(LOOP), more)
                    .redirectOutput(output.end())
                    .redirectError(errors.end())
                    .start();
        } catch (IOException e) {
            closeFiles();
            throw e;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until the shell takes scripts, and tells whether it does: {@link #said} tells why not. */
    boolean awaitBegin(BooleanSupplier isLate) throws IOException, InterruptedException {
        return await(RemoteLine.MARK, isLate);
    }

    /** Returns how the program has ended, and the last that has come by now. */
    Commands.Answer said() throws IOException {
        return new Commands.Answer(isAlive() ? 0 : process.exitValue(), output.last(), errors.last());
    }

    /**
     * Sends a script, and what it reads; then it is the last one. A shell that has ended meanwhile has no answer.
     *
     * @param patience is asked with each piece that is taken for what tells when the next one is late
     * @return false when one was late, and the program was killed
     */
    boolean send(String script, Optional<Input> input, Supplier<BooleanSupplier> patience) throws IOException {
        output.clear();
        errors.clear();
        sent++;
        Sending to = new Sending(process, patience);
        try {
            to.write(((input.isPresent() ? "last " : "more ") + mark() + " "
                            + RemoteLine.encoded(script.getBytes(UTF_8)) + "\n")
                    .getBytes(US_ASCII));
            to.flush();
            if (input.isPresent()) {
                try (to) {
                    input.get().writeTo(to);
                }
            }
        } catch (IOException e) {
            // How it has ended says more.
        } finally {
            to.isOver = true;
        }
        return !to.isStuck;
    }

    /** What a program reads. A write that waits ends by nothing but the program's end. */
    private static final class Sending extends FilterOutputStream {
        private final Process process;
        private final Supplier<BooleanSupplier> patience;
        private volatile BooleanSupplier isLate;
        private volatile boolean isOver;
        private volatile boolean isStuck;

        Sending(Process process, Supplier<BooleanSupplier> patience) {
            super(process.getOutputStream());
            this.process = process;
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
                process.toHandle().destroyForcibly();
            } else {
                lookLater();
            }
        }
    }

    /**
     * Waits for the answer to what was sent, whose output has a sign for each byte; there is none when the program has ended, or
     * it is too late.
     */
    Optional<Commands.Answer> answer(BooleanSupplier isLate) throws IOException, InterruptedException {
        Pattern end = Pattern.compile("\u0001" + mark() + " (\\d+)\u0001");
        if (!await(end, isLate)) {
            return Optional.empty();
        }
        restsSinceNs = System.nanoTime();
        return Optional.of(new Commands.Answer(
                Integer.parseInt(output.find(end).orElseThrow().group(1)),
                new String(output.answer(), ISO_8859_1),
                new String(errors.answer(), UTF_8)));
    }

    /** Of the last script alone: that of one before may come late. */
    private String mark() {
        return marks + "-" + sent;
    }

    /** Tells for how long nothing has come. */
    long restsNs() {
        return System.nanoTime() - restsSinceNs;
    }

    /** Waits until a mark has come by both streams. */
    private boolean await(Pattern mark, BooleanSupplier isLate) throws IOException, InterruptedException {
        long lookMs = SHORTEST_LOOK_MS;
        while (true) {
            boolean isLast = !process.isAlive() || isLate.getAsBoolean();
            if (output.find(mark).isPresent() && errors.find(mark).isPresent()) {
                return true;
            }
            if (isLast) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(lookMs);
            lookMs = Math.min(LONGEST_LOOK_MS, lookMs * 2);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        closeFiles();
    }

    private void closeFiles() throws IOException {
        output.close();
        errors.close();
    }

    /** What the program writes to one of its two streams. */
    private static final class Stream implements AutoCloseable {
        private final Path path;
        private final RandomAccessFile file;
        private long unsearched;

        Stream(Path path) throws IOException {
            this.path = path;
            this.file = new RandomAccessFile(path.toFile(), "rw");
        }

        ProcessBuilder.Redirect end() {
            return ProcessBuilder.Redirect.appendTo(path.toFile());
        }

        void clear() throws IOException {
            file.setLength(0);
            unsearched = 0;
        }

        /** Looks for a mark in what has come since the last look. */
        Optional<MatchResult> find(Pattern mark) throws IOException {
            long length = file.length();
            Matcher found = mark.matcher(new String(part(unsearched, length), ISO_8859_1));
            if (found.find()) {
                unsearched += found.start();
                return Optional.of(found);
            }
            unsearched = Math.max(unsearched, length - LONGEST_MARK);
            return Optional.empty();
        }

        /** Returns what stands before the mark that was found. */
        byte[] answer() throws IOException {
            return part(0, unsearched);
        }

        String last() throws IOException {
            long length = file.length();
            return new String(part(Math.max(0, length - MOST_SAID), length), UTF_8);
        }

        private byte[] part(long from, long to) throws IOException {
            byte[] bytes = new byte[(int) (to - from)];
            file.seek(from);
            file.readFully(bytes);
            return bytes;
        }

        @Override
        public void close() throws IOException {
            file.close();
            Files.deleteIfExists(path);
        }
    }
}
