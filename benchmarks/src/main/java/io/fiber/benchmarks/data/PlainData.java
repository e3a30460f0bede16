// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Does what {@link DataProgram} does with as little as a JVM permits: worker processes, a Unix domain socket and a
 * thread for each. A worker gets its next arrays when it has answered the last ones.
 */
public final class PlainData {
    /** Small arrays go together: so much fits into the buffers of a socket, in both directions at once. */
    private static final int TOGETHER_BYTES = 1 << 16;

    private PlainData() {}

    /** Runs the tests that standard input names. With the path of a socket, it is one of the workers. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length > 0) {
            serve(Path.of(args[0]));
            return;
        }
        Path directory = Files.createTempDirectory("plain");
        Path socket = directory.resolve("socket");
        List<Process> processes = new ArrayList<>();
        List<Wire> workers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(DataProgram.WORKERS);
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            door.bind(UnixDomainSocketAddress.of(socket));
            for (int number = 0; number < DataProgram.WORKERS; number++) {
                processes.add(start(socket));
                workers.add(new Wire(door.accept()));
            }
            for (String test = commands.readLine(); test != null; test = commands.readLine()) {
                run(Move.named(test), workers, threads);
            }
        } finally {
            threads.shutdown();
            for (Wire worker : workers) {
                worker.close();
            }
            for (Process process : processes) {
                process.waitFor();
            }
            Files.delete(socket);
            Files.delete(directory);
        }
    }

    private static Process start(Path socket) throws IOException {
        return new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PlainData.class.getName(),
                        socket.toString())
                .inheritIO()
                .start();
    }

    private static void run(Move move, List<Wire> workers, ExecutorService threads) {
        List<Object> arrays = move.kind().arrays();
        Object[] results = new Object[arrays.size()];
        AtomicInteger next = new AtomicInteger();
        long beginNs = System.nanoTime();
        List<CompletableFuture<Long>> moved = workers.stream()
                .map(worker -> CompletableFuture.supplyAsync(() -> drive(worker, move, arrays, results, next), threads))
                .toList();
        long bytes = moved.stream().mapToLong(CompletableFuture::join).sum();
        DataProgram.answer(System.nanoTime() - beginNs, bytes, (long) arrays.size() * move.kind().bytes);
    }

    private static long drive(Wire worker, Move move, List<Object> arrays, Object[] results, AtomicInteger next) {
        int together = Math.max(1, TOGETHER_BYTES / move.kind().bytes);
        long bytes = 0;
        try {
            for (int from = next.getAndAdd(together); from < arrays.size(); from = next.getAndAdd(together)) {
                int to = Math.min(from + together, arrays.size());
                for (int at = from; at < to; at++) {
                    worker.put(move.kind().code());
                    worker.put(move.there() ? 1 : 0);
                    worker.put(move.back() ? 1 : 0);
                    if (move.there()) {
                        worker.put(arrays.get(at));
                    }
                }
                worker.flush();
                for (int at = from; at < to; at++) {
                    bytes += worker.get();
                    if (move.back()) {
                        results[at] = move.kind().array();
                        worker.get(results[at]);
                    }
                }
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void serve(Path socket) throws IOException {
        try (Wire program = new Wire(SocketChannel.open(UnixDomainSocketAddress.of(socket)))) {
            while (program.hasMore()) {
                Move.Kind kind = Move.Kind.of(program.get());
                boolean there = program.get() > 0;
                boolean back = program.get() > 0;
                Object array = kind.array();
                if (there) {
                    program.get(array);
                }
                program.put(Move.bytes(array));
                if (back) {
                    program.put(array);
                }
                program.flush();
            }
        }
    }
}
