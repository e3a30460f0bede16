// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to a file and limits its size. A file that would exceed the limit is renamed to end in {@code .1},
 * and a new one is started; if it cannot be renamed, it grows further. A record that cannot be written is counted and dropped; the next one that can be written
 * reports the count. Blocks while it writes. Thread-safe.
 *
 * <p>It does not use a channel, which the interrupt of a logging task would close.
 */
final class LogFile implements LogTarget, AutoCloseable {

    private final Path path;
    private final long limitBytes;
    private final String process;
    private final System.Logger.Level least;
    private @Nullable OutputStream out;
    private long sizeBytes;
    private long renameAtBytes;
    private long lost;
    private boolean isRenameReported;
    private boolean closed;

    LogFile(Path path, long limitBytes, String processName, System.Logger.Level least) {
        this.path = path;
        this.limitBytes = limitBytes;
        this.renameAtBytes = limitBytes;
        this.process = processName + "(" + ProcessHandle.current().pid() + ")";
        this.least = least;
    }

    /**
     * Returns the absolute file of this process for a pattern: {@code %n} is the name of the process, {@code %p} its
     * pid, {@code %%} a percent sign.
     */
    static Path expand(String pattern, String processName) {
        // No path contains a NUL character, which stands for "%%" while the other patterns are replaced.
        String path = pattern.replace("%%", "\0")
                .replace("%n", safe(processName))
                .replace("%p", Long.toString(ProcessHandle.current().pid()))
                .replace("\0", "%");
        return Path.of(path).toAbsolutePath();
    }

    /** A name must not lead into another directory. */
    private static String safe(String name) {
        return name.replaceAll("[^\\p{L}\\p{Nd}_-]", "_");
    }

    Path path() {
        return path;
    }

    @Override
    public boolean isLoggable(String logger, System.Logger.Level level) {
        return Logs.isAtLeast(least, level);
    }

    @Override
    public synchronized void log(LogRecord entry) {
        if (closed) {
            return;
        }
        try {
            String missing = lost == 0
                    ? ""
                    : System.lineSeparator() + lost + " records could not be written here." + System.lineSeparator();
            write((missing + entry.lines(process)).getBytes(StandardCharsets.UTF_8));
            lost = 0;
        } catch (IOException e) {
            lose(e);
        }
    }

    private void write(byte[] bytes) throws IOException {
        if (out == null) {
            open();
        }
        if (sizeBytes > 0 && sizeBytes + bytes.length > renameAtBytes) {
            closeStream();
            rename();
            open();
        }
        OutputStream stream = out;
        if (stream != null) {
            stream.write(bytes);
            sizeBytes += bytes.length;
        }
    }

    private void rename() {
        try {
            Files.move(path, path.resolveSibling(path.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            renameAtBytes = limitBytes;
        } catch (IOException e) {
            // Not tried again for each record.
            renameAtBytes = sizeBytes + limitBytes;
            if (!isRenameReported) {
                isRenameReported = true;
                System.err.println("fiber: the log file '" + path + "' exceeds " + limitBytes
                        + " bytes and cannot be renamed: " + e + ". It grows further.");
            }
        }
    }

    private void open() throws IOException {
        Path directory = path.getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            Files.createDirectories(directory);
        }
        File file = path.toFile();
        out = new FileOutputStream(file, true);
        sizeBytes = file.length();
    }

    /** Opens the file again for the next record, because a full or unreachable disk may recover. */
    private void lose(IOException cause) {
        if (lost++ == 0) {
            System.err.println("fiber: the log file '" + path + "' cannot be written: " + cause
                    + ". Records are lost until it can be written; the program continues.");
        }
        closeStream();
    }

    private void closeStream() {
        OutputStream stream = out;
        out = null;
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException e) {
                // Nothing is buffered here, so nothing is lost.
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        closeStream();
    }
}
