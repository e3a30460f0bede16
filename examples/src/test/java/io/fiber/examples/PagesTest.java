// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.fiber.CallOptions;
import io.fiber.ConnectedManager;
import io.fiber.Fiber;
import io.fiber.ManagedMap;
import io.fiber.Manager;
import io.fiber.ManagerEndpoint;
import io.fiber.Outcome;
import io.fiber.Pool;
import io.fiber.Retry;
import io.fiber.TaskRunner;
import io.fiber.WorkerLocal;
import io.fiber.spec.Resources;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages show that is no example of its own: {@link DocumentationTest} finds their snippets here. */
@Tag("slow")
final class PagesTest {
    private static final int LIMIT_SECONDS = 60;

    @TempDir
    private Path directory;

    /** What was fetched. */
    private record Page(String text) implements Serializable {}

    /** Fails the first time at each address, as a network may. */
    private static final class Download {
        static Page fetch(String address) throws IOException {
            Path mark = Path.of(address);
            if (!Files.exists(mark)) {
                Files.createFile(mark);
                throw new IOException("connection reset");
            }
            return new Page("text of " + address);
        }

        static int status(String address) {
            return address.isEmpty() ? 404 : 200;
        }

        static int length(String address) throws IOException {
            if (address.equals("gone")) {
                throw new IOException("no such page");
            }
            return address.length();
        }
    }

    @Test
    void aCallIsMorePatientThanItsPool() {
        try (Fiber fiber = Fiber.open()) {
            List<Integer> squares;
            try (Pool pool = fiber.poolBuilder(8)
                    .callOptions(CallOptions.defaults().retry(Retry.times(2)))
                    .build()) {
                TaskRunner patient = pool.with(
                        CallOptions.defaults().deadline(Duration.ofMinutes(5)).retry(Retry.times(0)));
                squares = patient.map(each -> each * each, List.of(1, 2, 3));
            }
            assertThat(squares).containsExactly(1, 4, 9);
        }
    }

    @Test
    void whatFailedIsTriedAgain() {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(1)) {
            List<String> addresses = List.of(
                    directory.resolve("a").toString(), directory.resolve("b").toString());
            Retry network = Retry.times(5)
                    .backOff(Duration.ofMillis(100), Duration.ofSeconds(10))
                    .on(IOException.class);
            List<Page> pages = pool.with(CallOptions.defaults().retry(network)).map(Download::fetch, addresses);
            assertThat(pages)
                    .containsExactly(new Page("text of " + addresses.get(0)), new Page("text of " + addresses.get(1)));
        }
    }

    @Test
    void oneItemThatFailsCostsNoOther() {
        List<String> addresses = List.of("a", "gone", "b");
        List<Integer> lengths = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            try (Stream<Outcome<Integer>> outcomes = pool.outcomes(Download::length, addresses)) {
                outcomes.forEach(outcome -> {
                    if (outcome instanceof Outcome.Failure<Integer> failure) {
                        failures.add(
                                failure.index() + ": " + failure.exception().getMessage());
                    } else {
                        lengths.add(outcome.result());
                    }
                });
            }
        }
        assertThat(lengths).containsExactly(1, 1);
        assertThat(failures)
                .singleElement()
                .asString()
                .startsWith("1: FBR-401 Task 1 ")
                .contains("no such page");
    }

    @Test
    void tasksWithoutAResultRun() {
        List<String> files = IntStream.range(0, 20)
                .mapToObj(each -> directory.resolve("file" + each).toString())
                .toList();
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            pool.forEach(file -> Files.writeString(Path.of(file), "done"), files);
        }
        assertThat(files).allSatisfy(file -> assertThat(Path.of(file)).hasContent("done"));
    }

    /** Stands for a program that computes on a GPU. */
    private static final class Renderer {
        static String render(String scene) {
            return scene + " on " + Fiber.current().currentProcess().gpus();
        }
    }

    @Test
    void eachWorkerHasAGpu() {
        List<String> scenes = List.of("a", "b", "c");
        List<String> images;
        try (Fiber fiber = Fiber.builder().set("local.gpus", "GPU-of-a-page").open()) {
            try (Pool pool = fiber.poolBuilder(4).resources(Resources.gpus(1)).build()) {
                images = pool.map(Renderer::render, scenes);
            }
        }
        assertThat(images).containsExactly("a on [GPU-of-a-page]", "b on [GPU-of-a-page]", "c on [GPU-of-a-page]");
    }

    @Test
    void aLibraryKeepsItsThreads() {
        List<String> addresses = List.of("a", "bb", "ccc");
        List<Integer> lengths;
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            Function<String, Integer> length = pool.remote(Download::length);
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<CompletableFuture<Integer>> futures = addresses.stream()
                        .map(address -> CompletableFuture.supplyAsync(() -> length.apply(address), threads))
                        .toList();
                lengths = futures.stream().map(CompletableFuture::join).toList();
            } finally {
                threads.shutdown();
            }
            assertThat(lengths).containsExactly(1, 2, 3);
        }
    }

    @Test
    void aWorkerWaitsForSeveralAnswersAtATime() {
        List<String> addresses =
                IntStream.range(0, 64).mapToObj(each -> "address " + each).toList();
        List<Integer> codes;
        try (Fiber fiber = Fiber.open()) {
            try (Pool pool = fiber.poolBuilder(2).threadsPerWorker(16).build()) {
                codes = pool.map(Download::status, addresses);
            }
        }
        assertThat(codes).hasSize(64).containsOnly(200);
    }

    /** Counts how many of it a worker has made. */
    private static final class Model {
        private static final AtomicInteger MADE = new AtomicInteger();

        static Model load() {
            MADE.incrementAndGet();
            return new Model();
        }

        double score(int item) {
            return item * 1000 + MADE.get();
        }

        static double longScore(int item) throws InterruptedException {
            new CountDownLatch(1).await();
            return item;
        }
    }

    @Test
    void exceptionOfTheTryBlockIsSeenWhenThePoolIsTerminated() {
        try (Fiber fiber = Fiber.open()) {
            assertThatThrownBy(() -> useInVain(fiber)).hasMessage("no score is needed");
        }
    }

    private static void useInVain(Fiber fiber) {
        try (Pool pool = fiber.pool(2)) {
            try {
                CompletableFuture<Double> score = pool.applyAsync(Model::longScore, 1);
                assertThat(score).isNotDone();
                throw new IllegalStateException("no score is needed");
            } catch (RuntimeException e) {
                pool.shutdownNow();
                throw e;
            }
        }
    }

    @Test
    void aTaskRunsInTheProgramItself() throws IOException {
        List<String> addresses = List.of("a", "bb", "ccc");
        List<Integer> lengths = new ArrayList<>();
        for (String address : addresses) {
            lengths.add(Download.length(address)); // instead of pool.map(Download::length, addresses)
        }
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            assertThat(pool.map(Download::length, addresses)).isEqualTo(lengths);
        }
    }

    @Test
    void eachWorkerMakesItsStateOnce() {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            List<Integer> items = List.of(1, 2, 3, 4);
            WorkerLocal<Model> model = WorkerLocal.of(Model::load);
            List<Double> scores = pool.map(item -> model.get().score(item), items);
            assertThat(scores).containsExactly(1001.0, 2001.0, 3001.0, 4001.0);
        }
    }

    /** Stands for the window of a program. */
    private static final class Window {
        private final CountDownLatch full = new CountDownLatch(1);

        void show(long done, OptionalLong total) {
            if (total.equals(OptionalLong.of(done))) {
                full.countDown();
            }
        }
    }

    @Test
    void aListenerHearsHowFarACallHasCome() throws InterruptedException {
        Window window = new Window();
        try (Fiber fiber = Fiber.open()) {
            Pool pool = fiber.poolBuilder(2)
                    .callOptions(CallOptions.defaults().progress(news -> window.show(news.done(), news.total())))
                    .build();
            pool.map(each -> each, IntStream.range(0, 100));
            assertThat(window.full.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    @SuppressWarnings("NullAway") // a sum is never null, which merge cannot know
    void aMapIsSharedByTasksAndByOtherPrograms() {
        Path file = directory.resolve("manager.endpoint");
        List<String> words = List.of("word", "another", "word");
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            try (Manager manager = fiber.manager()) {
                ManagedMap<String, Integer> counts = manager.map();
                pool.map(word -> counts.merge(word, 1, Integer::sum), words);
                manager.publish("counts", counts);
                manager.listen().save(file);
                useFromOutside(file);
                assertThat(counts.snapshot()).containsOnly(entry("word", 3), entry("another", 1));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void useFromOutside(Path file) {
        try (ConnectedManager manager = Manager.connect(ManagerEndpoint.load(file))) {
            ManagedMap<String, Integer> counts = manager.find("counts", ManagedMap.class);
            counts.merge("word", 1, Integer::sum);
        }
    }

    /** A straight line through points of which each member has its own. */
    private static final class Line {
        private static final float RATE = 0.1f;
        final float[] weights = new float[2];

        float[] gradient(List<float[]> points) {
            float[] gradient = new float[2];
            for (float[] point : points) {
                float error = weights[0] + weights[1] * point[0] - point[1];
                gradient[0] += error;
                gradient[1] += error * point[0];
            }
            return gradient;
        }

        void apply(float[] gradient) {
            weights[0] -= RATE * gradient[0];
            weights[1] -= RATE * gradient[1];
        }
    }

    /** Points of the line 3 + 2x. */
    private static List<float[]> shard(int rank, int size) {
        List<float[]> points = new ArrayList<>();
        for (float x = rank; x < 4; x += size) {
            points.add(new float[] {x, 3 + 2 * x});
        }
        return points;
    }

    @Test
    void membersOfARingLearnTogether() {
        try (Fiber fiber = Fiber.open()) {
            List<float[]> learned = fiber.ring(4).call(member -> {
                Line model = new Line();
                for (int step = 0; step < 150; step++) {
                    float[] gradient = model.gradient(shard(member.rank(), member.size()));
                    member.allReduce(gradient, Float::sum);
                    model.apply(gradient);
                }
                return model.weights;
            });
            assertThat(learned)
                    .allSatisfy(weights -> assertThat(weights).containsExactly(new float[] {3, 2}, within(0.01f)));
        }
    }
}
