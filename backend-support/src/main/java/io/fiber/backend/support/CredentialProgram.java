// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs programs that print credentials, and keeps the output only in the memory of this process. */
public final class CredentialProgram {

    private static final long LOOK_EVERY_MS = 5;

    private CredentialProgram() {}

    /**
     * The result of a program.
     *
     * @param output its standard output until it ended, which contains secrets
     * @param complaint the last line of its standard error; empty for none
     */
    public record Answer(int exitCode, String output, String complaint) {
        @Override
        public String toString() {
            return "exit code " + exitCode + (complaint.isEmpty() ? "" : ": " + complaint);
        }
    }

    /**
     * Runs a program to its end.
     *
     * @param command its file and its arguments
     * @param variables environment variables in addition to those of this process
     * @param input its standard input
     * @param limitMs the time after which it is killed
     * @throws IOException if it cannot be started, or takes longer than the limit
     */
    public static Answer run(List<String> command, Map<String, String> variables, String input, long limitMs)
            throws IOException {
        Path complaints = Files.createTempFile("fiber", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(complaints.toFile());
            builder.environment().putAll(variables);
            Process process = builder.start();
            try (var stream = process.getOutputStream()) {
                stream.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // The program has ended already or reads nothing; its result says more.
            }
            String output = outputOf(process, limitMs);
            return new Answer(process.exitValue(), output, lastLine(complaints));
        } finally {
            Files.deleteIfExists(complaints);
        }
    }

    /**
     * Returns what the program has printed when it ends. It may leave a process behind that keeps the output open.
     * Therefore this neither waits for the end of the stream nor reads in a way that could block.
     */
    private static String outputOf(Process process, long limitMs) throws IOException {
        long started = System.nanoTime();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        InputStream stream = process.getInputStream();
        try {
            boolean ended = false;
            while (!ended) {
                ended = process.waitFor(LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
                output.write(stream.readNBytes(stream.available()));
                if (!ended && System.nanoTime() - started > TimeUnit.MILLISECONDS.toNanos(limitMs)) {
                    throw new IOException("it has not ended within " + limitMs + " ms");
                }
            }
            return output.toString(StandardCharsets.UTF_8);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the wait for it was interrupted", e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String lastLine(Path file) throws IOException {
        Optional<String> last = new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .reduce((former, latter) -> latter);
        return last.orElse("").strip();
    }
}
