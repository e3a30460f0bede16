// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The destination of a job's output that this process fetches: the console, or a file of this host.
 *
 * @param out receives the lines of standard output, each with its line end
 * @param err receives the lines of standard error
 */
public record OutputSinks(Consumer<byte[]> out, Consumer<byte[]> err) {

    /**
     * Returns the destination for a job; empty if its output goes nowhere.
     *
     * @param job its name, which names its log file
     * @param code of the error, for example {@code FBR-168}
     * @throws JobRejectedException with this code if the directory of log files cannot be created
     */
    public static Optional<OutputSinks> of(JobOutput output, String job, String code) {
        if (output instanceof JobOutput.Console) {
            // Looked up for each line, so that a program may replace them at any time.
            return Optional.of(new OutputSinks(to(() -> System.out), to(() -> System.err)));
        }
        if (output instanceof JobOutput.Files files) {
            Consumer<byte[]> file = toFile(files.directory().toAbsolutePath(), job, code);
            return Optional.of(new OutputSinks(file, file));
        }
        return Optional.empty();
    }

    private static Consumer<byte[]> to(Supplier<PrintStream> stream) {
        return line -> {
            PrintStream out = stream.get();
            out.write(line, 0, line.length);
            out.flush();
        };
    }

    private static Consumer<byte[]> toFile(Path directory, String job, String code) {
        Path file = directory.resolve(job + ".log");
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new JobRejectedException(
                    code + " The directory '" + directory + "' for the output of jobs cannot be made: " + e
                            + ". Name a directory that can be written.",
                    e);
        }
        AtomicBoolean hasFailed = new AtomicBoolean();
        return line -> {
            try {
                Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                if (!hasFailed.getAndSet(true)) {
                    System.getLogger(OutputSinks.class.getName())
                            .log(
                                    Level.WARNING,
                                    "Output of the job '" + job + "' is lost, because '" + file + "' cannot be"
                                            + " written: "
                                            + e);
                }
            }
        };
    }
}
