// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.platform.Types;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.serialization.SubstitutingSerializer.Substitution;
import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads exceptions that a {@link ThrowableWriter} wrote, starting with those to which others refer. An exception that
 * cannot be read is replaced with one of its nearest superclass in the JDK, with its name, message, stack trace, cause
 * and suppressed exceptions. Used once, by one thread.
 */
final class ThrowableReader {

    private static final StackTraceElement[] NO_FRAMES = {};

    private final SubstitutingSerializer serializer;
    private final UnaryOperator<ObjectSerializer> binding;
    private final List<Piece> pieces = new ArrayList<>();
    private @Nullable Throwable[] throwables = {};

    ThrowableReader(SubstitutingSerializer serializer, UnaryOperator<ObjectSerializer> binding) {
        this.serializer = serializer;
        this.binding = binding;
    }

    /**
     * The written form of an exception.
     *
     * @param classes the names of its class and its superclasses
     * @param cause the index of its cause, or nothing
     * @param links the indices of all exceptions that it refers to
     * @param isReduced whether something was left out of the body
     */
    private record Piece(
            List<String> classes,
            Optional<String> message,
            PayloadInput frames,
            List<Integer> cause,
            List<Integer> suppressed,
            List<Integer> links,
            boolean isReduced,
            PayloadInput body) {

        static Piece read(PayloadInput in, int count) throws IOException {
            List<String> classes = new ArrayList<>();
            for (long left = in.readVarLong(); left > 0; left--) {
                classes.add(in.readText());
            }
            return new Piece(
                    classes,
                    in.readOptionalText(),
                    in.slice(in.readVarLong()),
                    indices(in, count),
                    indices(in, count),
                    indices(in, count),
                    in.readByte() != 0,
                    in.slice(in.readVarLong()));
        }

        private static List<Integer> indices(PayloadInput in, int count) throws IOException {
            List<Integer> indices = new ArrayList<>();
            for (long left = in.readVarLong(); left > 0; left--) {
                long index = in.readVarLong();
                if (index < 0 || index >= count) {
                    throw new StreamCorruptedException("exception " + index + " of " + count);
                }
                indices.add((int) index);
            }
            return indices;
        }
    }

    /** Returns the exception; empty if it cannot be read as a whole and there are no pieces to assemble it from. */
    Optional<Throwable> read(PayloadInput in) throws IOException {
        PayloadInput whole = in.slice(in.readVarLong());
        long count = in.readVarLong();
        if (count < 0 || count > ThrowableWriter.MOST_THROWABLES) {
            throw new StreamCorruptedException(count + " exceptions");
        }
        for (int i = 0; i < count; i++) {
            pieces.add(Piece.read(in, (int) count));
        }
        Throwable together = whole.remaining() == 0 ? null : read(whole, met -> met);
        if (together != null || count == 0) {
            return Optional.ofNullable(together);
        }
        throwables = new @Nullable Throwable[(int) count];
        for (int index :
                ThrowableGraph.of(pieces.stream().map(Piece::links).toList()).order()) {
            throwables[index] = make(pieces.get(index));
        }
        return Optional.ofNullable(throwables[0]);
    }

    private Throwable make(Piece piece) {
        StackTraceElement[] frames = frames(piece);
        Throwable read = read(piece.body(), met -> {
            if (met instanceof Placeholder stand) {
                return stand.index() == Placeholder.FRAMES ? frames : throwables[stand.index()];
            }
            return met;
        });
        return read == null || (piece.isReduced() && !canBeShown(read)) ? standIn(piece, frames) : read;
    }

    private @Nullable Throwable read(PayloadInput body, Substitution substitution) {
        if (body.remaining() == 0) {
            return null;
        }
        PayloadInput again = body.copy();
        try {
            return binding.apply(serializer.with(substitution)).read(body) instanceof Throwable thrown ? thrown : null;
        } catch (Throwable thrown) {
            return DeepStack.helps(thrown) ? onDeepStack(again, substitution) : null;
        }
    }

    private @Nullable Throwable onDeepStack(PayloadInput body, Substitution substitution) {
        try {
            return DeepStack.<@Nullable Throwable>call(() -> read(body, substitution));
        } catch (Exception tooDeep) {
            return null;
        }
    }

    private StackTraceElement[] frames(Piece piece) {
        try {
            return piece.frames().remaining() > 0
                            && serializer.read(piece.frames()) instanceof StackTraceElement[] frames
                    ? frames
                    : NO_FRAMES;
        } catch (Throwable damaged) {
            return NO_FRAMES;
        }
    }

    /** Returns whether the exception can be printed. Its methods may need parts that were left out. */
    private static boolean canBeShown(Throwable read) {
        try {
            return read.toString() != null;
        } catch (Throwable hostile) {
            return false;
        }
    }

    private Throwable standIn(Piece piece, StackTraceElement[] frames) {
        Throwable made = ofNearestClass(piece);
        for (int index : piece.cause()) {
            Throwable cause = throwables[index];
            if (cause != null && cause != made && made.getCause() == null) {
                initCause(made, cause);
            }
        }
        for (int index : piece.suppressed()) {
            Throwable suppressed = throwables[index];
            if (suppressed != null) {
                made.addSuppressed(suppressed);
            }
        }
        made.setStackTrace(frames);
        return made;
    }

    private static void initCause(Throwable made, Throwable cause) {
        try {
            made.initCause(cause);
        } catch (IllegalStateException fixed) {
            made.addSuppressed(cause);
        }
    }

    private static Throwable ofNearestClass(Piece piece) {
        String own = piece.classes().isEmpty()
                ? Throwable.class.getName()
                : piece.classes().get(0);
        for (String name : piece.classes()) {
            String message = name.equals(own)
                    ? piece.message().orElse(null)
                    : own + piece.message().map(text -> ": " + text).orElse("");
            Throwable made = ofJdk(name, message);
            if (made != null) {
                return made;
            }
        }
        return new Throwable(own + piece.message().map(text -> ": " + text).orElse(""));
    }

    private static @Nullable Throwable ofJdk(String name, @Nullable String message) {
        try {
            Class<?> type = Class.forName(name, false, ClassLoader.getPlatformClassLoader());
            boolean isException = Throwable.class.isAssignableFrom(type) && Types.isOfJdk(type);
            return isException && JdkTypes.isAllowed(type)
                    ? (Throwable) type.getConstructor(String.class).newInstance(message)
                    : null;
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | InstantiationException
                | IllegalAccessException
                | InvocationTargetException
                | LinkageError e) {
            return null;
        }
    }
}
