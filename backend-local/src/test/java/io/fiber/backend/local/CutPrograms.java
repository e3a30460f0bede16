// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.tck.fault.PrivateNetwork;
import io.fiber.tck.fault.Signal;
import io.fiber.tck.fault.SpreadBackend;
import io.fiber.tck.fault.UnreachableJobs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A master whose workers are on two hosts, of which one is cut off for a while during a map. Runs in a sandbox. */
final class CutPrograms {

    private static final Duration ITEM = Duration.ofMillis(200);
    private static final Duration LEAST = Duration.ofSeconds(3);

    private final PrivateNetwork network = new PrivateNetwork();
    private final PrivateNetwork.Host near = network.host();
    private final PrivateNetwork.Host far = network.host();
    private final Path notes = Path.of(System.getProperty("java.io.tmpdir"), "notes");

    private CutPrograms() {}

    public static void main(String[] args) throws Exception {
        new CutPrograms().run(Duration.parse(args[0]));
    }

    private void run(Duration cut) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (Fiber fiber = LocalFiber.builder(new UnreachableJobs(
                                new SpreadBackend(new LocalBackendProvider(), network, List.of(near, far)),
                                job -> !far.isCut() || !far.isHomeOf(Long.parseLong(job.id()))))
                        .open();
                Pool pool = fiber.poolOf(4).start()) {
            pool.waitUntilWorkersUp();
            String file = notes.toString();
            CompletableFuture<List<Long>> results = pool.mapAsync(
                    item -> {
                        LocalFiber.note(file, item + " " + LocalFiber.pid());
                        LocalFiber.last(ITEM);
                        return item * 3;
                    },
                    Stream.iterate(0L, item -> item + 1).takeWhile(item -> !over.get()));
            LocalFiber.last(LEAST);
            List<Long> distant = pidsOnFarHost();
            cutFor(cut, distant);
            LocalFiber.last(LEAST);
            over.set(true);
            tell(pool, results.get());
        }
    }

    private List<Long> pidsOnFarHost() {
        return begun().values().stream()
                .flatMap(List::stream)
                .distinct()
                .filter(far::isHomeOf)
                .toList();
    }

    private void cutFor(Duration time, List<Long> distant) throws InterruptedException {
        long beganNs = System.nanoTime();
        far.cut();
        long endedNs = 0;
        while (System.nanoTime() - beganNs < time.toNanos()) {
            LocalFiber.last(Duration.ofMillis(50));
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
        System.out.println("again "
                + begun().values().stream().filter(pids -> pids.size() > 1).count());
    }

    /** Returns which workers have begun each item. */
    private Map<Long, List<Long>> begun() {
        Map<Long, List<Long>> begun = new HashMap<>();
        for (String note : LocalFiber.notes(notes)) {
            int blank = note.indexOf(' ');
            begun.computeIfAbsent(Long.valueOf(note.substring(0, blank)), item -> new ArrayList<>())
                    .add(Long.valueOf(note.substring(blank + 1)));
        }
        return begun;
    }
}
