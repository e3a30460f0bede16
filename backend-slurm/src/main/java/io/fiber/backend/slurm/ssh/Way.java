// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a login node is reached: by the library jsch, or by the program {@code ssh}. Thread-safe; methods may block. */
interface Way extends AutoCloseable {

    /** A line that runs on the login node. Its output has one character for each byte. */
    interface Exec extends AutoCloseable {
        /** Returns where its input goes. A write waits until there is room, or until this is closed. */
        OutputStream input() throws IOException;

        boolean isAlive();

        /** Returns what has come by now. */
        String output() throws IOException;

        /** Returns what has come by now. */
        String errors() throws IOException;

        /** Gives it up. Idempotent; any thread may call it. */
        @Override
        void close();
    }

    /** Files of the login node, read without starting a process there. */
    interface Reader {
        /** Returns the sizes of the files of a directory by their names; none if there is no such directory. */
        Map<String, Long> sizes(Path directory) throws IOException;

        /** Returns a part of a file; empty beyond its end, or if there is no such file. */
        byte[] read(Path file, long from, int most) throws IOException;
    }

    SshTarget target();

    /**
     * Returns the first host on the way.
     *
     * @throws BackendException FBR-134 if only a command knows it
     */
    String nearest();

    boolean isOpen();

    /**
     * Opens the connection, which the lines share. One thread calls it at a time.
     *
     * @throws BackendException why it cannot be opened
     */
    void open(Duration limit);

    /**
     * Starts a line.
     *
     * @throws BrokenException if the connection has broken
     * @throws BackendException why it cannot be started
     */
    Exec start(String line, Duration connectLimit) throws IOException;

    /** Returns why something has ended before its script had begun; empty if the connection was lost. */
    Optional<BackendException> notBegun(Exec ended) throws IOException, InterruptedException;

    /** Returns what reads files, if this way can do that by itself. */
    Optional<Reader> reader();

    /** Returns words of this host that have these run there until they succeed, for some minutes. */
    List<String> untilDone(List<String> words);

    /** Closes the connection. */
    @Override
    void close();

    /** The connection broke, so that a line has not been sent. */
    final class BrokenException extends IOException {
        private static final long serialVersionUID = 1L;

        BrokenException(Throwable cause) {
            super(cause);
        }
    }
}
