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
 * Writes what a task has thrown and reads it back: always as text, and as the exception itself when that is possible. The
 * exception takes 16 MiB with all that hang on it, or a sixteenth of the heap if that is less. Fields and causes beyond that,
 * and exceptions beyond 10,000, are left out.
 * Neither direction fails because an exception is strange. Thread-safe; blocks only if the serializer does.
 */
public final class FailureCodec {

    /** The greatest length of the message and of the stack trace, each. */
    static final int TEXT_LIMIT_CHARS = 64 << 10;

    /**
     * What an exception may take to be sent as itself, with all that hang on it; what is beyond that is text or left out. It
     * is copied a few times on its way, which a small heap must bear.
     */
    static final long ORIGINAL_LIMIT_BYTES =
            Math.min(16L << 20, Runtime.getRuntime().maxMemory() / 16);

    private static final Subject SUBJECT = new Subject("the failure", "a task");

    private final ObjectSerializer serializer;
    private final UnaryOperator<ObjectSerializer> binding;
    private final Side side;

    FailureCodec(ObjectSerializer serializer, Side side) {
        this(serializer, side, UnaryOperator.identity());
    }

    /** Creates a codec of a process that is {@code side}; {@code binding} puts the process around a serializer. */
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
            throw ReadFailure.of(SUBJECT.describe(), side, e);
        }
    }

    /** Exceptions hold anything; whatever goes wrong, the text is there. */
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
