// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.function.RemoteFunction;
import io.fiber.tck.fault.PrivateNetwork;
import io.fiber.tck.fault.Signal;
import io.fiber.tck.fault.SpreadBackend;
import io.fiber.tck.fault.UnreachableJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A master whose workers are on two hosts, of which one is cut off for a while, during a map or before one. Runs in a sandbox. */
final class CutPrograms {

    private static final int WORKERS = 4;
    private static final int ITEMS = 40;
    private static final Duration ITEM = Duration.ofMillis(200);
    private static final Duration LEAST = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofMillis(50);

    private final PrivateNetwork network = new PrivateNetwork();
    private final PrivateNetwork.Host near = network.host();
    private final PrivateNetwork.Host far = network.host();
    private final Path notes = file("notes");
    private final Path caught = file("caught");
    private final Path gate = file("gate");

    private CutPrograms() {}

    /** Takes how long the cut lasts, and {@code during} a map or {@code before} one. */
    public static void main(String[] args) throws Exception {
        new CutPrograms().run(Duration.parse(args[0]), args[1]);
    }

    private void run(Duration cut, String when) throws Exception {
        try (Fiber fiber = LocalFiber.builder(new UnreachableJobs(
                                new SpreadBackend(new LocalBackendProvider(), network, List.of(near, far)),
                                job -> !far.isCut() || !far.isHomeOf(Long.parseLong(job.id()))))
                        .open();
                Pool pool = fiber.poolBuilder(WORKERS).start()) {
            pool.awaitReady();
            Files.createFile(caught);
            if (when.equals("before")) {
                cutBefore(pool, cut);
            } else {
                cutDuring(pool, cut);
            }
        }
    }

    /** The workers on the far host have nothing to do at the cut; what they are given then does not arrive. */
    private void cutBefore(Pool pool, Duration cut) throws Exception {
        far.cut();
        CompletableFuture<List<Long>> results =
                pool.mapAsync(item(), LongStream.range(0, ITEMS).boxed());
        LocalFiber.last(cut);
        far.join();
        tell(pool, results.get());
    }

    /** Between two items a worker has begun nothing; so each is made to stay in the one that it runs until the cut is done. */
    private void cutDuring(Pool pool, Duration cut) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<List<Long>> results =
                pool.mapAsync(item(), Stream.iterate(0L, item -> item + 1).takeWhile(item -> !over.get()));
        LocalFiber.last(LEAST);
        Files.createFile(gate);
        LocalFiber.awaitNotes(caught, WORKERS);
        Map<Long, List<Long>> running = read(caught);
        running.values().removeIf(pids -> pids.stream().noneMatch(far::isHomeOf));
        cutFor(cut, running.values().stream().flatMap(List::stream).toList());
        LocalFiber.last(LEAST);
        over.set(true);
        tell(pool, results.get());
        System.out.println("cut off " + running.keySet());
    }

    private Item item() {
        return new Item(notes.toString(), caught.toString(), gate.toString());
    }

    private static Path file(String name) {
        return Path.of(System.getProperty("java.io.tmpdir"), name);
    }

    /**
     * What the workers run.
     *
     * @param caught where an item is noted that stays in its worker
     * @param gate while this exists no item ends
     */
    private record Item(String notes, String caught, String gate) implements RemoteFunction<Long, Long> {

        @Override
        public Long apply(Long item) throws InterruptedException {
            String note = item + " " + LocalFiber.pid();
            LocalFiber.note(notes, note);
            LocalFiber.last(ITEM);
            if (Files.exists(Path.of(gate))) {
                LocalFiber.note(caught, note);
            }
            while (Files.exists(Path.of(gate))) {
                LocalFiber.last(LOOK);
            }
            return item * 3;
        }
    }

    private void cutFor(Duration time, List<Long> distant) throws IOException, InterruptedException {
        long beganNs = System.nanoTime();
        far.cut();
        Files.delete(gate);
        long endedNs = 0;
        while (System.nanoTime() - beganNs < time.toNanos()) {
            LocalFiber.last(LOOK);
            if (endedNs == 0 && distant.stream().noneMatch(Signal::isRunning)) {
                endedNs = System.nanoTime();
            }
        }
        far.join();
        System.out.println("distant " + distant.size());
        System.out.println("ended " + (endedNs == 0 ? "no" : Long.toString((endedNs - beganNs) / 1_000_000)));
    }

    private void tell(Pool pool, List<Long> results) {
        boolean exact = results.equals(LongStream.range(0, results.size())
                .map(item -> item * 3)
                .boxed()
                .toList());
        System.out.println("exact " + exact + " of " + results.size());
        System.out.println("done " + pool.statistics().tasksDone());
        System.out.println("lost " + pool.statistics().workersLost());
        System.out.println("rerun " + pool.statistics().chunksRerun());
        System.out.println("started " + pool.statistics().workersStarted());
        System.out.println("again " + beganTwice());
    }

    private Set<Long> beganTwice() {
        Map<Long, List<Long>> begun = read(notes);
        begun.values().removeIf(pids -> pids.size() == 1);
        return begun.keySet();
    }

    /** Returns the workers that noted an item, for each. */
    private static Map<Long, List<Long>> read(Path file) {
        Map<Long, List<Long>> workers = new TreeMap<>();
        for (String note : LocalFiber.notes(file)) {
            int blank = note.indexOf(' ');
            workers.computeIfAbsent(Long.valueOf(note.substring(0, blank)), item -> new ArrayList<>())
                    .add(Long.valueOf(note.substring(blank + 1)));
        }
        return workers;
    }
}
