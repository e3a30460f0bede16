// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.fresh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Over Unix domain sockets, with a thread for each worker that waits in a read. After the function's length and bytes a
 * worker gets requests of two ints, the first item and the number of items; an answer repeats them and has the results.
 */
final class PlainSocketPool implements PlainPool {
    static final int BUFFER_BYTES = 1 << 18;
    static final int HEAD_BYTES = 2 * Integer.BYTES;

    private final Path directory = Files.createTempDirectory("plain");
    private final ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Process> processes = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final int window;

    PlainSocketPool(int size, Task task, int window) throws IOException {
        this.window = window;
        Path socket = directory.resolve("socket");
        door.bind(UnixDomainSocketAddress.of(socket));
        for (int number = 0; number < size; number++) {
            processes.add(PlainPool.start(PlainSocketWorker.class, number == 0, socket.toString()));
        }
        byte[] function = PlainPool.bytes(task);
        for (int number = 0; number < size; number++) {
            Worker worker = new Worker(door.accept());
            worker.write(ByteBuffer.allocate(Integer.BYTES + function.length)
                    .putInt(function.length)
                    .put(function)
                    .flip());
            workers.add(worker);
        }
    }

    @Override
    public int[] map(int items, int chunkSize) throws IOException {
        int[] results = new int[items];
        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<Void>> others = new ArrayList<>();
        for (Worker worker : workers.subList(1, workers.size())) {
            others.add(CompletableFuture.runAsync(() -> drive(worker, results, next, chunkSize), threads));
        }
        drive(workers.get(0), results, next, chunkSize);
        others.forEach(CompletableFuture::join);
        return results;
    }

    private void drive(Worker worker, int[] results, AtomicInteger next, int chunkSize) {
        try {
            worker.drive(results, next, chunkSize, chunkSize * workers.size() >= results.length ? 1 : window);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdown();
        for (Worker worker : workers) {
            worker.channel.close();
        }
        for (Process process : processes) {
            PlainPool.await(process);
        }
        door.close();
        Files.delete(directory.resolve("socket"));
        Files.delete(directory);
    }

    private static final class Worker {
        private final SocketChannel channel;
        private final ByteBuffer requests = ByteBuffer.allocateDirect(1 << 12);
        private final ByteBuffer answers =
                ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

        Worker(SocketChannel channel) {
            this.channel = channel;
        }

        void drive(int[] results, AtomicInteger next, int chunkSize, int window) throws IOException {
            int open = 0;
            while (true) {
                requests.clear();
                while (open < window) {
                    int first = next.getAndAdd(chunkSize);
                    if (first >= results.length) {
                        break;
                    }
                    requests.putInt(first).putInt(Math.min(chunkSize, results.length - first));
                    open++;
                }
                write(requests.flip());
                if (open == 0) {
                    return;
                }
                open -= read(results);
            }
        }

        /** Waits for answers and returns how many there were. */
        private int read(int[] results) throws IOException {
            int answered = 0;
            while (answered == 0) {
                answers.compact();
                if (channel.read(answers) < 0) {
                    throw new IOException("A worker has ended.");
                }
                answers.flip();
                while (answers.remaining() >= HEAD_BYTES) {
                    int first = answers.getInt(answers.position());
                    int count = answers.getInt(answers.position() + Integer.BYTES);
                    if (answers.remaining() < HEAD_BYTES + count * Integer.BYTES) {
                        break;
                    }
                    answers.position(answers.position() + HEAD_BYTES);
                    for (int at = 0; at < count; at++) {
                        results[first + at] = answers.getInt();
                    }
                    answered++;
                }
            }
            return answered;
        }

        private void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }
}
