// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.function.RemoteFunction;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.ResultMark;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.AssignDecoder;
import io.fiber.runtime.protocol.codec.AssignEncoder;
import io.fiber.runtime.protocol.codec.Input;
import io.fiber.runtime.protocol.codec.MessageHeaderDecoder;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.rpc.CompletionHooks;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.RemoteFailure;
import io.fiber.runtime.serialization.Side;
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
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * The test's thread is the task thread and, between tasks, the I/O thread. The test is a duty: it hands over work and takes
 * reports, the last of which end the run.
 */
abstract class TaskThreadScene implements Duty {

    /** What a travelling function runs here, on the thread that runs the test. */
    static final ThreadLocal<IntFunction<@Nullable Object>> BODY = new ThreadLocal<>();

    final Codecs codecs =
            Codecs.of(new JavaSerializerProvider(), Options.none(), Side.WORKER, UnaryOperator.identity());
    final Conductor conductor = new Conductor("test", SystemNanoClock.INSTANCE, Duration.ofSeconds(20));
    final CompletionHooks hooks = new CompletionHooks();
    final TaskThread runner =
            new TaskThread(new TaskThread.Context(codecs.values(), codecs.failures(), Seals.none(), conductor, hooks));
    final Queue<Work> todo = new ArrayDeque<>();
    final List<Report> reports = new ArrayList<>();
    final List<Integer> ran = new ArrayList<>();
    /** What the master does with an announcement. */
    Consumer<Report.Begun> onBegun = this::grant;

    /** Whether the link has room. */
    volatile boolean hasRoom = true;

    private List<Work> given = List.of();
    int endings;

    /** Cannot be written. */
    static final class Unwritable {}

    /** Cannot be read. */
    static final class Unreadable implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException {
            throw new IOException("unreadable on purpose");
        }
    }

    /** A function that takes its time to be read. */
    static final class SlowToRead implements RemoteFunction<Integer, Object> {
        private static final long serialVersionUID = 1L;
        static final long READ_NS = 300_000_000;

        private void readObject(ObjectInputStream in) {
            long untilNs = System.nanoTime() + READ_NS;
            while (System.nanoTime() < untilNs) {
                Thread.onSpinWait();
            }
        }

        @Override
        public Object apply(Integer value) {
            return value;
        }
    }

    /** A function that cannot be read. */
    static final class UnreadableFunction implements RemoteFunction<Integer, Integer> {
        private static final long serialVersionUID = 1L;
        private final Unreadable part = new Unreadable();

        @Override
        public Integer apply(Integer value) {
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
        for (Report report = runner.peek(); report != null && hasRoom; report = runner.peek()) {
            runner.taken();
            reports.add(report);
            if (report instanceof Report.Begun begun) {
                onBegun.accept(begun);
            }
            if (isEnd(report)) {
                endings--;
            }
        }
        return 1;
    }

    private static boolean isEnd(Report report) {
        return report instanceof Report.Results results
                ? results.isLast()
                : !(report instanceof Report.Begun
                        || report instanceof Report.Dropped
                        || report instanceof Report.Completed);
    }

    void grant(Report.Begun begun) {
        for (Work work : given) {
            if (work instanceof Work.Chunk chunk && chunk.id == begun.chunk()) {
                runner.granted(chunk, begun.item());
            }
        }
    }

    void run(Work... works) {
        given = List.of(works);
        todo.addAll(given);
        endings = works.length;
        conductor.addDuty(this);
        do {
            conductor.doWork();
        } while (runner.runNext() || endings > 0);
        assertThat(endings).isZero();
    }

    SealedPayload encoded(@Nullable Object... values) {
        PayloadOutput out = new PayloadOutput();
        Arrays.asList(values).forEach(value -> codecs.values().write(value, out));
        return SealedPayload.open(out.toPayload());
    }

    SentFunction ints() {
        RemoteFunction<Integer, Object> function = value -> BODY.get().apply(value);
        return new SentFunction(encoded(function));
    }

    SentFunction items() {
        RemoteFunction<Object, Object> function = value -> value;
        return new SentFunction(encoded(function));
    }

    static Work.Chunk chunk(SentFunction function, long id, Input input, int count, boolean announced) {
        return chunk(function, id, input, new int[] {0, count}, SealedPayload.none(), announced);
    }

    static Work.Chunk chunk(
            SentFunction function, long id, Input input, int[] part, SealedPayload payload, boolean announced) {
        return chunk(
                function,
                payload,
                assign -> assign.chunk(id)
                        .input(input)
                        .firstItem(part[0])
                        .count(part[1])
                        .announce((short) (announced ? 1 : 0)));
    }

    /** Returns a chunk of one task, which may take so long. */
    static Work.Chunk chunkWithDeadline(SentFunction function, long id, long deadlineNs) {
        return chunk(
                function,
                SealedPayload.none(),
                assign -> assign.chunk(id).input(Input.INT_RANGE).count(1).deadlineNs(deadlineNs));
    }

    private static Work.Chunk chunk(SentFunction function, SealedPayload payload, Consumer<AssignEncoder> said) {
        ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        said.accept(new AssignEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .attempt(1)
                .function(1)
                .firstValue(0)
                .firstItem(0)
                .announce((short) 0)
                .deadlineNs(0)
                .slot(0));
        AssignDecoder assign = new AssignDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        return new Work.Chunk(function, payload, assign);
    }

    void body(IntFunction<@Nullable Object> body) {
        BODY.set(value -> {
            ran.add(value);
            return body.apply(value);
        });
    }

    /** The end of a chunk whose tasks leave nothing to be done. */
    static Report.Ended ended(long chunk) {
        return new Report.Ended(chunk, List.of());
    }

    /** Returns the answers of a chunk in order: values, or failures as their type and message. */
    List<Object> answers(long chunk) {
        List<Object> answers = new ArrayList<>();
        for (Report report : reports) {
            if (report instanceof Report.Results results && results.chunk() == chunk) {
                assertThat(results.firstItem()).isEqualTo(answers.size());
                PayloadInput in = results.payload().bytes().open();
                for (int i = 0; i < results.count(); i++) {
                    answers.add(answer(in));
                }
                assertThat(in.remaining()).isZero();
            }
        }
        return answers;
    }

    /** Returns the results of one message, and behind them what some of them were combined to. */
    List<Object> answersWithCombined(Report report) {
        PayloadInput in = ((Report.Results) report).payload().bytes().open();
        List<Object> answers = new ArrayList<>();
        while (in.remaining() > 0) {
            answers.add(answer(in));
        }
        return answers;
    }

    Object answer(PayloadInput in) {
        if (in.peek() < ResultMark.LEAST) {
            return String.valueOf(codecs.values().read(in));
        }
        if (in.read() == ResultMark.COMBINED) {
            return "combined";
        }
        RemoteFailure failure = codecs.failures().read(in);
        return failure.type() + ": "
                + failure.message().orElse("").lines().findFirst().orElse("");
    }
}
