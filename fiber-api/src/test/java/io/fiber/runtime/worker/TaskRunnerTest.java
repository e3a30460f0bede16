// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteIntFunction;
import io.fiber.runtime.conductor.Conductor;
import io.fiber.runtime.conductor.Duty;
import io.fiber.runtime.process.Codecs;
import io.fiber.runtime.process.Seals;
import io.fiber.runtime.serial.JavaSerializerProvider;
import io.fiber.runtime.serial.RemoteFailure;
import io.fiber.runtime.serial.Side;
import io.fiber.runtime.service.Afterwards;
import io.fiber.runtime.wire.Messages.Running;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.PayloadInput;
import io.fiber.runtime.wire.PayloadOutput;
import io.fiber.runtime.wire.codec.AssignDecoder;
import io.fiber.runtime.wire.codec.AssignEncoder;
import io.fiber.runtime.wire.codec.Input;
import io.fiber.runtime.wire.codec.MessageHeaderDecoder;
import io.fiber.runtime.wire.codec.MessageHeaderEncoder;
import io.fiber.spi.Options;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The test's thread is the task thread. Between tasks the runner conducts, and there the test stands in as a duty: it
 * hands over work, takes reports, and ends the runner with the last of them.
 */
class TaskRunnerTest implements Duty {

    /** What a travelling function runs here, on the thread that runs the test. */
    private static final ThreadLocal<IntFunction<@Nullable Object>> BODY = new ThreadLocal<>();

    private final Codecs codecs =
            Codecs.of(new JavaSerializerProvider(), Options.none(), Side.WORKER, UnaryOperator.identity());
    private final Conductor conductor = new Conductor("test", SystemNanoClock.INSTANCE, Duration.ofSeconds(20));
    private final TaskRunner runner = new TaskRunner(
            new TaskRunner.Tools(codecs.values(), codecs.failures(), Seals.none(), conductor, new Afterwards()));
    private final Queue<Work> todo = new ArrayDeque<>();
    private final List<Report> reports = new ArrayList<>();
    private final List<Integer> ran = new ArrayList<>();
    private Runnable onBegun = runner::begunHasLeft;
    private int endings;

    /** Ends the runner. */
    private static final class EndOfTest extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Cannot be written. */
    private static final class Unwritable {}

    /** Cannot be read. */
    private static final class Unreadable implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException {
            throw new IOException("unreadable on purpose");
        }
    }

    /** A function that takes its time to be read. */
    private static final class SlowToRead implements RemoteIntFunction<Object> {
        private static final long serialVersionUID = 1L;
        private static final long READ_NS = 300_000_000;

        private void readObject(ObjectInputStream in) {
            long untilNs = System.nanoTime() + READ_NS;
            while (System.nanoTime() < untilNs) {
                Thread.onSpinWait();
            }
        }

        @Override
        public Object apply(int value) {
            return value;
        }
    }

    /** A function that cannot be read. */
    private static final class UnreadableFunction implements RemoteIntFunction<Integer> {
        private static final long serialVersionUID = 1L;
        private final Unreadable part = new Unreadable();

        @Override
        public Integer apply(int value) {
            return part.hashCode();
        }
    }

    @AfterEach
    void leaveNothing() {
        BODY.remove();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Override
    public int doWork(long nowNs) {
        for (Work next = todo.poll(); next != null; next = todo.poll()) {
            assertThat(runner.offer(next)).isTrue();
        }
        for (Report report = runner.peek(); report != null; report = runner.peek()) {
            runner.taken();
            reports.add(report);
            if (report instanceof Report.Begun) {
                onBegun.run();
            }
            if (!(report instanceof Report.Message message) || message.isLast()) {
                endings--;
            }
        }
        if (endings == 0) {
            throw new EndOfTest();
        }
        return 1;
    }

    private void run(Work... works) {
        todo.addAll(List.of(works));
        endings = works.length;
        conductor.addDuty(this);
        try {
            runner.run();
        } catch (EndOfTest e) {
            assertThat(endings).isZero();
        }
    }

    private Parcel encoded(@Nullable Object... values) {
        PayloadOutput out = new PayloadOutput();
        Arrays.asList(values).forEach(value -> codecs.values().write(value, out));
        return Parcel.open(out.toPayload());
    }

    private SentFunction ints() {
        RemoteIntFunction<Object> function = value -> BODY.get().apply(value);
        return new SentFunction(encoded(function));
    }

    private SentFunction items() {
        RemoteFunction<Object, Object> function = value -> value;
        return new SentFunction(encoded(function));
    }

    private static Work.Items chunk(SentFunction function, long id, Input input, int count, boolean announced) {
        return chunk(function, id, input, new int[] {0, count}, Parcel.none(), announced);
    }

    private static Work.Items chunk(
            SentFunction function, long id, Input input, int[] part, Parcel parcel, boolean announced) {
        ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        new AssignEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .chunk(id)
                .attempt(1)
                .function(1)
                .input(input)
                .firstValue(0)
                .firstItem(part[0])
                .count(part[1])
                .announce((short) (announced ? 1 : 0));
        AssignDecoder assign = new AssignDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        return new Work.Items(function, parcel, assign);
    }

    private void body(IntFunction<@Nullable Object> body) {
        BODY.set(value -> {
            ran.add(value);
            return body.apply(value);
        });
    }

    /** Returns the answers of a chunk in order: values, or failures as their type and message. */
    private List<Object> answers(long chunk) {
        List<Object> answers = new ArrayList<>();
        for (Report report : reports) {
            if (report instanceof Report.Results results && results.chunk() == chunk) {
                assertThat(results.firstItem()).isEqualTo(answers.size());
                PayloadInput in = results.parcel().payload().open();
                for (int i = 0; i < results.count(); i++) {
                    answers.add(answer(in));
                }
                assertThat(in.remaining()).isZero();
            }
        }
        return answers;
    }

    private Object answer(PayloadInput in) {
        if (in.read() == TaskRunner.VALUE) {
            return String.valueOf(codecs.values().read(in));
        }
        RemoteFailure failure = codecs.failures().read(in);
        return failure.typeName() + ": "
                + failure.message().orElse("").lines().findFirst().orElse("");
    }

    @Test
    void resultsOfQuickTasksTravelTogether() {
        body(value -> value);
        run(chunk(ints(), 7, Input.INT_RANGE, 10_000, false));

        assertThat(answers(7)).hasSize(10_000).startsWith("0", "1").endsWith("9999");
        assertThat(reports).hasSizeLessThan(1_000);
    }

    @Test
    void readingTheFunctionIsNotCountedAsTheTasksTime() {
        body(value -> value);
        RemoteIntFunction<Object> function = new SlowToRead();
        run(chunk(new SentFunction(encoded(function)), 7, Input.INT_RANGE, 1, false));

        assertThat(((Report.Results) reports.get(0)).busyNs()).isLessThan(SlowToRead.READ_NS);
    }

    @Test
    void resultsOfSlowTasksDoNotWaitForTheRest() {
        body(value -> {
            long untilNs = System.nanoTime() + 1_500_000;
            while (System.nanoTime() < untilNs) {
                Thread.onSpinWait();
            }
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false));

        assertThat(reports).hasSize(3);
        assertThat(reports)
                .extracting(report -> ((Report.Results) report).isLast())
                .containsExactly(false, false, true);
        assertThat(answers(7)).containsExactly("0", "1", "2");
    }

    @Test
    void greatResultsDoNotWaitForTheRest() {
        body(value -> "x".repeat(1 << 16));
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false));

        assertThat(reports).hasSize(3);
    }

    @Test
    void taskThatThrowsLeavesTheOthersIntact() {
        body(value -> {
            if (value == 1) {
                throw new AssertionError("on purpose");
            }
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false));

        assertThat(answers(7)).containsExactly("0", "java.lang.AssertionError: on purpose", "2");
    }

    @Test
    void resultThatCannotBeWrittenLeavesTheOthersIntact() {
        body(value -> value == 1 ? new Unwritable() : "r" + value);
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false));

        assertThat(answers(7)).hasSize(3).startsWith("r0").endsWith("r2");
        assertThat(answers(7).get(1)).asString().startsWith("io.fiber.SerializationException: FBR-201");
    }

    @Test
    void functionThatCannotBeReadFailsEveryItem() {
        run(chunk(new SentFunction(encoded(new UnreadableFunction())), 7, Input.INT_RANGE, 3, false));

        assertThat(answers(7)).hasSize(3).allMatch(answer -> answer.toString().startsWith("io.fiber.SerializationExc"));
    }

    @Test
    void itemThatCannotBeReadFailsAlone() {
        run(chunk(items(), 7, Input.ITEMS, new int[] {0, 3}, encoded("a", new Unreadable(), "c"), false));

        assertThat(answers(7)).hasSize(3).startsWith("a").endsWith("c");
        assertThat(answers(7).get(1)).asString().startsWith("io.fiber.SerializationException");
    }

    @Test
    void itemsOfAnotherChunkArePassedOverEvenWhenTheyCannotBeRead() {
        run(chunk(items(), 7, Input.ITEMS, new int[] {2, 2}, encoded("a", new Unreadable(), "c", "d"), false));

        assertThat(answers(7)).containsExactly("c", "d");
    }

    @Test
    void announcedItemWaitsUntilItsAnnouncementHasLeft() {
        List<String> story = new ArrayList<>();
        onBegun = () -> {
            story.add("left");
            runner.begunHasLeft();
        };
        body(value -> {
            story.add("run");
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 3, true));

        assertThat(story).containsExactly("left", "run", "left", "run", "left", "run");
        assertThat(reports)
                .extracting(report -> report.getClass().getSimpleName())
                .containsExactly("Begun", "Results", "Begun", "Results", "Begun", "Results");
        assertThat(answers(7)).containsExactly("0", "1", "2");
    }

    @Test
    void cancelWhileAnAnnouncementLeavesKeepsTheItemFromRunning() {
        Work.Items chunk = chunk(ints(), 7, Input.INT_RANGE, 3, true);
        onBegun = () -> {
            runner.cancel(chunk, Running.INTERRUPTED);
            runner.begunHasLeft();
        };
        body(value -> value);
        run(chunk);

        assertThat(ran).isEmpty();
        assertThat(reports).containsExactly(new Report.Begun(7, 1, 0), new Report.Dropped(7, 1));
    }

    @Test
    void cancelBeforeTheStartDropsTheChunk() {
        Work.Items chunk = chunk(ints(), 7, Input.INT_RANGE, 3, false);
        runner.cancel(chunk, Running.INTERRUPTED);
        body(value -> value);
        run(chunk);

        assertThat(ran).isEmpty();
        assertThat(reports).containsExactly(new Report.Dropped(7, 1));
    }

    @Test
    void cancelInterruptsTheTaskAndNotTheNextChunk() {
        Work.Items cancelled = chunk(ints(), 7, Input.INT_RANGE, 3, false);
        List<Boolean> interrupted = new ArrayList<>();
        body(value -> {
            if (ran.size() == 2) {
                runner.cancel(cancelled, Running.INTERRUPTED);
            }
            interrupted.add(Thread.currentThread().isInterrupted());
            return value;
        });
        run(cancelled, chunk(ints(), 8, Input.INT_RANGE, 2, false));

        assertThat(interrupted).containsExactly(false, true, false, false);
        assertThat(reports).contains(new Report.Dropped(7, 1));
        assertThat(answers(8)).containsExactly("0", "1");
    }

    @Test
    void cancelDuringTheLastTaskIsTooLateToDropAnything() {
        Work.Items cancelled = chunk(ints(), 7, Input.INT_RANGE, 1, false);
        body(value -> {
            runner.cancel(cancelled, Running.INTERRUPTED);
            return value;
        });
        run(cancelled);

        assertThat(answers(7)).containsExactly("0");
        assertThat(reports).hasSize(1);
    }

    @Test
    void cancelOfAChunkThatWaitsDoesNotInterruptTheOneThatRuns() {
        Work.Items waiting = chunk(ints(), 8, Input.INT_RANGE, 2, false);
        List<Boolean> interrupted = new ArrayList<>();
        body(value -> {
            runner.cancel(waiting, Running.INTERRUPTED);
            interrupted.add(Thread.currentThread().isInterrupted());
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 2, false), waiting);

        assertThat(interrupted).containsExactly(false, false);
        assertThat(answers(7)).containsExactly("0", "1");
        assertThat(reports).contains(new Report.Dropped(8, 1));
    }

    @Test
    void interruptThatATaskLeavesBehindDoesNotReachTheNextTask() {
        List<Boolean> interrupted = new ArrayList<>();
        body(value -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false), chunk(ints(), 8, Input.INT_RANGE, 1, false));

        assertThat(interrupted).containsExactly(false, false, false, false);
    }

    @Test
    void queueThatIsFullRefusesMore() {
        Work work = chunk(ints(), 7, Input.INT_RANGE, 1, false);
        for (int i = 0; i < 1024; i++) {
            assertThat(runner.offer(work)).isTrue();
        }
        assertThat(runner.offer(work)).isFalse();
    }
}
