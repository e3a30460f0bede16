// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.platform.Types;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.SubstitutingSerializer.Substitution;
import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes an exception with its causes, suppressed exceptions and fields. Each exception is written separately, so that
 * one that cannot be written or read does not affect others. If one fails, a field of it is left out, or only its text
 * and class names remain. Used once, by one thread.
 *
 * <p>The output has a limit. An exception that does not fit is written as text, and is left out if its text does not
 * fit.
 */
final class ThrowableWriter {

    /** The maximum number of exceptions. Others are left out, and so are those beyond {@link #limitBytes}. */
    static final int MOST_THROWABLES = 10_000;

    /** The maximum text of an exception among thousands; the outermost one also has its whole text. */
    private static final int MESSAGE_CHARS = 8 << 10;

    /** The size of a piece other than its texts and serialized parts, such as list numbers and lengths. */
    private static final int PIECE_BYTES = 64;

    private final SubstitutingSerializer serializer;
    private final UnaryOperator<ObjectSerializer> binding;
    private final long limitBytes;

    private final List<Throwable> throwables = new ArrayList<>();
    private final IdentityHashMap<Throwable, Integer> indices = new IdentityHashMap<>();
    private long bytes;

    /** Creates a writer of about {@code limitBytes}; the text of the last exception may exceed this. */
    ThrowableWriter(SubstitutingSerializer serializer, UnaryOperator<ObjectSerializer> binding, long limitBytes) {
        this.serializer = serializer;
        this.binding = binding;
        this.limitBytes = limitBytes;
    }

    /** Writes an exception in the format that {@link ThrowableReader} reads. */
    void write(Throwable thrown, PayloadOutput out) {
        PayloadOutput pieces = new PayloadOutput();
        List<List<Integer>> links = new ArrayList<>();
        Found root = new Found();
        root.index(thrown);
        root.keep();
        for (int i = 0; i < throwables.size(); i++) {
            links.add(new Piece(throwables.get(i)).write(pieces));
        }
        put(ThrowableGraph.of(links).isCyclic() ? whole(thrown) : Payload.empty(), out);
        out.writeVarLong(links.size());
        out.append(pieces.toPayload());
    }

    /** Writes exceptions together. Only then does a cycle of exceptions remain one. */
    private Payload whole(Throwable thrown) {
        PayloadOutput out = new PayloadOutput(leftBytes());
        try {
            binding.apply(serializer).write(thrown, out);
            return out.toPayload();
        } catch (Throwable notSerializable) {
            return Payload.empty();
        }
    }

    private long leftBytes() {
        return Math.max(0, limitBytes - bytes);
    }

    /**
     * Exceptions that were met and are not known yet. They become known only when the object that refers to them was
     * written, because an abandoned thread may continue to meet others.
     */
    private final class Found {

        private final int known = throwables.size();
        private final List<Throwable> met = new ArrayList<>();
        private final IdentityHashMap<Throwable, Integer> indicesOfMet = new IdentityHashMap<>();

        /** Returns the index of an exception; empty if there are too many. */
        Optional<Integer> index(Throwable thrown) {
            Integer index = indices.containsKey(thrown) ? indices.get(thrown) : indicesOfMet.get(thrown);
            int next = known + met.size();
            if (index == null && next < MOST_THROWABLES && (long) (met.size() + 1) * PIECE_BYTES <= leftBytes()) {
                index = next;
                indicesOfMet.put(thrown, index);
                met.add(thrown);
            }
            return Optional.ofNullable(index);
        }

        Throwable get(int index) {
            return index < known ? throwables.get(index) : met.get(index - known);
        }

        void keep() {
            throwables.addAll(met);
            indices.putAll(indicesOfMet);
            bytes += (long) met.size() * PIECE_BYTES;
        }
    }

    private static void put(Payload part, PayloadOutput out) {
        out.writeVarLong(part.length());
        out.append(part);
    }

    private static void put(List<Integer> numbers, PayloadOutput out) {
        out.writeVarLong(numbers.size());
        numbers.forEach(out::writeVarLong);
    }

    private final class Piece {

        private final Throwable thrown;
        private final StackTraceElement[] frames;

        Piece(Throwable thrown) {
            this.thrown = thrown;
            this.frames = Causes.frames(thrown);
        }

        /** Writes the exception without others, and returns the indices of those to which it refers. */
        List<Integer> write(PayloadOutput out) {
            long start = out.length();
            List<String> classes = classes(thrown.getClass());
            out.writeVarLong(classes.size());
            classes.forEach(out::writeText);
            out.writeOptionalText(message());
            bytes += out.length() - start;
            put(framesPart(), out);
            Body body = body();
            if (body != null) {
                body.keep();
            }
            Found beside = new Found();
            List<Integer> cause = links(Causes.causes(thrown), body, beside);
            List<Integer> suppressed = links(List.of(thrown.getSuppressed()), body, beside);
            beside.keep();
            put(cause, out);
            put(suppressed, out);
            Set<Integer> links = new LinkedHashSet<>(body == null ? List.of() : body.links);
            links.addAll(cause);
            links.addAll(suppressed);
            put(List.copyOf(links), out);
            out.write(body != null && body.isReduced ? 1 : 0);
            put(body == null ? Payload.empty() : body.written, out);
            return List.copyOf(links);
        }

        private Optional<String> message() {
            String message = Causes.message(thrown);
            return message == null || leftBytes() < MESSAGE_CHARS
                    ? Optional.empty()
                    : Optional.of(ThrowableText.cut(message, MESSAGE_CHARS));
        }

        /**
         * Returns references to others. Only the exception's written form is used, because an exception may create a
         * new cause at each call.
         */
        private List<Integer> links(List<Throwable> others, @Nullable Body body, Found beside) {
            List<Integer> links = new ArrayList<>();
            for (Throwable other : others) {
                boolean isKnown = body == null || body.links.contains(indices.get(other));
                Optional<Integer> index = isKnown ? beside.index(other) : Optional.empty();
                index.ifPresent(links::add);
            }
            return links;
        }

        private Payload framesPart() {
            PayloadOutput out = new PayloadOutput(leftBytes());
            try {
                serializer.write(frames, out);
            } catch (Throwable noRoom) {
                return Payload.empty();
            }
            bytes += out.length();
            return out.toPayload();
        }

        /** Returns the written form; null if there is none that could be read. */
        private @Nullable Body body() {
            for (boolean isCareful : new boolean[] {false, true}) {
                Body body = new Body(this, isCareful);
                try {
                    body.write(thrown);
                    return body;
                } catch (Throwable notSerializable) {
                    if (DeepStack.helps(notSerializable)) {
                        return onDeepStack();
                    }
                    // The next one, or the text, is smaller.
                }
            }
            return null;
        }

        private @Nullable Body onDeepStack() {
            try {
                return DeepStack.<@Nullable Body>call(this::body);
            } catch (Exception blocked) {
                return null;
            }
        }
    }

    /** Returns the names of a class and its superclasses. */
    private static List<String> classes(Class<?> type) {
        List<String> names = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            names.add(at.getName());
        }
        return names;
    }

    /**
     * The written form of one exception, on trial: if code of the program is involved, it is read here before it is
     * sent.
     */
    private final class Body implements Substitution {

        private final Piece piece;
        /** Whether each object is tried separately, and left out if that fails. */
        private final boolean isCareful;

        private final Found found = new Found();
        private final Set<Integer> links = new LinkedHashSet<>();
        private Payload written = Payload.empty();
        private final Set<Object> tried = Collections.newSetFromMap(new IdentityHashMap<>());
        private boolean isBegun;
        private boolean isOfProgram;
        private boolean isReduced;

        Body(Piece piece, boolean isCareful) {
            this.piece = piece;
            this.isCareful = isCareful;
            this.isOfProgram = !Types.isOfJdk(piece.thrown.getClass());
        }

        void write(Throwable thrown) throws IOException, ClassNotFoundException {
            PayloadOutput out = new PayloadOutput(leftBytes());
            binding.apply(serializer.with(this)).write(thrown, out);
            written = out.toPayload();
            if (isOfProgram && !(read(written) instanceof Throwable)) {
                throw new IOException("It is not an exception when it is read back.");
            }
        }

        void keep() {
            found.keep();
            bytes += written.length();
        }

        @Override
        public @Nullable Object of(Object met) {
            if (!isBegun) {
                isBegun = true;
                return met;
            }
            Object written = parted(met);
            if (written == met && isCareful && !tried.contains(met)) {
                return isSound(met) ? met : nothing();
            }
            return written;
        }

        private @Nullable Object parted(Object met) {
            if (met instanceof Throwable other) {
                Optional<Integer> index = found.index(other);
                index.ifPresent(links::add);
                return index.isPresent() ? new Placeholder(index.get()) : nothing();
            }
            if (met instanceof StackTraceElement[] trace && Arrays.equals(trace, piece.frames)) {
                return new Placeholder(Placeholder.FRAMES);
            }
            Class<?> type = Types.element(met instanceof Class<?> named ? named : met.getClass());
            boolean isSerializable =
                    met instanceof Serializable || met.getClass().isArray();
            if (!isSerializable || !serializer.isReadable(type)) {
                return nothing();
            }
            isOfProgram |= !Types.isOfJdk(type);
            return met;
        }

        private @Nullable Object nothing() {
            isReduced = true;
            return null;
        }

        /** Returns whether an object can be written and read with everything to which it refers. */
        private boolean isSound(Object met) {
            List<Object> seen = new ArrayList<>();
            PayloadOutput trial = new PayloadOutput(leftBytes());
            Substitution noting = inside -> {
                seen.add(inside);
                return parted(inside);
            };
            try {
                binding.apply(serializer.with(noting)).write(met, trial);
                read(trial.toPayload());
            } catch (Throwable unsound) {
                return false;
            }
            tried.addAll(seen);
            return true;
        }

        private @Nullable Object read(Payload written) throws IOException, ClassNotFoundException {
            return binding.apply(serializer.with(this::original)).read(written.open());
        }

        private Object original(Object read) {
            if (read instanceof Placeholder stand) {
                return stand.index() == Placeholder.FRAMES ? piece.frames : found.get(stand.index());
            }
            return read;
        }
    }
}
