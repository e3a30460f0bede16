// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.fresh;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Worker processes that apply one function to ranges of ints. For one thread. */
interface PlainPool extends AutoCloseable {

    /** The function of a pool. */
    interface Task extends Serializable {
        int apply(int item) throws InterruptedException;
    }

    /** The file of classes that workers share: it is written by the first worker where there is none. */
    String ARCHIVE = "plain.archive";

    /** Applies the function to the ints from 0, {@code chunkSize} of them in a message. */
    int[] map(int items, int chunkSize) throws IOException;

    @Override
    void close() throws IOException;

    /** Starts a worker by its main class. */
    static Process start(Class<?> worker, boolean first, String... arguments) throws IOException {
        List<String> words =
                new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC"));
        String archive = System.getProperty(ARCHIVE);
        if (archive != null && Files.exists(Path.of(archive))) {
            words.add("-XX:SharedArchiveFile=" + archive);
        } else if (archive != null && first) {
            words.add("-XX:ArchiveClassesAtExit=" + archive);
        }
        words.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), worker.getName()));
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words).inheritIO().start();
    }

    /** Waits for the end of a worker that has been told to end. */
    static void await(Process worker) throws IOException {
        try {
            worker.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("The end of a worker was not awaited.", e);
        }
    }

    static byte[] bytes(Task task) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(task);
        }
        return bytes.toByteArray();
    }

    static Task task(byte[] bytes) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (Task) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException("The function's class is not on the class path.", e);
        }
    }

    static int apply(Task task, int item) throws IOException {
        try {
            return task.apply(item);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("The task was interrupted.", e);
        }
    }
}
