// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.backend.support.batch.Commands;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shell on the login node that runs one script after the other, and the {@code ssh} that leads to it. What it writes goes
 * to files, so that no thread has to empty pipes. Used by one thread at a time; {@link #close} by any.
 */
final class SshProcess implements AutoCloseable {

    private static final long SHORTEST_LOOK_MS = 1;
    private static final long LONGEST_LOOK_MS = 20;
    private static final int MARK_BYTES = 64;

    /** Reads a word and a script from each line. A script that is the last one reads what comes behind its line. */
    private static final String LOOP = """
            while read -r kind script; do
              case $kind in
                more) (eval "$(printf %%b "$script")") </dev/null ;;
                *) (eval "$(printf %%b "$script")") ;;
              esac
              printf '\\001%1$s %%s\\001' $?
              printf '\\001%1$s 0\\001' >&2
              [ "$kind" = more ] || exit 0
            done
            """;

    private final String mark = UUID.randomUUID().toString().substring(0, 8);
    private final Pattern end = Pattern.compile("\u0001" + mark + " (\\d+)\u0001");
    private final List<Path> files;
    private final RandomAccessFile output;
    private final RandomAccessFile errors;
    private final Process process;
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
        files = List.of(Files.createTempFile(directory, "ssh", ".out"), Files.createTempFile(directory, "ssh", ".err"));
        output = new RandomAccessFile(files.get(0).toFile(), "rw");
        errors = new RandomAccessFile(files.get(1).toFile(), "rw");
        try {
            process = target.running(RemoteLine.of(LOOP.formatted(mark)), more)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(files.get(0).toFile()))
                    .redirectError(ProcessBuilder.Redirect.appendTo(files.get(1).toFile()))
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
        return await(() -> RemoteLine.hasBegun(text(output)) && RemoteLine.hasBegun(text(errors)), isLate);
    }

    /** Returns how the program has ended, and what has come by now. */
    Commands.Answer said() throws IOException {
        return new Commands.Answer(isAlive() ? 0 : process.exitValue(), text(output), text(errors));
    }

    /** Sends a script, and what it reads; then it is the last one. A shell that has ended meanwhile has no answer. */
    void send(String script, Optional<Input> input) throws IOException {
        output.setLength(0);
        errors.setLength(0);
        OutputStream to = process.getOutputStream();
        try {
            to.write(((input.isPresent() ? "last " : "more ") + RemoteLine.encoded(script.getBytes(UTF_8)) + "\n")
                    .getBytes(US_ASCII));
            to.flush();
            if (input.isPresent()) {
                try (to) {
                    input.get().writeTo(to);
                }
            }
        } catch (IOException e) {
            // How it has ended says more.
        }
    }

    /**
     * Waits for the answer to what was sent, whose output has a sign for each byte; there is none when the program has ended, or
     * it is too late.
     */
    Optional<Commands.Answer> answer(BooleanSupplier isLate) throws IOException, InterruptedException {
        if (!await(() -> ending(output).isPresent() && ending(errors).isPresent(), isLate)) {
            return Optional.empty();
        }
        restsSinceNs = System.nanoTime();
        Ending last = ending(output).orElseThrow();
        return Optional.of(new Commands.Answer(
                last.code(),
                new String(part(output, 0, last.at()), ISO_8859_1),
                new String(part(errors, 0, ending(errors).orElseThrow().at()), UTF_8)));
    }

    /** Tells for how long nothing has come. */
    long restsNs() {
        return System.nanoTime() - restsSinceNs;
    }

    /** What may be there. */
    private interface Look {
        boolean isThere() throws IOException;
    }

    private boolean await(Look look, BooleanSupplier isLate) throws IOException, InterruptedException {
        long lookMs = SHORTEST_LOOK_MS;
        while (true) {
            boolean isLast = !process.isAlive() || isLate.getAsBoolean();
            if (look.isThere()) {
                return true;
            }
            if (isLast) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(lookMs);
            lookMs = Math.min(LONGEST_LOOK_MS, lookMs * 2);
        }
    }

    /** Where the mark stands that ends an answer, and the exit code in it. */
    private record Ending(long at, int code) {}

    private Optional<Ending> ending(RandomAccessFile file) throws IOException {
        long length = file.length();
        long from = Math.max(0, length - MARK_BYTES);
        Matcher found = end.matcher(new String(part(file, from, length), ISO_8859_1));
        return found.find()
                ? Optional.of(new Ending(from + found.start(), Integer.parseInt(found.group(1))))
                : Optional.empty();
    }

    private static String text(RandomAccessFile file) throws IOException {
        return new String(part(file, 0, file.length()), UTF_8);
    }

    private static byte[] part(RandomAccessFile file, long from, long to) throws IOException {
        byte[] bytes = new byte[(int) (to - from)];
        file.seek(from);
        file.readFully(bytes);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        closeFiles();
    }

    private void closeFiles() throws IOException {
        output.close();
        errors.close();
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
