// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fiber.SerializationException;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that refer to each other in chains: grids, trees, composed functions. */
class DeepObjectsTest {

    private static final int DEPTH = 2_000;

    static final class Place implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial")
        private final List<Place> next = new ArrayList<>();
    }

    record Nested(@Nullable Object inner) implements Serializable {}

    static final class Owning implements Serializable {
        private static final long serialVersionUID = 1L;

        private transient @Nullable Object inner;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeObject(inner);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            inner = in.readObject();
        }
    }

    static List<UnaryOperator<Object>> nestings() {
        return List.of(
                Nested::new,
                inner -> {
                    Owning owning = new Owning();
                    owning.inner = inner;
                    return owning;
                },
                inner -> new Object[] {inner},
                inner -> new ArrayList<>(List.of(inner)),
                inner -> new HashMap<>(Map.of(1, inner)),
                inner -> new TreeMap<>(Map.of("a", inner)),
                AtomicReference::new,
                inner -> (RemoteFunction<Object, Object>) item -> inner);
    }

    @ParameterizedTest
    @MethodSource("nestings")
    void objectsThatAreNestedDeeplyTravel(UnaryOperator<Object> nesting) {
        Object nested = "innermost";
        for (int i = 0; i < DEPTH; i++) {
            nested = nesting.apply(nested);
        }

        assertThat(Serializing.travelled(nested))
                .isInstanceOf(nested.getClass().isSynthetic() ? RemoteFunction.class : nested.getClass());
    }

    @Test
    void aGridOfPlacesThatKnowTheirNeighboursTravels() {
        int width = 30;
        List<Place> grid = new ArrayList<>();
        for (int i = 0; i < width * width; i++) {
            grid.add(new Place());
            if (i % width > 0) {
                link(grid.get(i), grid.get(i - 1));
            }
            if (i >= width) {
                link(grid.get(i), grid.get(i - width));
            }
        }

        List<Place> read = Serializing.travelled(new ArrayList<>(grid));

        assertThat(read.get(0).next).containsExactly(read.get(1), read.get(width));
    }

    private static void link(Place one, Place other) {
        one.next.add(other);
        other.next.add(one);
    }

    @Test
    void aFunctionComposedOfAThousandTravels() throws Exception {
        RemoteFunction<Integer, Integer> composed = item -> item;
        for (int i = 0; i < 1000; i++) {
            RemoteFunction<Integer, Integer> inner = composed;
            composed = item -> inner.apply(item) + 1;
        }

        assertThat(Serializing.travelled(composed).apply(1)).isEqualTo(1001);
    }

    @Test
    void deepObjectsAreWrittenAndReadByThreadsOfSmallStacks() throws Exception {
        AtomicReference<@Nullable Object> read = new AtomicReference<>();
        Thread small = new Thread(
                null,
                () -> read.set(Serializing.travelled(SerializationErrorsTest.Chain.of(4_000))),
                "small",
                256 << 10);
        small.start();
        small.join();

        assertThat(read.get()).isInstanceOf(SerializationErrorsTest.Chain.class);
    }

    /** Knows the thread and the class loader it is read by. */
    static final class Reader implements Serializable {
        private static final long serialVersionUID = 1L;

        private transient @Nullable ClassLoader loader;

        private void readObject(ObjectInputStream in) {
            loader = Thread.currentThread().getContextClassLoader();
        }
    }

    @Test
    void theClassLoaderOfTheThreadIsThatOfItsCaller() {
        Reader reader = new Reader();
        Object nested = reader;
        for (int i = 0; i < 300; i++) {
            nested = new Nested(nested);
        }

        Object read = Serializing.travelled(nested);
        while (read instanceof Nested inside) {
            read = inside.inner();
        }

        assertThat(((Reader) java.util.Objects.requireNonNull(read)).loader)
                .isSameAs(Thread.currentThread().getContextClassLoader());
    }

    /** Knows who wrote and who read it, and how much of an output had been written then. */
    static final class Witness implements Serializable {
        private static final long serialVersionUID = 1L;

        private final transient PayloadOutput out;
        private transient @Nullable Thread thread;
        private transient long outBytes;

        Witness(PayloadOutput out) {
            this.out = out;
        }

        private void writeObject(ObjectOutputStream stream) {
            thread = Thread.currentThread();
            outBytes = out.length();
        }

        private void readObject(ObjectInputStream stream) {
            thread = Thread.currentThread();
        }
    }

    private static Object nested(Object innermost, int levels) {
        Object nested = innermost;
        for (int i = 0; i < levels; i++) {
            nested = new Nested(nested);
        }
        return nested;
    }

    private static void onSmallStack(Runnable work) throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread small = new Thread(null, work, "small", 256 << 10);
        small.setUncaughtExceptionHandler((thread, e) -> thrown.set(e));
        small.start();
        small.join();
        assertThat(thrown.get()).isNull();
    }

    @Test
    void anotherThreadWritesNothingIntoTheOutputOfItsCaller() throws Exception {
        PayloadOutput out = new PayloadOutput();
        Witness witness = new Witness(out);
        onSmallStack(() -> Serializing.on(Side.MASTER).write(nested(witness, 4_000), out));

        assertThat(requireNonNull(witness.thread).getName()).isEqualTo("small-deep");
        assertThat(witness.outBytes).isEqualTo(1 + Integer.BYTES);
        assertThat(out.length()).isGreaterThan(4_000);
    }

    @Test
    void theLimitOfAnOutputIsSaidForDeepObjectsToo() throws Exception {
        PayloadOutput out = new PayloadOutput(1 << 20);
        out.write(new byte[(1 << 20) - 10_000], 0, (1 << 20) - 10_000);
        onSmallStack(() -> assertThat(catchThrowableOfType(
                        SerializationException.class,
                        () -> Serializing.on(Side.MASTER).write(nested(new Witness(out), 4_000), out)))
                .hasMessageStartingWith(
                        "FBR-205 Cannot send a value of a message: it is larger than the limit of 1048576"
                                + " bytes (1 MiB)."));
    }

    @Test
    void objectsOfOtherClassesStayOnTheThreadOfTheirCaller() throws Exception {
        PayloadOutput out = new PayloadOutput();
        Witness witness = new Witness(out);
        ValueCodec codec = Serializing.on(Side.MASTER);
        onSmallStack(() -> {
            codec.write(nested("innermost", 4_000), out);
            codec.write(witness, out);
            assertThat(witness.thread).isSameAs(Thread.currentThread());
            PayloadInput in = out.toPayload().open();
            codec.read(in);
            assertThat(((Witness) requireNonNull(codec.read(in))).thread).isSameAs(Thread.currentThread());
        });
    }

    @Test
    void aLockOfTheCallerIsNotWaitedForWithoutEnd() {
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        Callable<Boolean> locking = () -> {
            lock.lock();
            return true;
        };
        Callable<Boolean> entering = () -> {
            synchronized (monitor) {
                return true;
            }
        };
        String stuck = "the objects are nested so deeply that Fiber processes them in another thread, and that thread"
                + " waits for a lock that thread '"
                + Thread.currentThread().getName()
                + "' may hold. Release the lock, or send a list of the parts instead of a chain of objects";
        lock.lock();
        try {
            assertThatIllegalStateException()
                    .isThrownBy(() -> DeepStack.call(locking, 2))
                    .withMessage(stuck);
        } finally {
            lock.unlock();
        }
        synchronized (monitor) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> DeepStack.call(entering, 2))
                    .withMessage(stuck);
        }
    }

    @Test
    void deepFieldsOfExceptionsTravel() {
        FailureCodec codec = new FailureCodec(Serializing.serializer(), Side.WORKER);
        PayloadOutput out = new PayloadOutput();
        codec.write(new FailureCodecTest.Holding("m", SerializationErrorsTest.Chain.of(3_000)), out);

        assertThat(codec.read(out.toPayload().open()).original())
                .get()
                .satisfies(original -> assertThat(((FailureCodecTest.Holding) original).held())
                        .isInstanceOf(SerializationErrorsTest.Chain.class));
    }

    @Test
    void whatIsWrongDeepInsideIsNamed() {
        Object nested = new Object();
        for (int i = 0; i < 3_000; i++) {
            nested = new Nested(nested);
        }
        Object tooDeep = nested;

        assertThat(catchThrowableOfType(SerializationException.class, () -> Serializing.written(tooDeep)))
                .hasMessageStartingWith(
                        "FBR-201 Cannot serialize argument 17 of map: java.lang.Object is not Serializable;");
    }
}
