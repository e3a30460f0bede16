// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** A client of SSH: the library jsch, or the program {@code ssh}. Thread-safe; methods may block. */
interface Way extends AutoCloseable {

    /** Something that is found in what has come. */
    interface Look<T> {
        T look() throws IOException;
    }

    /**
     * A line that runs on the login node.
     *
     * @param input what it reads. A write waits until there is room, or until this is closed
     * @param output what has come by now, with one character for each byte
     * @param errors the same of the other stream
     * @param isAlive whether it runs
     * @param exitCode of what has ended; negative if the connection was lost
     * @param end gives it up
     */
    record Exec(
            OutputStream input,
            Look<String> output,
            Look<String> errors,
            BooleanSupplier isAlive,
            IntSupplier exitCode,
            Runnable end)
            implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    /** Returns whether lines can be started. */
    boolean isOpen();

    /**
     * Opens the connection that lines share. One thread calls it at a time.
     *
     * @throws BackendException why it cannot be opened
     */
    void open(Duration limit);

    /**
     * Starts a line.
     *
     * @throws BackendException why it cannot be started
     * @throws IOException if the connection has broken, so that the line was not sent
     */
    Exec start(String line, Duration connectLimit) throws IOException;

    /** Returns why a line has ended before its script had begun; empty if the connection was lost. */
    Optional<BackendException> notBegun(int exitCode, String output, String errors);

    /** Closes the connection. */
    @Override
    void close();
}
