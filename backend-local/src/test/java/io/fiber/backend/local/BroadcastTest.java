// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Broadcast;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Large values that are sent once to each host. */
@Tag("slow")
class BroadcastTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    private static final int FLOATS = 1 << 20;

    private static @Nullable Object seen;

    private static float[] table() {
        float[] table = new float[FLOATS];
        for (int i = 0; i < FLOATS; i++) {
            table[i] = i % 1000;
        }
        return table;
    }

    private static double sum(FloatBuffer buffer) {
        double sum = 0;
        for (int i = 0; i < buffer.limit(); i++) {
            sum += buffer.get(i);
        }
        return sum;
    }

    /** Returns the files of values that this process has in its memory. */
    private static Set<String> mapped(String directory) {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            Set<String> files = new HashSet<>();
            maps.filter(line -> line.contains(directory)).forEach(line -> files.add(line.substring(line.indexOf('/'))));
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the files of values of this process's sessions; other processes of this user may have some, too. */
    private static List<Path> values() {
        return await("a listing while nobody removes what is listed")
                .atMost(LocalFiber.LIMIT)
                .pollDelay(Duration.ZERO)
                .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .until(BroadcastTest::listing, listed -> true);
    }

    private static List<Path> listing() throws IOException {
        Path all = Path.of(System.getProperty("java.io.tmpdir")).resolve("fiber-" + System.getProperty("user.name"));
        if (Files.notExists(all)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(all, 3)) {
            return files.filter(file -> file.toString().contains("/values/") && isOurs(all.relativize(file), all))
                    .toList();
        }
    }

    private static boolean isOurs(Path file, Path all) {
        try {
            return Files.readAllLines(all.resolve(file.getName(0)).resolve("owner"))
                    .get(0)
                    .equals(String.valueOf(ProcessHandle.current().pid()));
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void workersOfOneHostReadABufferFromOneFileWithoutACopy() {
        float[] table = table();
        double expected = sum(FloatBuffer.wrap(table));
        Fiber fiber = session.fiber();
        try (Pool pool = fiber.pool(2);
                Broadcast<FloatBuffer> shared = fiber.broadcast(FloatBuffer.wrap(table))) {
            pool.awaitReady();

            assertThat(shared.sizeBytes()).isEqualTo(4L * FLOATS);
            assertThat(shared.get().array()).isSameAs(table);
            assertThat(pool.map(i -> sum(shared.get()), List.of(1, 2, 3, 4))).containsOnly(expected);
            List<Boolean> views = pool.map(
                    i -> shared.get().isDirect()
                            && shared.get().isReadOnly()
                            && mapped("/values/").size() == 1,
                    List.of(1, 2, 3, 4));
            assertThat(views).containsOnly(true);
            assertThat(new HashSet<>(pool.map(i -> mapped("/values/").toString(), List.of(1, 2, 3, 4))))
                    .hasSize(1);
        }
    }

    @Test
    void arraysAndObjectsAreTheSameObjectAtEachCall() {
        Fiber fiber = session.fiber();
        Pool pool = session.pool(1);
        try (Broadcast<double[]> numbers = fiber.broadcast(new double[] {1.5, -2, Double.NaN});
                Broadcast<Map<String, List<Integer>>> model = fiber.broadcast(Map.of("layers", List.of(4, 2)))) {
            assertThat(pool.apply(() -> numbers.get())).containsExactly(1.5, -2, Double.NaN);
            assertThat(pool.apply(() -> model.get())).isEqualTo(Map.of("layers", List.of(4, 2)));
            pool.apply(() -> seen = model.get());
            boolean same = pool.apply(() -> seen == model.get());
            assertThat(same).isTrue();
        }
    }

    @Test
    void everyKindOfNumbersArrivesAsItWas() {
        Fiber fiber = session.fiber();
        Pool pool = session.pool(1);
        try (Broadcast<byte[]> bytes = fiber.broadcast(new byte[] {-1, 0, 1});
                Broadcast<int[]> ints = fiber.broadcast(new int[] {Integer.MIN_VALUE, 7});
                Broadcast<long[]> longs = fiber.broadcast(new long[] {Long.MAX_VALUE, -7});
                Broadcast<float[]> floats = fiber.broadcast(new float[] {0.1f});
                Broadcast<float[]> none = fiber.broadcast(new float[0])) {
            assertThat(pool.apply(() -> bytes.get())).containsExactly(-1, 0, 1);
            assertThat(pool.apply(() -> ints.get())).containsExactly(Integer.MIN_VALUE, 7);
            assertThat(pool.apply(() -> longs.get())).containsExactly(Long.MAX_VALUE, -7);
            assertThat(pool.apply(() -> floats.get())).containsExactly(0.1f);
            assertThat(pool.apply(() -> none.get())).isEmpty();
        }
    }

    @Test
    void workersOfWorkersHaveTheValueThroughTheirParentAndBroadcastTheirOwn() {
        Pool pool = session.pool(1);
        try (Broadcast<FloatBuffer> shared = session.fiber().broadcast(FloatBuffer.wrap(new float[] {1, 2, 3}))) {
            double nested = pool.apply(() -> {
                try (Pool inner = Fiber.current().pool(1);
                        Broadcast<int[]> own = Fiber.current().broadcast(new int[] {10})) {
                    Broadcast<int[]> back = inner.apply(() -> own);
                    return inner.apply(() -> sum(shared.get()) + own.get()[0]) + back.get()[0];
                }
            });
            assertThat(nested).isEqualTo(26);
        }
    }

    @Test
    void handleThatComesBackMeansTheSameValueAndDoesNotCloseIt() {
        Pool pool = session.pool(1);
        Broadcast<int[]> shared = session.fiber().broadcast(new int[] {1, 2, 3});
        Broadcast<int[]> back = pool.apply(() -> shared);

        assertThat(back.get()).isSameAs(shared.get());
        back.close();
        assertThat(pool.apply(() -> back.get())).containsExactly(1, 2, 3);
        shared.close();
        assertThatThrownBy(back::get)
                .hasMessage("FBR-512 The broadcast value of 12 bytes was closed, or belongs to another session.");
    }

    @Test
    void workersOfAnotherHostFetchTheValueOnceAndShareIt() {
        float[] table = table();
        double expected = sum(FloatBuffer.wrap(table));
        FiberBuilder builder = SealedSessions.builder(new Interceptor());
        try (Fiber fiber = builder.open();
                Pool pool = fiber.pool(2);
                Broadcast<FloatBuffer> shared = fiber.broadcast(FloatBuffer.wrap(table))) {
            pool.awaitReady();

            assertThat(pool.map(i -> sum(shared.get()), List.of(1, 2, 3, 4))).containsOnly(expected);
            Set<String> files = new HashSet<>(pool.map(i -> mapped("-copies/").toString(), List.of(1, 2, 3, 4)));
            assertThat(files).hasSize(1).first().asString().contains("-copies/").doesNotContain("deleted");
        }
    }

    @Test
    void closedValueIsGoneAndEqualValuesShareAFileUntilTheLastIsClosed() {
        Fiber fiber = session.fiber();
        Pool pool = session.pool(1);
        Broadcast<int[]> first = fiber.broadcast(new int[] {1, 2, 3});
        Broadcast<int[]> second = fiber.broadcast(new int[] {1, 2, 3});
        assertThat(values()).hasSize(1);
        first.close();
        first.close();
        assertThat(pool.apply(() -> second.get())).containsExactly(1, 2, 3);
        second.close();

        assertThat(values()).isEmpty();
        assertThatThrownBy(second::get).hasMessage("FBR-512 This broadcast value of 12 bytes was closed.");
        Broadcast<int[]> third = fiber.broadcast(new int[] {4});
        third.close();
        assertThatThrownBy(() -> pool.apply(() -> third.get()))
                .hasMessageContaining(
                        "FBR-512 The broadcast value of 4 bytes was closed, or belongs to another" + " session.");
        assertThatThrownBy(() -> fiber.broadcast(new Object()))
                .hasMessageContaining("FBR-201 Cannot serialize the value of a broadcast");
    }

    @Test
    void nothingIsLeftOfASessionThatClosedNoValue() {
        try (Fiber fiber = LocalFiber.open()) {
            fiber.broadcast(new byte[100]);
            assertThat(values()).hasSize(1);
        }
        await().atMost(LocalFiber.LIMIT)
                .untilAsserted(() -> assertThat(values()).isEmpty());
    }
}
