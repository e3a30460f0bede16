// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadLimitException;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Writes the exceptions of tasks and reads them: always as text, and as the exception itself if possible. The exception
 * may take 16 MiB with everything attached, or a sixteenth of the heap if that is less. Fields and causes beyond that,
 * and exceptions beyond 10,000, are left out. Unusual exceptions never make writing or reading fail. Thread-safe;
 * blocks only if the serializer does.
 */
public final class FailureCodec {

    /** The maximum length of the message and of the stack trace, each. */
    static final int TEXT_LIMIT_CHARS = 64 << 10;

    /**
     * The maximum size of an exception that is sent as itself, with everything attached. The rest becomes text or is
     * left out. A small heap must hold a few copies of it.
     */
    static final long ORIGINAL_LIMIT_BYTES =
            Math.min(16L << 20, Runtime.getRuntime().maxMemory() / 16);

    private static final ValueName NAME = new ValueName("the failure", "a task");

    private final ObjectSerializer serializer;
    private final UnaryOperator<ObjectSerializer> binding;
    private final Side side;

    FailureCodec(ObjectSerializer serializer, Side side) {
        this(serializer, side, UnaryOperator.identity());
    }

    /** Creates a codec of a process that is {@code side}; {@code binding} connects the serializer with the process. */
    FailureCodec(ObjectSerializer serializer, Side side, UnaryOperator<ObjectSerializer> binding) {
        this.serializer = serializer;
        this.side = side;
        this.binding = binding;
    }

    /**
     * Writes an exception.
     *
     * @throws PayloadLimitException if {@code out} is full
     */
    public void write(Throwable thrown, PayloadOutput out) {
        Optional<String> message = Optional.ofNullable(Causes.message(thrown));
        out.writeText(thrown.getClass().getName());
        out.writeOptionalText(message.map(text -> ThrowableText.cut(text, TEXT_LIMIT_CHARS)));
        out.writeText(ThrowableText.of(thrown, TEXT_LIMIT_CHARS));
        Payload original = original(thrown);
        out.writeVarLong(original.length());
        out.append(original);
    }

    /**
     * Reads an exception.
     *
     * @throws SerializationException FBR-206 if the bytes are damaged
     */
    public RemoteFailure read(PayloadInput in) {
        try {
            String typeName = in.readText();
            Optional<String> message = in.readOptionalText();
            String stackTrace = in.readText();
            PayloadInput original = in.slice(in.readVarLong());
            return new RemoteFailure(typeName, message, stackTrace, original(original));
        } catch (IOException e) {
            throw ReadFailure.of(NAME.describe(), side, e);
        }
    }

    /** Returns the exception itself in written form. Exceptions may hold anything; if this fails, the text remains. */
    private Payload original(Throwable thrown) {
        PayloadOutput out = new PayloadOutput();
        try {
            if (serializer instanceof SubstitutingSerializer substituting) {
                new ThrowableWriter(substituting, binding, ORIGINAL_LIMIT_BYTES).write(thrown, out);
            } else {
                PayloadOutput whole = new PayloadOutput(ORIGINAL_LIMIT_BYTES);
                binding.apply(serializer).write(thrown, whole);
                out.append(whole.toPayload());
            }
            return out.toPayload();
        } catch (Throwable notSerializable) {
            return Payload.empty();
        }
    }

    private Optional<Throwable> original(PayloadInput in) {
        if (in.remaining() == 0) {
            return Optional.empty();
        }
        try {
            if (serializer instanceof SubstitutingSerializer substituting) {
                return new ThrowableReader(substituting, binding).read(in);
            }
            return binding.apply(serializer).read(in) instanceof Throwable thrown
                    ? Optional.of(thrown)
                    : Optional.empty();
        } catch (Throwable missingOrNotAllowed) {
            return Optional.empty();
        }
    }
}
