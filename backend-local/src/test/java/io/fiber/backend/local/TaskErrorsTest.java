// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.Pool;
import io.fiber.PoolBrokenException;
import io.fiber.PoolState;
import io.fiber.RemoteTaskException;
import io.fiber.SerializationException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What goes wrong in a task, or on the way to it, reaches the caller; the pool works on. */
@Tag("slow")
class TaskErrorsTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    static final class NotSerializable {}

    private final NotSerializable field = new NotSerializable();

    @Test
    void checkedExceptionArrivesWithTypeMessageAndRemoteStackTrace() {
        Pool pool = session.pool(1);
        RemoteTaskException thrown =
                catchThrowableOfType(RemoteTaskException.class, () -> pool.apply(TaskErrorsTest::missFile, "data.bin"));

        assertThat(thrown.code()).isEqualTo("FBR-401");
        assertThat(thrown)
                .hasMessageContaining("java.io.FileNotFoundException: data.bin is missing")
                .hasCauseInstanceOf(FileNotFoundException.class)
                .cause()
                .hasMessage("data.bin is missing")
                .satisfies(cause ->
                        assertThat(cause.getStackTrace()[0].getMethodName()).isEqualTo("missFile"));
        assertThat(thrown.remoteType()).isEqualTo("java.io.FileNotFoundException");
        assertThat(thrown.remoteStackTrace())
                .contains("TaskErrorsTest.missFile", "TaskThread")
                .startsWith("java.io.FileNotFoundException: data.bin is missing");
        assertWorks(pool);
    }

    private static String missFile(String name) throws IOException {
        throw new FileNotFoundException(name + " is missing");
    }

    @Test
    void uncheckedExceptionReachesEveryKindOfCall() {
        Pool pool = session.pool(2);
        List<Integer> numbers = LocalFiber.numbers(50);

        assertThatThrownBy(() -> pool.map(TaskErrorsTest::refuseSeven, numbers))
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("Task 7")
                .hasRootCauseMessage("seven");
        assertThatThrownBy(() ->
                        pool.mapAsync(TaskErrorsTest::refuseSeven, numbers).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RemoteTaskException.class)
                .hasRootCauseMessage("seven");
        assertThatThrownBy(() -> pool.applyAsync(TaskErrorsTest::refuseSeven, 7).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RemoteTaskException.class)
                .hasRootCauseMessage("seven");
        try (Stream<Integer> results = pool.imapUnordered(TaskErrorsTest::refuseSeven, numbers)) {
            assertThatThrownBy(results::toList).hasRootCauseMessage("seven");
        }
        try (Stream<Integer> results =
                pool.with(CallOptions.defaults().chunkSize(3)).imap(TaskErrorsTest::refuseSeven, numbers)) {
            List<Integer> before = new ArrayList<>();
            assertThatThrownBy(() -> results.forEachOrdered(before::add)).hasRootCauseMessage("seven");
            assertThat(before).isEqualTo(LocalFiber.numbers(7));
        }
        assertWorks(pool);
    }

    private static int refuseSeven(int number) {
        if (number == 7) {
            throw new IllegalArgumentException("seven");
        }
        return number;
    }

    @Test
    void fieldOfAnExceptionThatCannotTravelIsLeftOut() {
        Pool pool = session.pool(1);
        RemoteTaskException thrown = catchThrowableOfType(
                RemoteTaskException.class,
                () -> pool.apply(() -> {
                    throw new HoldsThread();
                }));

        assertThat(thrown.remoteType()).isEqualTo(HoldsThread.class.getName());
        assertThat(thrown).hasMessageContaining("cannot travel");
        assertThat(thrown.getCause()).hasMessage("cannot travel");
        assertThat(thrown.getCause())
                .isInstanceOfSatisfying(
                        HoldsThread.class, read -> assertThat(read.thread).isNull());
        assertWorks(pool);
    }

    static final class HoldsThread extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial")
        private final Thread thread = Thread.currentThread();

        HoldsThread() {
            super("cannot travel");
        }
    }

    @Test
    void exceptionOfAClassThatIsMissingHereArrivesAsItsSuperclass() {
        Pool pool = session.pool(1);
        RemoteTaskException thrown =
                catchThrowableOfType(RemoteTaskException.class, () -> pool.apply(() -> throwForeign("who am I")));

        assertThat(thrown.remoteType()).isEqualTo(Foreigner.class.getName().replace("Foreigner", "Nowhere42"));
        assertThat(thrown)
                .hasMessageContaining("Nowhere42: who am I")
                .cause()
                .isExactlyInstanceOf(RuntimeException.class)
                .hasMessage(thrown.remoteType() + ": who am I")
                .hasStackTraceContaining("throwForeign");
        assertWorks(pool);
    }

    static final class Foreigner extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Foreigner(String message) {
            super(message);
        }
    }

    /** Throws an exception of a class that only this worker has: the one above under a name of the same length. */
    private static int throwForeign(String message) throws Exception {
        String name = Foreigner.class.getName();
        byte[] code;
        try (InputStream in = Foreigner.class.getResourceAsStream("TaskErrorsTest$Foreigner.class")) {
            code = new String(requireNonNull(in).readAllBytes(), StandardCharsets.ISO_8859_1)
                    .replace("Foreigner", "Nowhere42")
                    .getBytes(StandardCharsets.ISO_8859_1);
        }
        Class<?> foreign = MethodHandles.lookup().defineClass(code);
        assertThat(foreign.getName()).isNotEqualTo(name);
        throw (RuntimeException) foreign.getConstructor(String.class).newInstance(message);
    }

    @Test
    void argumentThatIsNotSerializableIsAnErrorThatNamesIt() {
        Pool pool = session.pool(1);
        assertThatThrownBy(() -> pool.apply(item -> 1, new NotSerializable()))
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-201 ")
                .hasMessageContaining("NotSerializable")
                .hasMessageContaining("Let it implement java.io.Serializable");
        assertThatThrownBy(() -> pool.map(item -> 1, List.of("a", new Object[] {new NotSerializable()})))
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-201 ")
                .hasMessageContaining("NotSerializable");
        try (Stream<Integer> results = pool.imap(item -> 1, List.of("a", new NotSerializable()))) {
            assertThatThrownBy(results::toList)
                    .isInstanceOf(SerializationException.class)
                    .hasMessageStartingWith("FBR-201 ")
                    .hasMessageContaining("NotSerializable");
        }
        assertWorks(pool);
    }

    @Test
    void functionThatCapturesThisIsAnErrorWithAHint() {
        Pool pool = session.pool(1);
        assertThatThrownBy(() -> pool.map(item -> item + field.hashCode(), List.of(1)))
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-201 ")
                .hasMessageContaining("captures `this`")
                .hasMessageContaining("copy the field it uses to a local variable");
        NotSerializable captured = field;
        assertThatThrownBy(() -> pool.applyAsync(() -> captured.hashCode()))
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-201 ")
                .hasMessageContaining("NotSerializable");
        assertWorks(pool);
    }

    @Test
    void resultThatIsNotSerializableIsAnErrorThatNamesIt() {
        Pool pool = session.pool(1);
        assertThatThrownBy(() -> pool.map(item -> item == 3 ? new NotSerializable() : item, List.of(1, 2, 3, 4)))
                .isInstanceOf(FiberException.class)
                .hasMessageContaining("FBR-201 ")
                .hasMessageContaining("NotSerializable")
                .hasMessageContaining("Let it implement java.io.Serializable");
        assertWorks(pool);
    }

    @Test
    void callWhoseIteratorThrowsFailsWithWhatItThrew() {
        Pool pool = session.pool(1);
        assertThatThrownBy(() -> pool.map(item -> item, () -> breaksAt(100)))
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-405 The items of a call could not be read: java.lang.IllegalStateException:"
                        + " no item 100")
                .hasRootCauseMessage("no item 100");
        CompletableFuture<List<Integer>> future = pool.mapAsync(item -> item, () -> breaksAt(100));
        assertThatThrownBy(future::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(FiberException.class)
                .hasRootCauseMessage("no item 100");
        assertWorks(pool);
    }

    /** As in multiprocessing: what was read before is run, and delivered first. */
    @Test
    void streamDeliversTheResultsOfAllItemsBeforeTheOneWhoseIteratorThrew() {
        Pool pool = session.pool(2);
        for (int end : new int[] {0, 1, 20, 1000}) {
            assertDeliveredBeforeTheFault(pool.imap(item -> item, () -> breaksAt(end)), end);
            assertDeliveredBeforeTheFault(pool.imapUnordered(item -> item, () -> breaksAt(end)), end);
        }
        assertWorks(pool);
    }

    private static void assertDeliveredBeforeTheFault(Stream<Integer> stream, int end) {
        List<Integer> delivered = new ArrayList<>();
        try (Stream<Integer> results = stream) {
            assertThatThrownBy(() -> results.forEach(delivered::add))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-405 ")
                    .hasRootCauseMessage("no item " + end);
        }
        assertThat(delivered).containsExactlyInAnyOrderElementsOf(LocalFiber.numbers(end));
    }

    private static Iterator<Integer> breaksAt(int end) {
        Iterator<Integer> numbers = LocalFiber.numbers(end).iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Integer next() {
                if (!numbers.hasNext()) {
                    throw new IllegalStateException("no item " + end);
                }
                return numbers.next();
            }
        };
    }

    @Test
    void initializerThatThrowsBreaksThePoolWithItsLastLines() {
        try (Pool pool = session.fiber()
                .poolBuilder(2)
                .initializer(() -> {
                    System.out.println("model.bin not found on this worker");
                    throw new IOException("cannot initialize");
                })
                .build()) {
            PoolBrokenException thrown =
                    catchThrowableOfType(PoolBrokenException.class, () -> pool.map(item -> item, List.of(1, 2)));

            assertThat(thrown.code()).isEqualTo("FBR-403");
            assertThat(thrown.failedStarts()).isEqualTo(3);
            assertThat(thrown.lastLogLines()).containsExactly("model.bin not found on this worker");
            assertThat(thrown)
                    .hasMessageEndingWith(
                            "its initializer failed: java.io.IOException: cannot initialize. Its last lines:"
                                    + "\n  | model.bin not found on this worker");
            assertThatThrownBy(() -> pool.apply(item -> item, 1)).isInstanceOf(PoolBrokenException.class);
            assertThatThrownBy(pool::awaitReady).isInstanceOf(PoolBrokenException.class);
            assertThat(pool.awaitTermination(LocalFiber.LIMIT)).isTrue();
            assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        }
    }

    @Test
    void initializerRunsBeforeTheFirstTaskOfEachWorker() {
        try (Pool pool = session.fiber()
                .poolBuilder(2)
                .initializer(() -> System.setProperty("test.initialized", "yes"))
                .build()) {
            assertThat(pool.map(i -> System.getProperty("test.initialized"), java.util.stream.IntStream.range(0, 20)))
                    .containsOnly("yes");
        }
    }

    @Test
    void stackOverflowIsAnAnswer() {
        Pool pool = session.pool(1);
        assertThatThrownBy(() -> pool.apply(TaskErrorsTest::recurse, 1))
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("java.lang.StackOverflowError");
        assertWorks(pool);
        assertThat(pool.statistics().workersLost()).isZero();
    }

    private static int recurse(int depth) {
        return depth <= 0 ? 0 : recurse(depth + 1) + 1;
    }

    /** A result that is too deep to be written fails in the middle of its bytes. */
    @Test
    void resultThatIsTooDeepIsAnAnswer() {
        Pool pool = session.pool(1);
        assertThatThrownBy(() -> pool.map(
                        depth -> {
                            List<Object> list = new ArrayList<>(List.of("deepest"));
                            for (int i = 0; i < depth; i++) {
                                list = new ArrayList<>(List.of(list));
                            }
                            return list;
                        },
                        List.of(1, 2, 1_000_000, 3)))
                .isInstanceOf(FiberException.class)
                .hasMessageContaining("Task 2");
        assertWorks(pool);
    }

    @Test
    @SuppressWarnings("ModifiedButNotUsed") // filling the heap is the purpose
    void outOfMemoryIsAnAnswer() {
        try (Fiber fiber = LocalFiber.builder()
                        .set("fiber.worker.jvm-options", "-Xmx64m")
                        .open();
                Pool pool = fiber.pool(1)) {
            assertThatThrownBy(() -> pool.apply(() -> {
                        List<byte[]> all = new ArrayList<>();
                        while (true) {
                            all.add(new byte[1 << 20]);
                        }
                    }))
                    .isInstanceOf(FiberException.class)
                    .hasMessageContaining("java.lang.OutOfMemoryError");
            assertThatThrownBy(() -> pool.apply(() -> new byte[Integer.MAX_VALUE].length))
                    .hasMessageContaining("java.lang.OutOfMemoryError")
                    .hasMessageContaining(
                            "The worker continues with other tasks. If its heap was full, give workers more memory:"
                                    + " memory(...) of the pool's builder, or -Xmx in worker.jvm-options.");
            assertWorks(pool);
        }
    }

    private static void assertWorks(Pool pool) {
        List<Integer> numbers = LocalFiber.numbers(100);
        assertThat(pool.map(x -> x + 1, numbers))
                .isEqualTo(numbers.stream().map(x -> x + 1).toList());
    }
}
