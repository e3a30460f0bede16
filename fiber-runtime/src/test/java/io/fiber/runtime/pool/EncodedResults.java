// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.pool.scheduling.CallTitle;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.ResultMark;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.serialization.functions.FunctionName;
import io.fiber.spi.Options;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Results as a worker sends them, and the reader that understands them. */
final class EncodedResults {

    private static final Codecs CODECS =
            Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, UnaryOperator.identity());

    private EncodedResults() {}

    static ResultReader reader() {
        return reader(CODECS, Seals.none());
    }

    /** Returns a reader of the results of a pool's first call, which has many tasks. */
    static ResultReader reader(Codecs codecs, Seals seals) {
        return new ResultReader(
                codecs, seals, new CallTitle("sweep", 1, FunctionName.of("function"), CallTitle.Tasks.MANY));
    }

    /** Encodes what so many results were combined to; a {@link Throwable} becomes a failure to write it. */
    static SealedPayload combined(int count, Object value) {
        PayloadOutput out = new PayloadOutput();
        for (int i = 0; i < count; i++) {
            out.write(ResultMark.COMBINED);
        }
        write(value, out);
        return SealedPayload.open(out.toPayload());
    }

    /** Encodes results; a {@link Throwable} becomes a failure. */
    static SealedPayload of(@Nullable Object... results) {
        PayloadOutput out = new PayloadOutput();
        for (Object result : results) {
            write(result, out);
        }
        return SealedPayload.open(out.toPayload());
    }

    private static void write(@Nullable Object result, PayloadOutput out) {
        if (result instanceof Throwable thrown) {
            out.write(ResultMark.FAILURE);
            CODECS.failures().write(thrown, out);
        } else {
            CODECS.values().write(result, out);
        }
    }
}
