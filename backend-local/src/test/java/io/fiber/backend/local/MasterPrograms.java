// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.Pool;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What masters in JVMs of their own do. */
final class MasterPrograms {

    private static final int LARGE = 200 << 20;
    static final String NOTHING_HELD = " shm 0 threads []";

    private MasterPrograms() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "range" -> range(Long.parseLong(args[1]));
            case "endless" -> endless(Integer.parseInt(args[1]));
            case "busy" -> busy();
            case "slow" -> slow(Integer.parseInt(args[1]));
            case "time" -> time();
            case "idle" -> idle(Duration.parse(args[1]));
            case "cycles" -> cycles(Integer.parseInt(args[1]));
            case "returns" -> returns(args[1]);
            case "exits" -> exits();
            case "large" -> large();
            case "tooLarge" -> tooLarge();
            case "figures" -> figures(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void range(long count) {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2);
                Stream<Long> results = pool.imap(x -> x * 3, LongStream.range(0, count))) {
            long sum = 0;
            long expected = 0;
            for (Iterator<Long> each = results.iterator(); each.hasNext(); expected += 3) {
                long result = each.next();
                check(result == expected, "result " + result + " instead of " + expected);
                sum += result;
            }
            System.out.println("sum " + sum);
        }
    }

    /** Takes some of an endless input of 16 KB items. */
    private static void endless(int count) {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2);
                Stream<Integer> results = pool.imap(
                        item -> item.length, Stream.iterate(new byte[16 << 10], item -> new byte[16 << 10]))) {
            check(results.limit(count).mapToLong(length -> length).sum() == (long) count << 14, "the sum is wrong");
        }
        System.out.println("taken " + count);
    }

    /** Says the pids of its workers and keeps them busy until it is killed. */
    private static void busy() {
        Fiber fiber = LocalFiber.open();
        fiber.broadcast(new byte[1 << 20]);
        Pool pool = fiber.pool(2);
        try (Stream<Long> results = pool.with(CallOptions.defaults().chunkSize(1))
                .imapUnordered(
                        item -> {
                            LocalFiber.last(Duration.ofMillis(20));
                            return LocalFiber.pid();
                        },
                        Stream.iterate(0, x -> x + 1))) {
            Set<Long> pids = new TreeSet<>();
            results.forEachOrdered(pid -> {
                if (pids.add(pid) && pids.size() == 2) {
                    System.out.println(
                            "workers " + pids.stream().map(String::valueOf).collect(Collectors.joining(" ")));
                }
            });
        }
    }

    /** A map of items that take 10 ms each. */
    private static void slow(int items) {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2)) {
            pool.awaitReady();
            System.out.println("begins");
            List<Integer> results = pool.map(
                    x -> {
                        LocalFiber.last(Duration.ofMillis(10));
                        return x * 2;
                    },
                    IntStream.range(0, items));
            check(
                    results.equals(
                            IntStream.range(0, items).map(x -> x * 2).boxed().toList()),
                    "the results are wrong");
            System.out.println("lost " + pool.statistics().workersLost());
            System.out.println("started " + pool.statistics().workersStarted());
        }
    }

    private static void time() {
        System.out.println("now " + System.currentTimeMillis());
        range(1000);
    }

    private static void idle(Duration pause) throws InterruptedException {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2)) {
            check(pool.map(x -> x + 1, List.of(1, 2)).equals(List.of(2, 3)), "the first map is wrong");
            LocalFiber.last(pause);
            check(pool.map(x -> x + 1, List.of(1, 2)).equals(List.of(2, 3)), "the second map is wrong");
            System.out.println("lost " + pool.statistics().workersLost());
        }
    }

    /** Opens and closes sessions; what a process holds afterwards must not have grown. */
    private static void cycles(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            if (i == count / 10) {
                System.out.println("before " + held());
            }
            try (Fiber fiber = LocalFiber.open()) {
                if (i % 20 == 0) {
                    try (Pool pool = fiber.pool(1)) {
                        check(pool.apply(x -> x + 1, i) == i + 1, "the result is wrong");
                    }
                }
            }
        }
        // Threads of a session may end a moment after it.
        String after = await("nothing held")
                .atMost(LocalFiber.LIMIT)
                .until(MasterPrograms::held, held -> held.endsWith(NOTHING_HELD));
        System.out.println("after " + after);
    }

    private static String held() throws IOException {
        List<String> threads = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("fiber"))
                .sorted()
                .toList();
        try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
            return "fds " + fds.count() + " shm "
                    + LocalFiber.sharedMemoryOf(LocalFiber.pid()).size() + " threads " + threads;
        }
    }

    /** An argument and a result that are large, of bytes and of an object. */
    /** Leaves calls and a process under way, and returns. */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for them
    private static void returns(String notes) {
        Fiber fiber = LocalFiber.open();
        Pool pool = fiber.pool(2);
        pool.awaitReady();
        pool.applyAsync(MasterPrograms::late).thenAccept(answer -> LocalFiber.note(notes, "call " + answer));
        pool.mapAsync(x -> late() + x, List.of(1, 2)).thenAccept(answers -> LocalFiber.note(notes, "map " + answers));
        pool.asExecutorService().execute((Runnable & Serializable) () -> LocalFiber.note(notes, "executor " + late()));
        fiber.process(() -> LocalFiber.note(notes, "process " + late()));
        System.out.println("main returns");
    }

    private static int late() {
        try {
            LocalFiber.last(Duration.ofMillis(700));
        } catch (InterruptedException e) {
            return -1;
        }
        return 7;
    }

    /** Ends itself with calls under way. */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for them
    private static void exits() {
        Fiber fiber = LocalFiber.open();
        Pool pool = fiber.pool(1);
        pool.awaitReady();
        pool.applyAsync(MasterPrograms::late);
        pool.applyAsync(MasterPrograms::late);
        System.exit(3);
    }

    private static void large() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            byte[] argument = new byte[LARGE];
            Arrays.fill(argument, (byte) 7);
            argument[LARGE - 1] = 9;
            check(
                    pool.apply(bytes -> bytes.length + bytes[0] + bytes[LARGE - 1] + bytes[LARGE / 2], argument)
                            == LARGE + 7 + 9 + 7,
                    "the argument is wrong");
            System.out.println("argument");
            byte[] result = pool.apply(() -> {
                byte[] bytes = new byte[LARGE];
                Arrays.fill(bytes, (byte) 5);
                return bytes;
            });
            byte[] expected = new byte[LARGE];
            Arrays.fill(expected, (byte) 5);
            check(Arrays.equals(result, expected), "the result is wrong");
            System.out.println("result");
            check(pool.apply(x -> x + 1, 1) == 2, "the pool is broken");
        }
    }

    /** A list of three different gigabytes. */
    private static void tooLarge() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            List<byte[]> argument = List.of(new byte[1 << 30], new byte[1 << 30], new byte[1 << 30]);
            try {
                pool.apply(List::size, argument);
                System.out.println("argument was taken");
            } catch (FiberException e) {
                System.out.println("argument " + e.getMessage());
            }
            try {
                pool.apply(() -> List.of(new byte[1 << 30], new byte[1 << 30], new byte[1 << 30]));
                System.out.println("result was taken");
            } catch (FiberException e) {
                System.out.println("result "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            }
            check(pool.apply(x -> x + 1, 1) == 2, "the pool is broken");
            System.out.println("works");
        }
    }

    /** Prints the processor time that an idle pool takes, and what its workers hold. */
    private static void figures(int workers, int seconds) throws Exception {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(workers)) {
            pool.awaitReady();
            pool.map(x -> x, IntStream.range(0, 100_000));
            LocalFiber.last(Duration.ofSeconds(3));
            List<Long> pids = Stream.concat(
                            ProcessHandle.current().descendants().map(ProcessHandle::pid), Stream.of(LocalFiber.pid()))
                    .toList();
            long[] before = pids.stream().mapToLong(MasterPrograms::ticks).toArray();
            LocalFiber.last(Duration.ofSeconds(seconds));
            for (int i = 0; i < before.length; i++) {
                System.out.println("process " + pids.get(i) + " ticks " + (ticks(pids.get(i)) - before[i]) + " rssKb "
                        + residentKb(pids.get(i)));
            }
        }
    }

    private static long ticks(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
            return Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12));
        } catch (IOException e) {
            return 0;
        }
    }

    private static String residentKb(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .findFirst()
                .orElse("");
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
