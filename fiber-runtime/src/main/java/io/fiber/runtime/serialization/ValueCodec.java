// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;

import io.fiber.SerializationException;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadLimitException;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.functions.CapturedGenerator;
import io.fiber.runtime.serialization.functions.ClassStamp;
import io.fiber.runtime.serialization.functions.FunctionName;
import io.fiber.runtime.serialization.functions.ProgramClasses;
import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes a sequence of values and reads it. Boxed primitives, strings and arrays of primitives have a format of their
 * own; everything else uses an {@link ObjectSerializer}. Thread-safe; blocks only if the serializer does.
 *
 * <p>If a value cannot be written, the output is unchanged. If a value cannot be read, it is skipped and the next one
 * can be read, unless the bytes are damaged.
 */
public final class ValueCodec {

    private final ObjectSerializer serializer;
    private final Side side;
    private final ProgramClasses classes;
    private final Runnable beforeFunction;
    private final AtomicBoolean hasWarnedOfGenerator = new AtomicBoolean();
    private final ClassValue<DeepStack.Expectation> deepWrites = new ClassValue<>() {
        @Override
        protected DeepStack.Expectation computeValue(Class<?> type) {
            return new DeepStack.Expectation();
        }
    };

    public ValueCodec(ObjectSerializer serializer, Side side) {
        this(
                serializer,
                side,
                new ProgramClasses(ClassLoader.getSystemClassLoader(), ClassPathSnapshot.NONE, work -> {}),
                () -> {});
    }

    /**
     * Creates a codec for the process that is {@code side}.
     *
     * @param classes knows the code of functions
     * @param beforeFunction runs before a function is written
     */
    ValueCodec(ObjectSerializer serializer, Side side, ProgramClasses classes, Runnable beforeFunction) {
        this.serializer = serializer;
        this.side = side;
        this.classes = classes;
        this.beforeFunction = beforeFunction;
    }

    public void write(@Nullable Object value, PayloadOutput out) {
        write(value, out, ValueName.VALUE);
    }

    /**
     * Writes a value.
     *
     * @throws SerializationException FBR-201 if it cannot be serialized, FBR-205 when {@code out} is full, FBR-203 when it
     *     is a function whose code was written while the program runs
     */
    public void write(@Nullable Object value, PayloadOutput out, ValueName name) {
        write(value, out, name, ValueName.ALONE);
    }

    public void write(@Nullable Object value, PayloadOutput out, ValueName name, long index) {
        long start = out.length();
        try {
            put(value, out);
        } catch (OutOfMemoryError full) {
            // The tables of an object stream double in size, which needs more memory at once than an output can
            // foresee.
            long lengthBytes = out.length() - start;
            out.truncate(start);
            throw WriteFailure.of(name.describe(index), value, PayloadLimitException.ofHeap(lengthBytes, full));
        } catch (Throwable thrown) {
            out.truncate(start);
            throw WriteFailure.of(name.describe(index), value, thrown);
        }
    }

    public @Nullable Object read(PayloadInput in) {
        return read(in, ValueName.VALUE);
    }

    /**
     * Reads a value.
     *
     * @throws SerializationException FBR-202 if a class is missing here, FBR-203 when one differs or a function would run
     *     other code here, FBR-204 when one is not allowed, FBR-206 when the bytes are damaged
     */
    public @Nullable Object read(PayloadInput in, ValueName name) {
        return read(in, name, ValueName.ALONE);
    }

    /**
     * Reads ints up to the first other value; errors give the place of an int as its index.
     *
     * @param at position of the first one in the target
     * @return how many were read, at most {@code count}
     */
    public int readInts(PayloadInput in, int[] target, int at, int count, ValueName name) {
        int done = 0;
        try {
            while (done < count && in.peek() == Tag.INTEGER) {
                in.read();
                target[at + done] = PlainValues.getInteger(in);
                done++;
            }
            return done;
        } catch (Throwable thrown) {
            throw ReadFailure.of(name.describe(at + done), side, thrown);
        }
    }

    /**
     * Skips a value. An object is not deserialized, because its class may be missing here or end the process.
     *
     * @throws SerializationException FBR-206 if the bytes are damaged
     */
    public void skip(PayloadInput in, ValueName name) {
        try {
            int tag = in.readByte();
            if (tag == Tag.FUNCTION) {
                ClassStamp.readAll(in);
            }
            if (isObject(tag)) {
                in.slice(Integer.toUnsignedLong(in.readInt()));
            } else {
                PlainValues.get(tag, in);
            }
        } catch (Throwable thrown) {
            throw ReadFailure.of(name.describe(), side, thrown);
        }
    }

    public @Nullable Object read(PayloadInput in, ValueName name, long index) {
        try {
            return get(in);
        } catch (Throwable thrown) {
            throw ReadFailure.of(name.describe(index), side, thrown);
        }
    }

    /**
     * Writes a function as {@link #write(Object, PayloadOutput, ValueName)} does. Classes that were redefined since the
     * last function are sent again. The first function that captured a random number generator causes a warning.
     */
    public void writeFunction(Object function, PayloadOutput out, ValueName name) {
        beforeFunction.run();
        Optional<Class<?>> generator = CapturedGenerator.in(() -> write(function, out, name));
        if (generator.isPresent() && !hasWarnedOfGenerator.getAndSet(true)) {
            Logs.of(ValueCodec.class)
                    .log(
                            System.Logger.Level.WARNING,
                            "FBR-489 " + FunctionName.of(function) + " captured a "
                                    + generator.get().getName()
                                    + ". Each worker draws from a copy of it, so the same numbers repeat. Create a"
                                    + " generator in the task: ThreadLocalRandom.current(), or, for reproducible"
                                    + " numbers, RandomGeneratorFactory.of(\"L64X128MixRandom\").create(seed + index)"
                                    + " for each item. Fiber says this once.");
        }
    }

    /**
     * Returns what a function is, without its code: its class and method, and what it captured.
     *
     * @throws SerializationException as {@link #write(Object, PayloadOutput)} does
     */
    public PayloadInput identityOf(Object function, ValueName name) {
        PayloadOutput out = new PayloadOutput();
        write(function, out, name);
        PayloadInput in = out.toPayload().open();
        try {
            if (in.readByte() == Tag.FUNCTION) {
                ClassStamp.readAll(in);
            }
            return in;
        } catch (IOException e) {
            throw new IllegalStateException("What was written here cannot be read.", e);
        }
    }

    /** Returns the classes of the program on whose code a value depends, as far as they are in files. */
    public List<ClassStamp> codeOf(@Nullable Object value) {
        return value == null || FlatWriter.isPlain(value.getClass()) ? List.of() : classes.behind(value);
    }

    /** Writes a value. The length before it lets a reader continue after an object that it cannot read. */
    private void put(@Nullable Object value, PayloadOutput out) throws Exception {
        if (!PlainValues.put(value, out)) {
            Object object = requireNonNull(value);
            List<ClassStamp> stamps = classes.of(object);
            if (stamps.isEmpty()) {
                out.write(Tag.OBJECT);
            } else {
                out.write(Tag.FUNCTION);
                ClassStamp.writeAll(stamps, out);
            }
            long at = out.length();
            out.writeInt(0);
            putObject(object, out);
            out.setInt(at, (int) (out.length() - at - Integer.BYTES));
        }
    }

    private static boolean isObject(int tag) {
        return tag == Tag.OBJECT || tag == Tag.FUNCTION;
    }

    private void putObject(Object value, PayloadOutput out) throws Exception {
        DeepStack.Expectation expected = deepWrites.get(value.getClass());
        if (!expected.isDeep()) {
            long start = out.length();
            try {
                serializer.write(value, out);
                return;
            } catch (StackOverflowError tooDeep) {
                out.truncate(start);
                expected.confirm();
            }
        }
        try {
            out.append(onDeepStack(value, out.missing()));
        } catch (PayloadLimitException full) {
            // Reports the limit of this output, not the rest of it.
            out.require(out.missing() + 1);
            throw full;
        }
    }

    /**
     * Writes on a thread with a large stack. An abandoned thread may continue to write, so it has an output of its own.
     */
    private Payload onDeepStack(Object value, long limitBytes) throws Exception {
        return DeepStack.call(() -> {
            PayloadOutput own = new PayloadOutput(limitBytes);
            serializer.write(value, own);
            return own.toPayload();
        });
    }

    private @Nullable Object get(PayloadInput in) throws Exception {
        int tag = in.readByte();
        if (!isObject(tag)) {
            return PlainValues.get(tag, in);
        }
        List<ClassStamp> stamps = tag == Tag.FUNCTION ? ClassStamp.readAll(in) : List.of();
        PayloadInput part = in.slice(Integer.toUnsignedLong(in.readInt()));
        classes.check(stamps);
        PayloadInput again = part.copy();
        try {
            return getObject(part);
        } catch (Throwable thrown) {
            if (!DeepStack.helps(thrown)) {
                throw thrown;
            }
        }
        return DeepStack.<@Nullable Object>call(() -> getObject(again));
    }

    private @Nullable Object getObject(PayloadInput part) throws IOException, ClassNotFoundException {
        Object value = serializer.read(part);
        if (part.remaining() != 0) {
            throw new StreamCorruptedException(part.remaining() + " bytes are left after an object");
        }
        return value;
    }
}
