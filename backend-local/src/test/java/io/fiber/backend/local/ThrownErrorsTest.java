// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberQueue;
import io.fiber.Pool;
import io.fiber.PoolBrokenException;
import io.fiber.function.RemoteFunction;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Code of a program that throws Errors where Fiber calls it: what was asked fails, and the session works on. */
@Tag("slow")
class ThrownErrorsTest {

    private static final long MASTER = ProcessHandle.current().pid();

    private static final RemoteFunction<Object, Object> SAME = object -> object;

    private static Fiber fiber;
    private static Pool pool;

    @BeforeAll
    static void open() {
        fiber = LocalFiber.open();
        pool = fiber.pool(1);
    }

    @AfterAll
    static void close() {
        fiber.close();
    }

    /** What is thrown. */
    enum Kind {
        NO_SUCH_METHOD,
        ASSERTION,
        STACK,
        MEMORY;

        void raise(String where) {
            switch (this) {
                case NO_SUCH_METHOD -> throw new NoSuchMethodError(where);
                case ASSERTION -> throw new AssertionError(where);
                case STACK -> throw new StackOverflowError(where);
                case MEMORY -> throw new OutOfMemoryError(where);
            }
        }
    }

    /** Where it is thrown. */
    enum Moment {
        WRITTEN_HERE,
        READ_THERE,
        WRITTEN_THERE,
        READ_HERE;

        boolean isNow(long master, boolean reading) {
            boolean here = ProcessHandle.current().pid() == master;
            return switch (this) {
                case WRITTEN_HERE -> here && !reading;
                case READ_THERE -> !here && reading;
                case WRITTEN_THERE -> !here && !reading;
                case READ_HERE -> here && reading;
            };
        }
    }

    private record Plan(Moment moment, Kind kind, long master) implements Serializable {
        void act(boolean reading) {
            if (moment.isNow(master, reading)) {
                kind.raise((reading ? "reading " : "writing ") + moment);
            }
        }
    }

    private static final class Hostile implements Serializable {
        private static final long serialVersionUID = 1L;
        private final Plan plan;

        Hostile(Plan plan) {
            this.plan = plan;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            plan.act(false);
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            plan.act(true);
        }
    }

    /** As {@link Hostile}, with a form of its own. */
    public static final class HostileForm implements Externalizable {
        private static final long serialVersionUID = 1L;
        private transient Plan plan;

        /** For its deserialization. */
        public HostileForm() {
            this(new Plan(Moment.READ_HERE, Kind.ASSERTION, 0));
        }

        HostileForm(Plan plan) {
            this.plan = plan;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            plan.act(false);
            out.writeObject(plan);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
            plan = (Plan) in.readObject();
            plan.act(true);
        }
    }

    private static void assertThatItFails(ThrowingCallable call, Plan plan) {
        assertThatThrownBy(call)
                .as("%s", plan)
                .satisfies(thrown ->
                        assertThat(textOf(thrown)).contains(plan.moment().name()));
        assertThatThePoolWorks();
    }

    private static void assertThatThePoolWorks() {
        assertThat(pool.map(SAME, List.of("good"))).containsExactly("good");
    }

    private static String textOf(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append(cause).append('\n');
        }
        return text.toString();
    }

    @ParameterizedTest
    @EnumSource
    void errorOfASerializedFormFailsItsCall(Kind kind) {
        for (Moment moment : Moment.values()) {
            Plan plan = new Plan(moment, kind, MASTER);
            for (Object hostile : List.of(new Hostile(plan), new HostileForm(plan))) {
                assertThatItFails(() -> pool.apply(SAME, hostile), plan);
                assertThatItFails(() -> pool.applyAsync(SAME, hostile).join(), plan);
                assertThatItFails(() -> pool.map(SAME, List.of("good", hostile)), plan);
                assertThatItFails(() -> pool.mapAsync(SAME, List.of(hostile)).join(), plan);
                assertThatItFails(
                        () -> {
                            try (Stream<Object> results = pool.imap(SAME, List.of(hostile))) {
                                results.forEach(result -> {});
                            }
                        },
                        plan);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void errorOfACapturedValueFailsItsCall(Kind kind) {
        for (Moment moment : List.of(Moment.WRITTEN_HERE, Moment.READ_THERE)) {
            Plan plan = new Plan(moment, kind, MASTER);
            Hostile captured = new Hostile(plan);
            assertThatItFails(() -> pool.apply(() -> captured.plan.kind().name()), plan);
        }
    }

    /** Three items, and then what is thrown. */
    private static Iterable<Integer> endingWith(Kind kind) {
        return () -> Stream.iterate(1, item -> item + 1)
                .peek(item -> {
                    if (item > 3) {
                        kind.raise("an iterator");
                    }
                })
                .iterator();
    }

    private static void assertThatTheIteratorFails(ThrowingCallable call) {
        assertThatThrownBy(call).satisfies(thrown -> assertThat(textOf(thrown)).contains("an iterator"));
        assertThatThePoolWorks();
    }

    @ParameterizedTest
    @EnumSource
    void errorOfTheItemsIteratorFailsItsCall(Kind kind) {
        assertThatTheIteratorFails(() -> pool.map(SAME, endingWith(kind)));
        assertThatTheIteratorFails(() -> pool.mapAsync(SAME, endingWith(kind)).join());
        for (boolean ordered : List.of(true, false)) {
            List<Object> read = new ArrayList<>();
            assertThatTheIteratorFails(() -> {
                try (Stream<Object> results =
                        ordered ? pool.imap(SAME, endingWith(kind)) : pool.imapUnordered(SAME, endingWith(kind))) {
                    results.forEach(read::add);
                }
            });
            assertThat(read).as("what came before").containsExactlyInAnyOrder(1, 2, 3);
        }
    }

    /** The items were read, so the call has its results; what closing their stream threw is said in the log. */
    @ParameterizedTest
    @EnumSource
    void errorOfTheItemsEndCostsNoResult(Kind kind) {
        Supplier<Stream<Integer>> items = () -> Stream.of(1, 2).onClose(() -> kind.raise("an end"));
        try (Stream<Object> results = pool.imap(SAME, items.get())) {
            assertThat(results).containsExactly(1, 2);
        }
        assertThatThePoolWorks();
    }

    @ParameterizedTest
    @EnumSource
    void errorOfAnItemOfAQueueFailsItsPutOrItsTake(Kind kind) {
        Plan written = new Plan(Moment.WRITTEN_HERE, kind, MASTER);
        Plan read = new Plan(Moment.READ_HERE, kind, MASTER);
        FiberQueue<Hostile> queue = fiber.queue();
        assertThatItFails(() -> queue.put(new Hostile(written)), written);
        queue.put(new Hostile(read));
        assertThatItFails(queue::take, read);
    }

    @ParameterizedTest
    @EnumSource
    void errorOfAProgressListenerEndsNothing(Kind kind) {
        CallOptions options = CallOptions.defaults().progress(news -> kind.raise("a listener"));
        assertThat(pool.with(options).map(SAME, List.of(1, 2))).containsExactly(1, 2);
        assertThatThePoolWorks();
    }

    @ParameterizedTest
    @EnumSource
    void errorOfAStageOfAFutureFailsThatStage(Kind kind) {
        CompletableFuture<Object> stage = pool.applyAsync(SAME, 1).thenApply(result -> {
            kind.raise("a stage");
            return result;
        });
        assertThatThrownBy(stage::join).hasRootCauseMessage("a stage");
        assertThatThePoolWorks();
    }

    @Test
    void errorOfAnInitializerBreaksItsPoolOnly() {
        try (Pool broken = fiber.poolBuilder(1)
                .initializer(() -> Kind.NO_SUCH_METHOD.raise("initializer"))
                .start()) {
            assertThatThrownBy(() -> broken.apply(SAME, 1))
                    .isInstanceOf(PoolBrokenException.class)
                    .hasMessageContaining("java.lang.NoSuchMethodError: initializer");
        }
        assertThatThePoolWorks();
    }
}
