// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobSpec;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Reads the bootstrap from the place where the backend put it, and notices when the process at the other end has ended.
 */
public final class BootstrapReader {

    private static final String FROM_STDIN = "stdin";
    private static final String FROM_FILE = "file:";
    private static final int GREATEST_BYTES = 1 << 22;

    private BootstrapReader() {}

    /** Loads this class and the classes it reads with, for a class-data archive. */
    public static void load() {
        try {
            read(Environment.system(), () -> {});
        } catch (IOException e) {
            // There is none.
        }
        watch(new FileInputStream(FileDescriptor.in).getChannel(), () -> {});
    }

    /**
     * Reads the bootstrap. If it comes by standard input, a thread runs {@code onMasterGone} when that stream has
     * ended, and the program sees an empty standard input. If it comes in a file, the file is removed, or emptied if it
     * cannot be removed.
     *
     * @throws IOException if there is none, or it is damaged
     */
    public static Bootstrap read(Environment environment, Runnable onMasterGone) throws IOException {
        String place = environment
                .variable(JobSpec.BOOTSTRAP_VARIABLE)
                .orElseThrow(() -> new IOException("The environment variable " + JobSpec.BOOTSTRAP_VARIABLE
                        + " is not set. Only a session of Fiber can start a worker."));
        byte[] bytes;
        if (place.equals(FROM_STDIN)) {
            FileInputStream stdin = new FileInputStream(FileDescriptor.in);
            System.setIn(InputStream.nullInputStream());
            bytes = readFrame(stdin);
            watch(stdin.getChannel(), onMasterGone);
        } else if (place.startsWith(FROM_FILE)) {
            bytes = takeFile(Path.of(place.substring(FROM_FILE.length())));
        } else {
            throw new IOException("The environment variable " + JobSpec.BOOTSTRAP_VARIABLE + " is '" + place
                    + "'; expected 'stdin' or 'file:' and an absolute path.");
        }
        Bootstrap bootstrap = Bootstrap.decode(bytes);
        Arrays.fill(bytes, (byte) 0);
        return bootstrap;
    }

    /**
     * Reads the file and removes the secret from it if this user may change it, because a platform may keep the file
     * for longer than the job.
     */
    private static byte[] takeFile(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        try {
            Files.delete(file);
        } catch (IOException notAllowed) {
            try {
                Files.newOutputStream(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                        .close();
            } catch (IOException readOnly) {
                // For example, a secret mounted by Kubernetes, which is removed with its pod.
            }
        }
        return bytes;
    }

    private static byte[] readFrame(InputStream stdin) throws IOException {
        DataInputStream in = new DataInputStream(stdin);
        int length = in.readInt();
        if (length <= 0 || length > GREATEST_BYTES) {
            throw new IOException("The bootstrap has an invalid length: " + length + " bytes.");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    /**
     * Waits for the end of standard input with an interruptible read, because an exiting JVM waits 300 ms for a thread
     * that is stuck in a plain one.
     */
    private static void watch(FileChannel stdin, Runnable onEnd) {
        Thread watcher = new Thread(
                () -> {
                    if (isAtEnd(stdin)) {
                        onEnd.run();
                    }
                },
                "fiber-parent-watch");
        watcher.setDaemon(true);
        watcher.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(stdin), "fiber-parent-unwatch"));
    }

    /** Returns false if this process itself ended the wait. */
    private static boolean isAtEnd(FileChannel stdin) {
        ByteBuffer ignored = ByteBuffer.allocate(64);
        try {
            while (stdin.read(ignored.clear()) >= 0) {
                // Input after the bootstrap is ignored.
            }
            return true;
        } catch (ClosedChannelException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void close(FileChannel stdin) {
        try {
            stdin.close();
        } catch (IOException e) {
            // The process ends.
        }
    }
}
