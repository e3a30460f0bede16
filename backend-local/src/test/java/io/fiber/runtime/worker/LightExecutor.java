// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Messages.Running;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.codec.Input;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.ValueName;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Runs chunks in the thread that conducts, as soon as they come. Its tasks are short, and none of its workers dies. */
final class LightExecutor implements TaskExecutor {

    private static final ValueName VALUE = new ValueName("a value", "a task");

    private final Codecs codecs;
    private final Seals seals;
    private final ArrayDeque<Report> reports = new ArrayDeque<>();

    LightExecutor(Codecs codecs, Seals seals) {
        this.codecs = codecs;
        this.seals = seals;
    }

    @Override
    public boolean offer(Work work) {
        if (!(work instanceof Work.Chunk chunk) || chunk.announced || chunk.deadlineNs > 0) {
            throw new IllegalStateException("a light worker runs plain chunks only");
        }
        try {
            run(chunk);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return true;
    }

    private void run(Work.Chunk chunk) throws Exception {
        Object function = chunk.function.decode(codecs.values(), seals);
        PayloadInput in = items(chunk);
        PayloadOutput out = new PayloadOutput();
        long beganNs = System.nanoTime();
        int done = 0;
        while (chunk.claim()) {
            codecs.values().write(SentFunction.call(function, item(chunk, done, in)), out, VALUE);
            done++;
        }
        reports.add(new Report.Results(
                chunk.id,
                chunk.attempt,
                0,
                done,
                0,
                false,
                System.nanoTime() - beganNs,
                seals.close(out.toPayload()),
                true));
    }

    private @Nullable PayloadInput items(Work.Chunk chunk) throws SealException {
        if (chunk.input != Input.ITEMS) {
            return null;
        }
        PayloadInput in = seals.open(chunk.payload).open();
        for (int i = 0; i < chunk.passOver; i++) {
            codecs.values().read(in, VALUE);
        }
        return in;
    }

    private @Nullable Object item(Work.Chunk chunk, int index, @Nullable PayloadInput in) {
        return switch (chunk.input) {
            case INT_RANGE -> (Object) (int) (chunk.firstValue + index);
            case LONG_RANGE -> (Object) (chunk.firstValue + index);
            default -> in == null ? null : codecs.values().read(in, VALUE);
        };
    }

    @Override
    public @Nullable Report peek() {
        return reports.peek();
    }

    @Override
    public void taken() {
        reports.poll();
    }

    @Override
    public void granted(Work.Chunk chunk, int item) {}

    @Override
    public void cancel(Work.Chunk chunk, Running running) {}

    @Override
    public Work.@Nullable Chunk stuck(long nowNs, long graceNs) {
        return null;
    }
}
