// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.fresh;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The same over Aeron IPC, by the one thread that calls. A message has many requests or answers, the first one to a worker is
 * the function, and one of a byte is the last. Waiting backs off to 0.1 ms, as a library must that shares its machine.
 */
final class PlainAeronPool implements PlainPool {
    static final String CHANNEL = "aeron:ipc";
    static final int HEAD_BYTES = 2 * Integer.BYTES;

    private static final int FRAGMENTS = 16;

    private final MediaDriver driver;
    private final Aeron aeron;
    private final List<Process> processes = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final IdleStrategy idle = idle();
    private final int window;
    private final UnsafeBuffer requests;

    PlainAeronPool(int size, Task task, int window) throws IOException {
        this.window = window;
        requests = new UnsafeBuffer(ByteBuffer.allocateDirect(HEAD_BYTES * window));
        String directory =
                Files.createTempDirectory(Path.of("/dev/shm"), "plain").toString();
        driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new BackoffIdleStrategy(10, 20, 1_000, 1_000_000))
                .ipcTermBufferLength(1 << 18)
                .counterValuesBufferLength(1 << 20)
                .performStorageChecks(false)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true));
        for (int number = 0; number < size; number++) {
            processes.add(PlainPool.start(
                    PlainAeronWorker.class,
                    number == 0,
                    directory,
                    String.valueOf(2 * number),
                    String.valueOf(2 * number + 1)));
        }
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
        for (int number = 0; number < size; number++) {
            workers.add(new Worker(
                    aeron.addExclusivePublication(CHANNEL, 2 * number),
                    aeron.addSubscription(CHANNEL, 2 * number + 1)));
        }
        sendAll(new UnsafeBuffer(PlainPool.bytes(task)));
    }

    static IdleStrategy idle() {
        return new BackoffIdleStrategy(10, 20, 1_000, 100_000);
    }

    private void sendAll(DirectBuffer message) {
        for (Worker worker : workers) {
            while (worker.requests.offer(message) < 0) {
                idle.idle();
            }
            idle.reset();
        }
    }

    @Override
    public int[] map(int items, int chunkSize) {
        int[] results = new int[items];
        int most = chunkSize * workers.size() >= items ? 1 : window;
        int next = 0;
        int left = items;
        while (left > 0) {
            int work = 0;
            for (Worker worker : workers) {
                if (worker.open <= most / 2 && next < items) {
                    int asked = ask(worker, next, items, chunkSize, most);
                    work += asked - next;
                    next = asked;
                }
                if (worker.open > 0) {
                    int done = worker.poll(results);
                    left -= done;
                    work += done;
                }
            }
            idle.idle(work);
        }
        return results;
    }

    /** Returns the first item that was not sent. */
    private int ask(Worker worker, int from, int items, int chunkSize, int most) {
        int next = from;
        int chunks = 0;
        while (worker.open + chunks < most && next < items) {
            requests.putInt(chunks * HEAD_BYTES, next);
            requests.putInt(chunks * HEAD_BYTES + Integer.BYTES, Math.min(chunkSize, items - next));
            next = Math.min(items, next + chunkSize);
            chunks++;
        }
        if (worker.requests.offer(requests, 0, chunks * HEAD_BYTES) < 0) {
            return from;
        }
        worker.open += chunks;
        return next;
    }

    @Override
    public void close() throws IOException {
        sendAll(new UnsafeBuffer(new byte[1]));
        for (Process process : processes) {
            PlainPool.await(process);
        }
        aeron.close();
        driver.close();
    }

    private static final class Worker implements FragmentHandler {
        private final ExclusivePublication requests;
        private final Subscription answers;
        private final FragmentAssembler assembler = new FragmentAssembler(this);
        private int[] results = new int[0];
        private int done;
        private int open;

        Worker(ExclusivePublication requests, Subscription answers) {
            this.requests = requests;
            this.answers = answers;
        }

        /** Returns how many results have come. */
        int poll(int[] into) {
            results = into;
            done = 0;
            answers.poll(assembler, FRAGMENTS);
            return done;
        }

        @Override
        public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
            int at = offset;
            while (at < offset + length) {
                int first = buffer.getInt(at);
                int count = buffer.getInt(at + Integer.BYTES);
                at += HEAD_BYTES;
                for (int item = first; item < first + count; item++, at += Integer.BYTES) {
                    results[item] = buffer.getInt(at);
                }
                done += count;
                open--;
            }
        }
    }
}
