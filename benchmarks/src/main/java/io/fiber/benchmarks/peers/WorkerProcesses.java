// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.peers;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The worker JVMs of a system that starts none itself; each ends with its standard input. */
public final class WorkerProcesses implements AutoCloseable {
    /** The file of classes that workers share, which Fiber makes by itself: the first worker writes it where there is none. */
    private static final Path ARCHIVE = Path.of(System.getProperty("peer.archive", "workers.jsa"));

    private final List<Process> processes = new ArrayList<>();

    /** Starts all of them, with the options and the class path of this JVM, and their number as the first argument. */
    public WorkerProcesses(Class<?> main, List<String> arguments) throws IOException {
        List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option ->
                        !option.startsWith("-XX:SharedArchiveFile") && !option.startsWith("-XX:ArchiveClasses"))
                .toList();
        for (int number = 0; number < Peer.WORKERS; number++) {
            List<String> words = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
            words.addAll(options);
            if (Files.exists(ARCHIVE)) {
                words.add("-XX:SharedArchiveFile=" + ARCHIVE);
            } else if (number == 0) {
                words.add("-XX:ArchiveClassesAtExit=" + ARCHIVE);
            }
            words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName(), "" + number));
            words.addAll(arguments);
            processes.add(new ProcessBuilder(words)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        }
    }

    /** Returns ports of the loopback interface on which nothing listens. */
    public static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int at = 0; at < count; at++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    /** Blocks a worker until it is to end. */
    public static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            // The program writes nothing.
        }
    }

    /** Tells all to end, and waits for it; one that does not end within 20 seconds is killed. */
    @Override
    public void close() throws IOException {
        for (Process process : processes) {
            process.getOutputStream().close();
        }
        try {
            for (Process process : processes) {
                if (!process.waitFor(20, TimeUnit.SECONDS)) {
                    System.err.println("A worker has not ended, and is killed: " + process.info());
                    process.destroyForcibly().waitFor();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("The end of a worker was not awaited.", e);
        }
    }
}
